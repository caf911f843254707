import type { Instruction } from '@solana/kit';
import type { DemoBank } from '#market/demo-bank.ts';
import { ensureAssociatedAccount } from '#market/lending-instructions.ts';
import { RESERVE_INSTRUCTIONS } from '#market/venue-instructions/of-bank.ts';
import type { DemoReserve } from '#market/venues/demo-reserve.ts';
import type { Actor } from '../actor.ts';
import type { Dice } from '../dice.ts';
import { type MarketView, tokenOf } from '../market-view.ts';
import { createRole, type Role } from '../role.ts';

/** Of what a supplier began with, what always stays in its wallet: percent. Less than half would make it poor and have it paid again. */
const STAYS = 55n;

/**
 * A large customer of a venue's own reserve, who comes and goes: what it takes out leaves less to lend, and the rate rises.
 * @param mainstay the P0 bank of the same token.
 */
export function createReserveSupplier(name: string, reserve: DemoReserve, mainstay: DemoBank, amount: bigint): Role {
  return createRole(name, mainstay, { [mainstay.token]: amount }, (view, dice, actor) =>
    decide(view, dice, actor, reserve, mainstay, amount),
  );
}

function decide(
  view: MarketView,
  dice: Dice,
  actor: Actor,
  reserve: DemoReserve,
  mainstay: DemoBank,
  endowment: bigint,
): readonly Instruction[] | null {
  const { wallet } = actor;
  const venue = RESERVE_INSTRUCTIONS[reserve.venue];
  const receipt = { owner: wallet, ...venue.receiptOf(reserve.address, view.read) };
  const receipts = view.holding(receipt);
  const spare = view.tokens(wallet, tokenOf(mainstay)) - (endowment * STAYS) / 100n;
  const supplies = receipts === null || receipts === 0n || dice.roll(100) < 50;
  if (supplies && spare > 0n) {
    const opens = receipts === null ? [ensureAssociatedAccount(wallet, receipt)] : [];
    return [...opens, ...venue.supply(wallet, reserve.address, dice.portion(spare, 20, 90), view.read)];
  }
  const redeemed = dice.portion(receipts ?? 0n, 20, 90);
  return redeemed === 0n ? null : venue.redeem(wallet, reserve.address, redeemed, view.read);
}
