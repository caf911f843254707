import { type KlendMarket, type KlendObligation, type KlendReserve, NO_KEY } from '@lending/programs';
import { kaminoCTokenRate } from '@lending/venues';
import type { Address } from '@solana/kit';
import type { InvokeContext } from '#engine/program.ts';
import { check, fail, panic } from '../klend-error.ts';
import { isStale, markStale } from './last-update.ts';

/** USD of so many cTokens at the reserve's own price, scaled by 2^60 and rounded down at each step. */
export function valueOfCTokens(reserve: KlendReserve, cTokens: bigint): bigint {
  const { liquiditySf, cTokens: supply } = kaminoCTokenRate(reserve);
  const { marketPriceSf, mintDecimals } = reserve.liquidity;
  return (((cTokens * liquiditySf) / supply) * marketPriceSf) / ((10n ** mintDecimals) << 60n);
}

type Deposit = KlendObligation['deposits'][number];

const ACTIVE = 0;

/** What stays of an obligation, and the cTokens that leave it. */
interface Withdrawal {
  readonly obligation: KlendObligation;
  readonly cTokens: bigint;
}

/**
 * Puts cTokens of a reserve under an obligation without debts.
 * @throws AnchorError InvalidAmount, ReserveStale, ObligationStale, ObligationReserveLimit, NetValueRemainingTooSmall
 * @see klend programs/klend/src/lending_market/lending_operations.rs `deposit_obligation_collateral`
 */
export function addCollateral(
  context: InvokeContext,
  market: KlendMarket,
  reserve: { readonly address: Address; readonly state: KlendReserve },
  obligation: KlendObligation,
  cTokens: bigint,
): KlendObligation {
  check(cTokens !== 0n, 'InvalidAmount');
  check(!isStale(reserve.state.lastUpdate, context.slot), 'ReserveStale');
  check(!isStale(obligation.lastUpdate, context.slot), 'ObligationStale');
  const at = slotFor(obligation, reserve.address);
  const previous = depositAt(obligation, at);
  const deposit = { ...previous, depositReserve: reserve.address, depositedAmount: previous.depositedAmount + cTokens };
  const added = valueOfCTokens(reserve.state, cTokens);
  if (obligation.depositedValueSf + added === 0n) panic(context, 'the deposits are worth nothing');
  assertWorthwhile(previous.marketValueSf + added, market);
  return markStale(withDeposit(obligation, at, deposit));
}

/**
 * Takes cTokens out of an obligation without debts; more than there are are all.
 * @throws AnchorError InvalidAmount, ReserveStale, ObligationStale, ObligationDepositsEmpty, InvalidObligationCollateral,
 *   ObligationCollateralEmpty, ObligationInObsoleteReserve, NetValueRemainingTooSmall
 * @see klend programs/klend/src/lending_market/lending_operations.rs `withdraw_obligation_collateral`
 */
export function takeCollateral(
  context: InvokeContext,
  market: KlendMarket,
  reserve: { readonly address: Address; readonly state: KlendReserve },
  obligation: KlendObligation,
  wanted: bigint,
): Withdrawal {
  check(wanted !== 0n, 'InvalidAmount');
  check(!isStale(reserve.state.lastUpdate, context.slot), 'ReserveStale');
  check(!isStale(obligation.lastUpdate, context.slot), 'ObligationStale');
  check(!hasNoDeposits(obligation), 'ObligationDepositsEmpty');
  const at = obligation.deposits.findIndex(({ depositReserve }) => depositReserve === reserve.address);
  check(at >= 0, 'InvalidObligationCollateral');
  const deposit = depositAt(obligation, at);
  check(deposit.depositedAmount !== 0n, 'ObligationCollateralEmpty');
  const isStuck = obligation.numOfObsoleteDepositReserves > 0 || obligation.numOfObsoleteBorrowReserves > 0;
  check(!(isStuck && reserve.state.config.status === ACTIVE), 'ObligationInObsoleteReserve');
  const cTokens = wanted < deposit.depositedAmount ? wanted : deposit.depositedAmount;
  const left = deposit.depositedAmount - cTokens;
  const taken = valueOfCTokens(reserve.state, cTokens);
  if (taken > obligation.depositedValueSf) panic(context, 'more is taken than was there');
  if (left > 0n && deposit.marketValueSf > 0n) {
    if (taken > deposit.marketValueSf) panic(context, 'more is taken than was there');
    assertWorthwhile(deposit.marketValueSf - taken, market);
  }
  const emptied = { ...deposit, depositReserve: NO_KEY, depositedAmount: 0n, marketValueSf: 0n };
  const rest = left === 0n ? cleared(emptied) : { ...deposit, depositedAmount: left };
  return { obligation: markStale(withDeposit(obligation, at, rest)), cTokens };
}

export function hasNoDeposits({ deposits }: KlendObligation): boolean {
  return deposits.every(({ depositReserve }) => depositReserve === NO_KEY);
}

function assertWorthwhile(valueSf: bigint, market: KlendMarket): void {
  check(valueSf === 0n || valueSf >= market.minNetValueInObligationSf, 'NetValueRemainingTooSmall');
}

function slotFor({ deposits }: KlendObligation, reserve: Address): number {
  const known = deposits.findIndex(({ depositReserve }) => depositReserve === reserve);
  const free = known >= 0 ? known : deposits.findIndex(({ depositReserve }) => depositReserve === NO_KEY);
  return free >= 0 ? free : fail('ObligationReserveLimit');
}

function depositAt({ deposits }: KlendObligation, at: number): Deposit {
  const deposit = deposits[at];
  if (deposit === undefined) throw new RangeError(`An obligation has ${deposits.length} deposits, not one at ${at}`);
  return deposit;
}

function cleared(deposit: Deposit): Deposit {
  return {
    ...deposit,
    borrowedAmountAgainstThisCollateralInElevationGroup: 0n,
    padding: new Uint8Array(deposit.padding.length),
  };
}

function withDeposit(obligation: KlendObligation, at: number, deposit: Deposit): KlendObligation {
  return { ...obligation, deposits: obligation.deposits.with(at, deposit) };
}
