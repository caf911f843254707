/** An amount the program told as a float, to the nearest base unit; null for what is no amount. */
export function baseUnitsOf(shown: number): bigint | null {
  return Number.isFinite(shown) && shown >= 0 && shown < 2 ** 64 ? BigInt(Math.round(shown)) : null;
}
