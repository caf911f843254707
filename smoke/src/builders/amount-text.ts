/** Amounts of a smoke test need no more, and no token has to have them. */
const MOST_DECIMALS = 6;

/** A part of an amount as the decimal text that builders take, rounded down; null where nothing is left of it. */
export function amountText(amount: number | null | undefined, part: number, decimals: number): string | null {
  if (amount == null || !Number.isFinite(amount)) return null;
  const places = Math.min(decimals, MOST_DECIMALS);
  const scaled = Math.floor(amount * part * 10 ** places);
  if (scaled < 1 || !Number.isSafeInteger(scaled)) return null;
  const digits = String(scaled).padStart(places + 1, '0');
  return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}
