import type { P0Account } from '@lending/venues';
import type { Address, Instruction } from '@solana/kit';
import type { DemoBank } from '#market/demo-bank.ts';
import {
  borrow,
  deposit,
  endFlashLoan,
  ensureTokenAccount,
  openAccount,
  repay,
  startFlashLoan,
  withdraw,
} from '#market/lending-instructions.ts';
import type { Actor } from '../actor.ts';
import type { Dice } from '../dice.ts';
import { type MarketView, tokenOf } from '../market-view.ts';
import { owedTo, smaller, suppliedTo } from '../position.ts';
import { createRole, type Role } from '../role.ts';
import { amountFor, leastOf, quote, trade } from '../trade.ts';

/** Leverage times ten: what loops are opened at. */
const LEVERAGE = { low: 15, high: 35 } as const;

interface Looper {
  readonly actor: Actor;
  readonly collateral: DemoBank;
  readonly debt: DemoBank;
}

/** Holds one token with money borrowed in another, in and out by one flash loan each. */
export function createLooper(
  name: string,
  rows: { readonly collateral: DemoBank; readonly debt: DemoBank },
  principal: bigint,
): Role {
  const tokens = { [rows.collateral.token]: principal, [rows.debt.token]: 0n };
  return createRole(name, rows.collateral, tokens, (view, dice, actor) => decide(view, dice, { actor, ...rows }));
}

function decide(view: MarketView, dice: Dice, looper: Looper): readonly Instruction[] | null {
  const { actor, collateral, debt } = looper;
  const account = view.account(actor.account);
  const held = view.tokens(actor.wallet, tokenOf(collateral));
  if (account === null) {
    const opened = deposit(actor, view.bank(collateral.address), dice.portion(held, 50, 90));
    return [openAccount(actor), ensureTokenAccount(actor, view.bank(debt.address)), opened];
  }
  const supplied = suppliedTo(view, account, collateral.address);
  if (supplied === 0n)
    return held === 0n ? null : [deposit(actor, view.bank(collateral.address), dice.portion(held, 50, 90))];
  const owed = owedTo(view, account, debt.address);
  return owed === 0n ? leverIn(view, dice, looper, supplied) : leverOut(view, looper, account, owed);
}

/** Borrows, swaps into the collateral and deposits what the swap promises at least. */
function leverIn(view: MarketView, dice: Dice, looper: Looper, supplied: bigint): readonly Instruction[] | null {
  const { actor, collateral, debt } = looper;
  const tenths = BigInt(LEVERAGE.low + dice.roll(LEVERAGE.high - LEVERAGE.low) - 10);
  const wanted = (supplied * tenths) / 10n;
  const borrowed = quote(view, collateral, debt, wanted);
  const received = leastOf(quote(view, debt, collateral, borrowed));
  if (received === 0n) return null;
  const both = view.health([collateral.address, debt.address]);
  const inner = [
    borrow(actor, view.bank(debt.address), borrowed, both),
    trade(actor, debt, collateral, borrowed, received),
    deposit(actor, view.bank(collateral.address), received),
  ];
  return inFlashLoan(actor, inner, both);
}

/** Sells enough of the collateral to repay the debt with what the swap promises at least, interest since included. */
function leverOut(view: MarketView, looper: Looper, account: P0Account, owed: bigint): readonly Instruction[] | null {
  const { actor, collateral, debt } = looper;
  const due = owed + owed / 2_000n + 2n;
  const sold = smaller(amountFor(view, collateral, debt, due), suppliedTo(view, account, collateral.address));
  const received = leastOf(quote(view, collateral, debt, sold));
  if (received < due) return null;
  const both = view.health([collateral.address, debt.address]);
  const inner = [
    withdraw(actor, view.bank(collateral.address), sold, both),
    trade(actor, collateral, debt, sold, received),
    repay(actor, view.bank(debt.address), 'all'),
  ];
  return inFlashLoan(actor, inner, view.health([collateral.address]));
}

/** Instructions between the start and the end of a flash loan; they must be all of the transaction. */
function inFlashLoan(actor: Actor, inner: readonly Instruction[], health: readonly Address[]): readonly Instruction[] {
  const endIndex = BigInt(inner.length + 1);
  return [startFlashLoan(actor, endIndex), ...inner, endFlashLoan(actor, health)];
}
