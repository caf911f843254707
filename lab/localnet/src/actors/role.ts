import type { Instruction } from '@solana/kit';
import type { DemoBank } from '#market/demo-bank.ts';
import type { DemoTokenName } from '#market/tokens.ts';
import { type Actor, createActor } from './actor.ts';
import type { Dice } from './dice.ts';
import type { MarketView } from './market-view.ts';

/** What an actor does when its turn comes: a decision from what the chain shows, with nothing remembered. */
export interface Role {
  readonly actor: Actor;
  /** The bank of the token the actor lives on, one of `tokens`. */
  readonly mainstay: DemoBank;
  /** Base units the actor's wallet begins with. */
  readonly tokens: Readonly<Partial<Record<DemoTokenName, bigint>>>;
  /** The instructions of one transaction; null when there is nothing sensible to do. */
  act(view: MarketView, dice: Dice): readonly Instruction[] | null;
}

/** The role of a name, by what it does when its turn comes. */
export function createRole(
  name: string,
  mainstay: DemoBank,
  tokens: Role['tokens'],
  decide: (view: MarketView, dice: Dice, actor: Actor) => readonly Instruction[] | null,
): Role {
  const actor = createActor(name);
  return { actor, mainstay, tokens, act: (view, dice) => decide(view, dice, actor) };
}
