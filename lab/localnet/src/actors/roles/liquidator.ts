import { I80F48_ONE, multiplyI80F48, parseI80F48 } from '@lending/domain';
import { oracleAccountsOf, type P0Account } from '@lending/venues';
import type { Address, Instruction } from '@solana/kit';
import type { DemoBank } from '#market/demo-bank.ts';
import { deposit, ensureTokenAccount, liquidate, openAccount, withdraw } from '#market/lending-instructions.ts';
import type { Actor } from '../actor.ts';
import { type MarketView, tokenOf } from '../market-view.ts';
import { smaller, suppliedTo } from '../position.ts';
import { createRole, type Role } from '../role.ts';
import { leastOf, quote, trade } from '../trade.ts';

/** What of the seized collateral's worth is taken off the victim's debt: all but both fees of 2.5 %. */
const REPAID = parseI80F48('0.95');
/** A little less than what would make the victim healthy again: more would be refused as too severe. */
const SEIZED_PERCENT = 97n;
/** USD below the line from which it is worth the while. */
const WORTHWHILE = parseI80F48('100');

/** A position that the liquidator watches. */
export interface Watched {
  readonly account: Address;
  readonly collateral: DemoBank;
  readonly debt: DemoBank;
}

/** Watches some accounts, takes what it may of those that fell below the line, and carries the proceeds home. */
export function createLiquidator(
  name: string,
  reserve: { readonly row: DemoBank; readonly amount: bigint },
  watched: readonly Watched[],
): Role {
  return createRole(name, reserve.row, { [reserve.row.token]: reserve.amount }, (view, _dice, actor) =>
    decide(view, actor, reserve.row, watched),
  );
}

function decide(
  view: MarketView,
  actor: Actor,
  home: DemoBank,
  watched: readonly Watched[],
): readonly Instruction[] | null {
  const account = view.account(actor.account);
  const held = view.tokens(actor.wallet, tokenOf(home));
  if (account === null) return [openAccount(actor), deposit(actor, view.bank(home.address), held / 2n)];
  for (const position of watched) {
    const seizure = findSeizure(view, position);
    if (seizure !== null) return [seize(view, actor, account, position, seizure)];
  }
  return takeHome(view, actor, account, watched) ?? sell(view, actor, home, watched);
}

/** Takes the collateral and its worth, less the fees, of the victim's debt. */
function seize(
  view: MarketView,
  actor: Actor,
  { balances }: P0Account,
  { collateral, debt }: Watched,
  { victim, amount }: Seizure,
): Instruction {
  const banks = { asset: view.bank(collateral.address), liability: view.bank(debt.address) };
  const banksOf = (held: P0Account['balances']) => held.map(({ bank }) => bank);
  return liquidate(actor, victim.address, banks, amount, {
    oracles: [...oracleAccountsOf(banks.asset), ...oracleAccountsOf(banks.liability)],
    liquidator: view.health([...banksOf(balances), collateral.address, debt.address]),
    liquidatee: view.health(banksOf(victim.balances)),
  });
}

interface Seizure {
  readonly victim: P0Account;
  readonly amount: bigint;
}

/** What may be seized of a position: null while it is healthy, or its prices are unknown. */
function findSeizure(view: MarketView, { account, collateral, debt }: Watched): Seizure | null {
  const victim = view.account(account);
  if (victim === null) return null;
  const judged = view.requirement(victim, 'maintenance');
  if (judged.kind === 'refused' || judged.liabilities - judged.assets < WORTHWHILE) return null;
  const [asset, liability] = [view.bank(collateral.address), view.bank(debt.address)];
  const price = view.price(asset);
  if (price.kind === 'failed' || typeof price.spot === 'string') return null;
  const gained = multiplyI80F48(REPAID, liability.weights.liabilityMaint) - asset.weights.assetMaint;
  if (gained <= 0n) return null;
  const deficit = judged.liabilities - judged.assets;
  const usd = (deficit * I80F48_ONE) / gained;
  const amount = (usd * 10n ** BigInt(asset.decimals) * SEIZED_PERCENT) / (price.spot.low * 100n);
  const seized = smaller(amount, suppliedTo(view, victim, collateral.address) - 1n);
  return seized > 0n ? { victim, amount: seized } : null;
}

/** Withdraws seized collateral, one bank at a turn. */
function takeHome(
  view: MarketView,
  actor: Actor,
  account: P0Account,
  watched: readonly Watched[],
): readonly Instruction[] | null {
  const banks = account.balances.map(({ bank }) => bank);
  const row = watched
    .map(({ collateral }) => collateral)
    .find(({ address }) => banks.includes(address) && suppliedTo(view, account, address) > 0n);
  if (row === undefined) return null;
  const left = banks.filter((bank) => bank !== row.address);
  return [
    ensureTokenAccount(actor, view.bank(row.address)),
    withdraw(actor, view.bank(row.address), 'all', view.health(left)),
  ];
}

/** Turns withdrawn collateral into more of the reserve. */
function sell(
  view: MarketView,
  actor: Actor,
  home: DemoBank,
  watched: readonly Watched[],
): readonly Instruction[] | null {
  const row = watched.map(({ collateral }) => collateral).find((one) => view.tokens(actor.wallet, tokenOf(one)) > 0n);
  if (row === undefined) return null;
  const amount = view.tokens(actor.wallet, tokenOf(row));
  const received = leastOf(quote(view, row, home, amount));
  return received === 0n
    ? null
    : [trade(actor, row, home, amount, received), deposit(actor, view.bank(home.address), received)];
}
