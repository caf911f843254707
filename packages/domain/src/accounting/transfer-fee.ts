import { smallerOf, U64_MAX } from '../integers.ts';

/** A Token-2022 mint's fee on transfers, as it stands in the epoch that is meant. */
export interface TransferFee {
  readonly basisPoints: number;
  readonly maximumFeeBase: bigint;
}

const ONE_IN_BASIS_POINTS = 10_000n;

/**
 * What must be sent so that `receivedBase` arrives, as the program works it out; `fee` null is a mint without one.
 * @returns null where the program stops: more than a u64.
 * @see marginfi-v2 programs/marginfi/src/utils/general.rs `calculate_pre_fee_amount`
 */
export function amountBeforeFee(fee: TransferFee | null, receivedBase: bigint): bigint | null {
  if (fee === null || fee.basisPoints === 0 || receivedBase === 0n) return receivedBase;
  const atMost = receivedBase + fee.maximumFeeBase;
  const kept = ONE_IN_BASIS_POINTS - BigInt(fee.basisPoints);
  const sent = kept <= 0n ? atMost : smallerOf((receivedBase * ONE_IN_BASIS_POINTS + kept - 1n) / kept, atMost);
  return sent > U64_MAX ? null : sent;
}

/** What arrives of `sentBase`; the fee is rounded up. */
export function amountAfterFee(fee: TransferFee | null, sentBase: bigint): bigint {
  if (fee === null || fee.basisPoints === 0 || sentBase === 0n) return sentBase;
  const rate = BigInt(fee.basisPoints);
  const taken = (sentBase * rate + ONE_IN_BASIS_POINTS - 1n) / ONE_IN_BASIS_POINTS;
  return sentBase - smallerOf(taken, fee.maximumFeeBase);
}
