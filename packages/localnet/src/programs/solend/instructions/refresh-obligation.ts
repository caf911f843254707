import { smallerOf } from '@lending/domain';
import { refreshSolendObligation, type SolendObligation, type SolendReserve } from '@lending/programs';
import {
  addWads,
  divideWads,
  multiplyWads,
  solendBorrowWeight,
  solendLowerPrice,
  solendReceiptsPerToken,
  solendUpperPrice,
  solendValueAt,
  WAD,
  wadsOfPercent,
} from '@lending/venues';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import type { InvokeContext } from '#engine/program.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { accountAt } from '../../account-list.ts';
import { check } from '../solend-error.ts';
import {
  loadObligation,
  type ObligationBorrow,
  type ObligationDeposit,
  storeObligation,
} from '../state/obligation-state.ts';
import { loadReserve } from '../state/reserve-state.ts';
import { accrueDebt } from '../steps/accrue-debt.ts';
import { attributeBorrows } from '../steps/borrow-attribution.ts';
import { isStale } from '../steps/staleness.ts';

/** USD, wads: what one obligation may owe at most, and where its debt counts as unhealthy at the latest. */
const MAX_ALLOWED_VALUE = 65_000_000n * WAD;
const MAX_UNHEALTHY_VALUE = 70_000_000n * WAD;

/** Values all of an obligation at the prices of its reserves, which were refreshed in this slot, and drops what has become nothing. */
export const refreshObligation = defineProgramInstruction({
  layout: refreshSolendObligation,
  run(context) {
    const account = accountAt(context.accounts, 0);
    const stored = loadObligation(account);
    check(context, account.owner === context.programId, 'InvalidAccountOwner');
    const reserves = context.accounts.slice(1);
    const deposits = stored.deposits.map((deposit, index) =>
      valueDeposit(deposit, takeReserve(context, accountAt(reserves, index), deposit.depositReserve)),
    );
    const borrows = stored.borrows.map((borrow, index) => {
      const reserve = accountAt(reserves, deposits.length + index);
      return { ...valueBorrow(context, borrow, takeReserve(context, reserve, borrow.borrowReserve)), key: reserve.key };
    });
    check(context, reserves.length <= deposits.length + borrows.length, 'InvalidAccountInput');

    const valued: SolendObligation = {
      ...stored,
      lastUpdate: { slot: context.slot.slot, stale: 0 },
      deposits: deposits.map(({ deposit }) => deposit),
      borrows: borrows.map(({ borrow }) => borrow),
      depositedValue: sum(deposits.map(({ deposit }) => deposit.marketValue)),
      borrowedValue: sum(borrows.map(({ weighted }) => weighted)),
      unweightedBorrowValue: sum(borrows.map(({ borrow }) => borrow.marketValue)),
      borrowedValueUpperBound: sum(borrows.map(({ upper }) => upper)),
      borrowingIsolatedAsset: borrows.some(({ isIsolated }) => isIsolated) ? 1 : 0,
      allowedBorrowValue: smallerOf(sum(deposits.map(({ allowed }) => allowed)), MAX_ALLOWED_VALUE),
      unhealthyBorrowValue: smallerOf(sum(deposits.map(({ unhealthy }) => unhealthy)), MAX_UNHEALTHY_VALUE),
      superUnhealthyBorrowValue: smallerOf(sum(deposits.map(({ worst }) => worst)), MAX_UNHEALTHY_VALUE),
    };
    const { obligation, isCloseLimitExceeded } = attributeBorrows(context, valued, reserves);
    storeObligation(account, {
      ...obligation,
      closeable: isCloseLimitExceeded ? obligation.closeable : 0,
      deposits: obligation.deposits.filter(({ depositedAmount }) => depositedAmount > 0n),
      borrows: heaviestFirst(obligation.borrows, borrows).filter(({ borrowedAmountWads }) => borrowedAmountWads > 0n),
    });
  },
});

/** @throws InstructionError */
function takeReserve(context: InvokeContext, account: InstructionAccount, expected: string): SolendReserve {
  check(context, account.owner === context.programId, 'InvalidAccountOwner');
  check(context, account.address === expected, 'InvalidAccountInput');
  const reserve = loadReserve(account);
  check(context, !isStale(context, reserve), 'ReserveStale');
  return reserve;
}

/** A deposit at today's price, and what may be owed against it: by its lower price to borrow, by the price itself to stay healthy. */
function valueDeposit(deposit: ObligationDeposit, reserve: SolendReserve) {
  const { config, maxLiquidationThreshold, liquidity } = reserve;
  const tokens = divideWads(deposit.depositedAmount * WAD, solendReceiptsPerToken(reserve));
  const marketValue = solendValueAt(liquidity.marketPrice, tokens, reserve);
  const lowerValue = solendValueAt(solendLowerPrice(reserve), tokens, reserve);
  return {
    deposit: { ...deposit, marketValue },
    allowed: multiplyWads(lowerValue, wadsOfPercent(config.loanToValueRatio)),
    unhealthy: multiplyWads(marketValue, wadsOfPercent(config.liquidationThreshold)),
    worst: multiplyWads(marketValue, wadsOfPercent(maxLiquidationThreshold)),
  };
}

function valueBorrow(context: InvokeContext, stored: ObligationBorrow, reserve: SolendReserve) {
  const borrow = accrueDebt(context, stored, reserve.liquidity.cumulativeBorrowRateWads);
  const marketValue = solendValueAt(reserve.liquidity.marketPrice, borrow.borrowedAmountWads, reserve);
  const upperValue = solendValueAt(solendUpperPrice(reserve), borrow.borrowedAmountWads, reserve);
  const weight = solendBorrowWeight(reserve);
  return {
    borrow: { ...borrow, marketValue },
    weighted: multiplyWads(marketValue, weight),
    upper: multiplyWads(upperValue, weight),
    isIsolated: reserve.reserveType === 1,
    addedWeightBps: reserve.addedBorrowWeightBps,
  };
}

/** Liquidators repay the first debt: that is the one of the heaviest reserve, among equals the one of the greatest address. */
function heaviestFirst(
  borrows: readonly ObligationBorrow[],
  weights: readonly { readonly addedWeightBps: bigint; readonly key: Uint8Array }[],
): ObligationBorrow[] {
  let heaviest: number | null = null;
  for (const [index, { addedWeightBps, key }] of weights.entries()) {
    if ((borrows[index]?.borrowedAmountWads ?? 0n) === 0n) continue;
    const other = heaviest === null ? undefined : weights[heaviest];
    const isHeavier =
      other === undefined ||
      addedWeightBps > other.addedWeightBps ||
      (addedWeightBps === other.addedWeightBps && Buffer.compare(key, other.key) > 0);
    if (isHeavier) heaviest = index;
  }
  if (heaviest === null) return [...borrows];
  const [first, chosen] = [borrows[0], borrows[heaviest]] as [ObligationBorrow, ObligationBorrow];
  return [...borrows].with(heaviest, first).with(0, chosen);
}

function sum(values: readonly bigint[]): bigint {
  return values.reduce(addWads, 0n);
}
