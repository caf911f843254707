import { divideI80F48, divideWrappingI80F48, type I80F48, integerToI80F48 } from '@lending/domain';
import { OracleRefused } from './p0/oracle-refused.ts';
import type { VenueMultiplier } from './venue-rate.ts';

/** The program's table of powers of ten ends here. */
const MAX_DECIMALS = 23;

/**
 * Liquidity over receipts, each divided by 10^decimals first as the program does, so that the ratio carries the rounding of 48 bits.
 * @see marginfi-v2 type-crate/src/types/price.rs `scale_supplies`
 */
export function multiplierOfSupplies(liquidity: I80F48, receipts: bigint, decimals: number): VenueMultiplier | null {
  // The venue's own maths error has number 6000, which P0 reads as its own first one.
  if (decimals > MAX_DECIMALS) throw new OracleRefused('venue_rate_out_of_range', 'InternalLogicError');
  const scale = integerToI80F48(10n ** BigInt(decimals));
  const totalReceipts = divideI80F48(integerToI80F48(receipts), scale);
  const totalLiquidity = divideI80F48(liquidity, scale);
  return totalReceipts > 0n ? { kind: 'factor', value: divideWrappingI80F48(totalLiquidity, totalReceipts) } : null;
}
