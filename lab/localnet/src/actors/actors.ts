import type { Address } from '@solana/kit';
import type { AccountState } from '#engine/engine.ts';
import { SYSTEM_PROGRAM } from '#engine/runtime-addresses.ts';
import type { Outcome } from '#ledger/execution.ts';
import { tokenAccountOf } from '#market/lending-instructions.ts';
import { associatedTokenAccount } from '#market/token-accounts.ts';
import { DEMO_TOKENS, type DemoTokenName } from '#market/tokens.ts';
import type { ActorLedger } from './actor-ledger.ts';
import { createDice, type Dice } from './dice.ts';
import { freshenFeeds } from './freshen-feeds.ts';
import { MarketView } from './market-view.ts';
import { LAMPORTS, payday } from './payday.ts';
import { type Citizen, createPopulation } from './population.ts';
import { sendTransaction } from './send-transaction.ts';

export interface ActorsOptions {
  /** Same seed, same chances at the same slots. */
  readonly seed: number;
  /** How many transactions they send; 0 lets nobody act. */
  readonly transactionsPerSecond: number;
  readonly slotMs: number;
}

/** Somebody's turn. Says how the transaction went; null when none was sent. */
export type Turn = (ledger: ActorLedger) => Outcome | null;

/** The people of the demo market. */
export interface Actors {
  /** Their wallets, as the chain begins with them. */
  readonly accounts: readonly (readonly [Address, AccountState])[];
  /** What each is to do in a slot, one after the other. */
  turns(slot: bigint): readonly Turn[];
}

/** Somebody who finds nothing sensible to do passes the turn on, so that the rate is the one asked for; so many times. */
const ASKED_AT_MOST = 4;

/**
 * Borrowers, leveraged loopers and lenders who keep the demo market alive, and a liquidator. They sign and send transactions as anybody
 * does, decide by what the chain shows, and remember nothing: after a restart they go on from the accounts as they are. Who has lost most of
 * what they began with is given it back.
 */
export function createActors({ seed, transactionsPerSecond, slotMs }: ActorsOptions): Actors {
  const population = createPopulation();
  const total = population.reduce((sum, { weight }) => sum + weight, 0);
  const sentBefore = (slot: bigint) => (slot * BigInt(Math.round(transactionsPerSecond * slotMs))) / 1_000n;
  return {
    accounts: population.flatMap(walletAccounts),
    turns: (slot) => {
      const count = Number(sentBefore(slot + 1n) - sentBefore(slot));
      return Array.from({ length: count }, (_, index) => (ledger: ActorLedger) => {
        const dice = createDice(`${seed}/actors/${slot}/${index}`);
        for (let asked = 0; asked < ASKED_AT_MOST; asked += 1) {
          const citizen = choose(population, dice.roll(total));
          freshenFeeds(ledger, citizen.role, seed, slot);
          const outcome = takeTurn(ledger, citizen, dice, slot);
          if (outcome !== null) return outcome;
        }
        return null;
      });
    },
  };
}

function takeTurn(ledger: ActorLedger, { role }: Citizen, dice: Dice, slot: bigint): Outcome | null {
  const view = new MarketView(ledger, slot);
  payday(ledger, view, role);
  const instructions = role.act(view, dice);
  return instructions === null ? null : sendTransaction(ledger, role.actor, instructions);
}

function choose(population: readonly Citizen[], roll: number): Citizen {
  let left = roll;
  for (const citizen of population) {
    if (left < citizen.weight) return citizen;
    left -= citizen.weight;
  }
  throw new RangeError(`No citizen has the number ${roll}`);
}

function walletAccounts({ role }: Citizen): readonly (readonly [Address, AccountState])[] {
  const { wallet } = role.actor;
  const holdings = Object.entries(role.tokens) as [DemoTokenName, bigint][];
  return [
    [wallet, { lamports: LAMPORTS, owner: SYSTEM_PROGRAM, data: new Uint8Array(), executable: false }],
    ...holdings.map(([name, amount]) => {
      const token = DEMO_TOKENS[name];
      return [tokenAccountOf(wallet, token), associatedTokenAccount(token, wallet, amount)] as const;
    }),
  ];
}
