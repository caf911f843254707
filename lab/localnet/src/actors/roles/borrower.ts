import type { Instruction } from '@solana/kit';
import type { DemoBank } from '#market/demo-bank.ts';
import { borrow, deposit, ensureTokenAccount, openAccount, repay } from '#market/lending-instructions.ts';
import type { Actor } from '../actor.ts';
import type { Dice } from '../dice.ts';
import { type MarketView, tokenOf } from '../market-view.ts';
import { borrowable, lendable, owedTo, smaller, suppliedTo } from '../position.ts';
import { createRole, type Role } from '../role.ts';
import { leastOf, quote, trade } from '../trade.ts';

/** How far a borrower goes, in percent of what its collateral would allow. */
export interface Appetite {
  readonly low: number;
  readonly high: number;
  /** How many turns of a hundred it repays in. */
  readonly repays: number;
  /** Whether it buys more collateral with what it borrowed. */
  readonly doublesDown: boolean;
}

/** Borrows within its means, and repays most of what it borrows. */
export const CAREFUL: Appetite = { low: 10, high: 50, repays: 45, doublesDown: false };
/** Borrows nearly everything it can and repays hardly anything: the one that a falling price liquidates. */
export const RECKLESS: Appetite = { low: 93, high: 98, repays: 2, doublesDown: true };

/** A deposit in one bank that backs a debt in another. */
export function createBorrower(
  name: string,
  rows: { readonly collateral: DemoBank; readonly debt: DemoBank },
  tokens: { readonly collateral: bigint; readonly debt: bigint },
  appetite: Appetite,
): Role {
  const held = { [rows.collateral.token]: tokens.collateral, [rows.debt.token]: tokens.debt };
  return createRole(name, rows.collateral, held, (view, dice, actor) =>
    decide(view, dice, { actor, ...rows, appetite }),
  );
}

interface Borrower {
  readonly actor: Actor;
  readonly collateral: DemoBank;
  readonly debt: DemoBank;
  readonly appetite: Appetite;
}

function decide(view: MarketView, dice: Dice, borrower: Borrower): readonly Instruction[] | null {
  const { actor, collateral, debt, appetite } = borrower;
  const account = view.account(actor.account);
  const held = view.tokens(actor.wallet, tokenOf(collateral));
  if (account === null)
    return [openAccount(actor), deposit(actor, view.bank(collateral.address), dice.portion(held, 30, 60))];
  const owed = owedTo(view, account, debt.address);
  if (owed > 0n && dice.roll(100) < appetite.repays) return payBack(view, dice, borrower, owed);
  if (suppliedTo(view, account, collateral.address) === 0n || dice.roll(100) < 15) {
    const amount = dice.portion(held, 5, 25);
    return amount === 0n ? null : [deposit(actor, view.bank(collateral.address), amount)];
  }
  if (appetite.doublesDown && dice.roll(100) < 30) return doubleDown(view, dice, borrower);
  return borrowMore(
    view,
    dice,
    borrower,
    account.balances.map(({ bank }) => bank),
  );
}

function payBack(view: MarketView, dice: Dice, { actor, debt }: Borrower, owed: bigint): readonly Instruction[] | null {
  const held = view.tokens(actor.wallet, tokenOf(debt));
  // A thousandth covers the interest since the bank was last touched, and then some.
  if (held > owed + owed / 1_000n && dice.roll(3) === 0) return [repay(actor, view.bank(debt.address), 'all')];
  const amount = smaller(dice.portion(owed, 10, 60), held);
  return amount === 0n ? null : [repay(actor, view.bank(debt.address), amount)];
}

function doubleDown(
  view: MarketView,
  dice: Dice,
  { actor, collateral, debt }: Borrower,
): readonly Instruction[] | null {
  const spent = dice.portion(view.tokens(actor.wallet, tokenOf(debt)), 20, 60);
  const received = leastOf(quote(view, debt, collateral, spent));
  if (received === 0n) return null;
  return [trade(actor, debt, collateral, spent, received), deposit(actor, view.bank(collateral.address), received)];
}

function borrowMore(
  view: MarketView,
  dice: Dice,
  { actor, debt, appetite }: Borrower,
  banks: readonly Instruction['programAddress'][],
): readonly Instruction[] | null {
  const account = view.account(actor.account);
  const judged = account === null ? null : view.requirement(account, 'initial');
  if (judged === null || judged.kind === 'refused') return null;
  const bank = view.bank(debt.address);
  const room = borrowable(view, bank, judged.assets - judged.liabilities);
  const amount = smaller(dice.portion(room, appetite.low, appetite.high), lendable(bank));
  if (amount === 0n) return null;
  const health = view.health([...banks, debt.address]);
  return [ensureTokenAccount(actor, view.bank(debt.address)), borrow(actor, view.bank(debt.address), amount, health)];
}
