import { smallerOf } from '@lending/domain';
import { refreshSolendObligation, type SolendReserve } from '@lending/programs';
import {
  addWads,
  divideWads,
  multiplyWads,
  solendLowerPrice,
  solendReceiptsPerToken,
  solendValueAt,
  WAD,
  wadsOfPercent,
} from '@lending/venues';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import type { InvokeContext } from '#engine/program.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { accountAt } from '../../account-list.ts';
import { check } from '../solend-error.ts';
import { loadObligation, loadReserve, type ObligationDeposit, storeObligation, storeReserve } from '../state.ts';
import { isStale } from '../steps.ts';

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
    check(context, reserves.length <= deposits.length, 'InvalidAccountInput');
    storeObligation(account, {
      ...stored,
      lastUpdate: { slot: context.slot.slot, stale: 0 },
      deposits: deposits.map(({ deposit }) => deposit).filter(({ depositedAmount }) => depositedAmount > 0n),
      depositedValue: sum(deposits.map(({ deposit }) => deposit.marketValue)),
      borrowedValue: 0n,
      unweightedBorrowValue: 0n,
      borrowedValueUpperBound: 0n,
      borrowingIsolatedAsset: 0,
      closeable: 0,
      allowedBorrowValue: smallerOf(sum(deposits.map(({ allowed }) => allowed)), MAX_ALLOWED_VALUE),
      unhealthyBorrowValue: smallerOf(sum(deposits.map(({ unhealthy }) => unhealthy)), MAX_UNHEALTHY_VALUE),
      superUnhealthyBorrowValue: smallerOf(sum(deposits.map(({ worst }) => worst)), MAX_UNHEALTHY_VALUE),
    });
  },
});

/** @throws InstructionError */
function takeReserve(context: InvokeContext, account: InstructionAccount, expected: string): SolendReserve {
  check(context, account.owner === context.programId, 'InvalidAccountOwner');
  check(context, account.address === expected, 'InvalidAccountInput');
  const reserve = loadReserve(account);
  check(context, !isStale(context, reserve), 'ReserveStale');
  storeReserve(account, reserve);
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

function sum(values: readonly bigint[]): bigint {
  return values.reduce(addWads, 0n);
}
