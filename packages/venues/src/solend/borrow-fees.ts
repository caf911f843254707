import { largerOf } from '@lending/domain';
import type { SolendReserve } from '@lending/programs';
import { divideRates, multiplyWads, roundWads, WAD, wadsOfPercent } from './wads.ts';

export interface SolendBorrowFees {
  /** Before it is rounded, wads. A loan that is not greater than this is too small to be made. */
  readonly feeWads: bigint;
  /** Base units, the host's part included. */
  readonly borrowFee: bigint;
  readonly hostFee: bigint;
}

/**
 * What a reserve charges once for a loan, on top of what the borrower receives or out of it.
 * @see solana-program-library (Solend's) token-lending/sdk/src/state/reserve.rs `calculate_fees`
 */
export function computeBorrowFees(
  reserve: SolendReserve,
  amountWads: bigint,
  fee: 'added' | 'included',
): SolendBorrowFees {
  const { borrowFeeWad, hostFeePercentage } = reserve.config.fees;
  if (borrowFeeWad === 0n || amountWads === 0n) return { feeWads: 0n, borrowFee: 0n, hostFee: 0n };
  const hostRate = wadsOfPercent(hostFeePercentage);
  const rate = fee === 'added' ? borrowFeeWad : divideRates(borrowFeeWad, borrowFeeWad + WAD);
  // A unit for either who takes part.
  const least = hostRate > 0n ? 2n : 1n;
  const feeWads = largerOf(multiplyWads(amountWads, rate), least * WAD);
  return {
    feeWads,
    borrowFee: roundWads(feeWads),
    hostFee: hostRate > 0n ? largerOf(roundWads(multiplyWads(feeWads, hostRate)), 1n) : 0n,
  };
}
