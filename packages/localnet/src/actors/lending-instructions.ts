import { oracleAccountsOf, type P0Account } from '@lending/venues';
import type { Address, Instruction } from '@solana/kit';
import type { DemoBank } from '#market/demo-bank.ts';
import * as market from '#market/lending-instructions.ts';
import type { Actor } from './actor.ts';
import type { MarketView } from './market-view.ts';

export { openAccount } from '#market/lending-instructions.ts';

export function deposit(view: MarketView, actor: Actor, row: DemoBank, amount: bigint): Instruction {
  return market.deposit(actor, view.bank(row.address), amount);
}

export function repay(view: MarketView, actor: Actor, row: DemoBank, amount: market.Amount): Instruction {
  return market.repay(actor, view.bank(row.address), amount);
}

export function borrow(
  view: MarketView,
  actor: Actor,
  row: DemoBank,
  amount: bigint,
  health: readonly Address[],
): Instruction {
  return market.borrow(actor, view.bank(row.address), amount, health);
}

export function withdraw(
  view: MarketView,
  actor: Actor,
  row: DemoBank,
  amount: market.Amount,
  health: readonly Address[],
): Instruction {
  return market.withdraw(actor, view.bank(row.address), amount, health);
}

/** Instructions between the start and the end of a flash loan; they must be all of the transaction. */
export function inFlashLoan(
  actor: Actor,
  inner: readonly Instruction[],
  health: readonly Address[],
): readonly Instruction[] {
  const endIndex = BigInt(inner.length + 1);
  return [market.startFlashLoan(actor, endIndex), ...inner, market.endFlashLoan(actor, health)];
}

/** Takes `assetAmount` of the victim's collateral and its worth, less the fees, of the victim's debt. */
export function liquidate(
  view: MarketView,
  actor: Actor,
  victim: P0Account,
  rows: { readonly asset: DemoBank; readonly liability: DemoBank },
  assetAmount: bigint,
): Instruction {
  const banks = { asset: view.bank(rows.asset.address), liability: view.bank(rows.liability.address) };
  const held = view.account(actor.account)?.balances.map(({ bank }) => bank) ?? [];
  return market.liquidate(actor, victim.address, banks, assetAmount, {
    oracles: [...oracleAccountsOf(banks.asset), ...oracleAccountsOf(banks.liability)],
    liquidator: healthAccounts(view, [...held, banks.asset.address, banks.liability.address]),
    liquidatee: healthAccounts(
      view,
      victim.balances.map(({ bank }) => bank),
    ),
  });
}

/** The health list of an account that holds these banks. */
export function healthAccounts(view: MarketView, banks: readonly Address[]): readonly Address[] {
  return market.healthAccounts(banks.map((bank) => view.bank(bank)));
}

export function ensureTokenAccount(view: MarketView, actor: Actor, row: DemoBank): Instruction {
  return market.ensureTokenAccount(actor, view.bank(row.address));
}
