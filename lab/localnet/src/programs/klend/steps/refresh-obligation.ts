import { type KlendMarket, type KlendObligation, type KlendReserve, NO_KEY } from '@lending/programs';
import { multiplySf, sfOfPercent, toSf } from '@lending/venues';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import { InstructionError } from '#engine/instruction-error.ts';
import type { InvokeContext } from '#engine/program.ts';
import { loadAccount } from '#programs/anchor/account-reader.ts';
import { check, panic } from '../klend-error.ts';
import { RESERVE } from '../state/kinds.ts';
import { ALL_PRICE_CHECKS, isStale } from './last-update.ts';
import { valueOfCTokens } from './obligation-collateral.ts';

type Deposit = KlendObligation['deposits'][number];

/** What the deposits so far come to. */
interface Sums {
  readonly deposited: bigint;
  readonly allowedBorrow: bigint;
  readonly unhealthyBorrow: bigint;
  readonly lowestThresholdPct: number;
  readonly lowestLtvPct: number;
  readonly obsolete: number;
  readonly checks: number;
  readonly isBorrowingDisabled: boolean;
}

const NOTHING: Sums = {
  deposited: 0n,
  allowedBorrow: 0n,
  unhealthyBorrow: 0n,
  lowestThresholdPct: 255,
  lowestLtvPct: 255,
  obsolete: 0,
  checks: ALL_PRICE_CHECKS,
  isBorrowingDisabled: false,
};
const OBSOLETE = 1;
const NO_BORROW_FACTOR_PCT = 100n;

/**
 * Values an obligation anew from its reserves, each refreshed in this slot. Debts and elevation groups are not modelled: nothing on the
 * chain makes them, and an obligation that has one ends as the program stopping.
 * @param reserves of the deposits, in their order.
 * @throws AnchorError InvalidAccountInput, ReserveStale, ReserveDeprecated
 * @see klend programs/klend/src/lending_market/lending_operations.rs `refresh_obligation`
 */
export function refreshObligation(
  context: InvokeContext,
  obligation: KlendObligation,
  market: KlendMarket,
  reserves: readonly InstructionAccount[],
): KlendObligation {
  const isPlain = obligation.elevationGroup === 0 && obligation.borrows.every((each) => each.borrowReserve === NO_KEY);
  if (!isPlain) panic(context, 'debts and elevation groups are not modelled');
  const active = obligation.deposits.filter(({ depositReserve }) => depositReserve !== NO_KEY);
  check(reserves.length === active.length, 'InvalidAccountInput');
  const states = reserves.map((account) => loadReserve(context, account));
  let sums = NOTHING;
  let next = 0;
  const deposits = obligation.deposits.map((deposit) => {
    if (deposit.depositReserve === NO_KEY) return deposit;
    const [account, reserve] = [reserves[next], states[next]];
    next += 1;
    if (account === undefined || reserve === undefined) return deposit;
    check(account.isWritable && account.address === deposit.depositReserve, 'InvalidAccountInput');
    check(!isStale(reserve.lastUpdate, context.slot), 'ReserveStale');
    check(reserve.version === 1n, 'ReserveDeprecated');
    const valued = { ...deposit, marketValueSf: valueOfCTokens(reserve, deposit.depositedAmount) };
    sums = addDeposit(sums, valued, reserve, market);
    return valued;
  });
  return {
    ...obligation,
    deposits,
    depositedValueSf: sums.deposited,
    borrowedAssetsMarketValueSf: 0n,
    borrowFactorAdjustedDebtValueSf: 0n,
    allowedBorrowValueSf: smaller(sums.allowedBorrow, toSf(market.globalAllowedBorrowValue)),
    unhealthyBorrowValueSf: sums.unhealthyBorrow,
    lowestReserveDepositLiquidationLtv: BigInt(sums.lowestThresholdPct),
    lowestReserveDepositMaxLtvPct: sums.lowestLtvPct,
    numOfObsoleteBorrowReserves: 0,
    numOfObsoleteDepositReserves: sums.obsolete,
    borrowingDisabled: sums.isBorrowingDisabled ? 1 : 0,
    highestBorrowFactorPct: NO_BORROW_FACTOR_PCT,
    lastUpdate: { ...obligation.lastUpdate, slot: context.slot.slot, stale: 0, priceStatus: sums.checks },
  };
}

function addDeposit(sums: Sums, { marketValueSf }: Deposit, reserve: KlendReserve, market: KlendMarket): Sums {
  const { loanToValuePct, liquidationThresholdPct, status, disableUsageAsCollOutsideEmode } = reserve.config;
  const counts = marketValueSf >= toSf(market.minValueSkipLiquidationLtvChecks) && liquidationThresholdPct > 0;
  return {
    deposited: sums.deposited + marketValueSf,
    allowedBorrow: sums.allowedBorrow + multiplySf(marketValueSf, sfOfPercent(loanToValuePct)),
    unhealthyBorrow: sums.unhealthyBorrow + multiplySf(marketValueSf, sfOfPercent(liquidationThresholdPct)),
    lowestThresholdPct: counts ? Math.min(sums.lowestThresholdPct, liquidationThresholdPct) : sums.lowestThresholdPct,
    lowestLtvPct: Math.min(sums.lowestLtvPct, loanToValuePct),
    obsolete: sums.obsolete + (status === OBSOLETE ? 1 : 0),
    checks: sums.checks & reserve.lastUpdate.priceStatus,
    isBorrowingDisabled: sums.isBorrowingDisabled || disableUsageAsCollOutsideEmode > 0,
  };
}

/** The program takes it for granted that these are reserves, and stops where they are not. */
function loadReserve(context: InvokeContext, account: InstructionAccount): KlendReserve {
  try {
    return loadAccount(context, account, RESERVE).load().read();
  } catch (error) {
    if (error instanceof InstructionError) return panic(context, 'not a reserve');
    throw error;
  }
}

function smaller(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}
