import { floorI80F48 } from '@lending/domain';
import type { Instruction } from '@solana/kit';
import type { DemoBank } from '#market/demo-bank.ts';
import { openAccount } from '#market/lending-instructions.ts';
import { venueInstructionsOf } from '#market/venue-instructions/of-bank.ts';
import type { Actor } from '../actor.ts';
import type { Dice } from '../dice.ts';
import { type MarketView, tokenOf } from '../market-view.ts';
import { createRole, type Role } from '../role.ts';

/** Puts tokens into one bank of another venue and takes some out again, all of them once in a while. Borrows nothing. */
export function createVenueLender(name: string, row: DemoBank, amount: bigint): Role {
  return createRole(name, row, { [row.token]: amount }, (view, dice, actor) => decide(view, dice, actor, row));
}

function decide(view: MarketView, dice: Dice, actor: Actor, row: DemoBank): readonly Instruction[] | null {
  const bank = view.bank(row.address);
  const venue = venueInstructionsOf(bank);
  const held = view.tokens(actor.wallet, tokenOf(row));
  const supply = (low: number, high: number): readonly Instruction[] | null => {
    const amount = dice.portion(held, low, high);
    return amount === 0n ? null : venue.deposit(actor, bank, amount, view.read);
  };
  const account = view.account(actor.account);
  if (account === null) {
    const supplies = supply(40, 80);
    return supplies === null ? null : [openAccount(actor), ...supplies];
  }
  const shares = account.balances.find((balance) => balance.bank === bank.address)?.assetShares ?? 0n;
  const receipts = floorI80F48(shares);
  if (receipts === 0n || (held > receipts / 4n && dice.roll(100) < 50)) return supply(5, 40);
  if (dice.roll(100) < 5) return venue.withdraw(actor, bank, 'all', [], view.read);
  // A receipt is worth more than a token, so as many tokens as receipts are always there.
  const amount = dice.portion(receipts, 5, 30);
  return amount === 0n ? null : venue.withdraw(actor, bank, amount, view.health([bank.address]), view.read);
}
