/** A price that the program shows as a double. */
export interface ShownPrice {
  /** Raw I80F48. */
  readonly raw: bigint;
  /** How far the program's own number may lie from it, in the same units. */
  readonly error: bigint;
}

/** What an I80F48 is over its raw integer. */
export const SCALE = 2 ** 48;
/** Bits that a double holds. */
const MANTISSA = 53;

/**
 * The fixed-point number that a double was made from: the very one below 32 USD, which doubles hold to the last bit, and above it the
 * nearest, give or take half of the double's last bit. Null for what no price is.
 */
export function fromShownPrice(shown: number): ShownPrice | null {
  if (!Number.isFinite(shown) || shown < 0) return null;
  const raw = BigInt(Math.round(shown * SCALE));
  const lost = raw.toString(2).length - MANTISSA;
  return { raw, error: lost <= 0 ? 0n : 1n << BigInt(lost - 1) };
}
