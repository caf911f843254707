import {
  divideI80F48,
  divideWrappingI80F48,
  floorI80F48,
  type I80F48,
  integerToI80F48,
  multiplyI80F48,
} from '@lending/domain';
import { OracleRefused } from './p0/oracle-refused.ts';
import type { VenueMultiplier } from './venue-rate.ts';

/** The program's table of powers of ten ends here. */
const MAX_DECIMALS = 23;

/** What a reserve has and how many receipts for it exist, base units. */
export interface ReceiptSupplies {
  readonly liquidity: I80F48;
  readonly receipts: bigint;
  readonly decimals: number;
}

/** Liquidity over receipts, with the rounding of the scaled supplies. */
export function multiplierOfSupplies(supplies: ReceiptSupplies): VenueMultiplier | null {
  // The venue's own maths error has number 6000, which P0 reads as its own first one.
  if (supplies.decimals > MAX_DECIMALS) throw new OracleRefused('venue_rate_out_of_range', 'InternalLogicError');
  const { liquidity, receipts } = scaled(supplies);
  return receipts > 0n ? { kind: 'factor', value: divideWrappingI80F48(liquidity, receipts) } : null;
}

/**
 * The tokens that P0's program takes receipts for, base units, rounded down; the venue itself may pay one more or less.
 * @throws DECODE__VALUE_OUT_OF_RANGE where the program's arithmetic ends.
 * @see marginfi-v2 type-crate/src/types/price.rs `collateral_to_liquidity_from_scaled`
 */
export function tokensOfSupplies(supplies: ReceiptSupplies, receiptsBase: bigint): bigint {
  const { liquidity, receipts } = scaled(supplies);
  return floorI80F48(divideI80F48(multiplyI80F48(integerToI80F48(receiptsBase), liquidity), receipts));
}

/**
 * Both divided by 10^decimals, as the program does first: what is made of them carries the rounding of 48 bits.
 * @see marginfi-v2 type-crate/src/types/price.rs `scale_supplies`
 */
function scaled({ liquidity, receipts, decimals }: ReceiptSupplies) {
  const scale = integerToI80F48(10n ** BigInt(decimals));
  return { liquidity: divideI80F48(liquidity, scale), receipts: divideI80F48(integerToI80F48(receipts), scale) };
}
