import { toUiAmount, type Venue, venueApy } from '@lending/domain';

/** Exact decimal text becomes a float here, where it is shown, and nowhere before. Null stays null: unknown is not zero. */
export function shownNumber(text: string | null): number | null {
  if (text === null) return null;
  const value = Number(text);
  return Number.isFinite(value) ? value : null;
}

/** Decimals that a number of a configuration is sure of, by how the program keeps it: 2^-48, or one part of u32::MAX, is less than half of the last. */
const SURE_DECIMALS = { i80f48: 14, u32: 9 } as const;
/** Decimal places from a factor to the unit. */
const UNITS = { factor: 0, pct: 2, bps: 4 } as const;

/**
 * A ratio of a configuration as it was configured: 0.82, where what is kept of it is 0.82000000000000028. Amounts, rates and prices are
 * no configuration: nothing of them is rounded.
 */
export function shownConfigured(
  factor: string | number,
  unit: keyof typeof UNITS = 'factor',
  kept: keyof typeof SURE_DECIMALS = 'i80f48',
): number {
  const places = UNITS[unit];
  return Number((Number(factor) * 10 ** places).toFixed(SURE_DECIMALS[kept] - places));
}

/** A second since 1970, which is 0 where there is none, as ISO-8601 UTC; null where there is none, or no such time. */
export function shownTime(unixSeconds: string | bigint | null): string | null {
  const time = new Date(Number(unixSeconds ?? 0) * 1_000);
  return time.getTime() === 0 || Number.isNaN(time.getTime()) ? null : time.toISOString();
}

/** Base units as UI tokens: divided exactly, then shown. */
export function shownTokens(base: string | bigint | null, decimals: number): number | null {
  return base === null ? null : Number(toUiAmount(BigInt(base), decimals));
}

/** USD of an amount in UI tokens; null when either is unknown. */
export function shownUsd(tokens: number | null, priceUsd: number | null): number | null {
  return tokens === null || priceUsd === null ? null : tokens * priceUsd;
}

/** A fraction of one as percent. */
export function shownPct(fraction: string | number | null): number | null {
  const value = typeof fraction === 'string' ? shownNumber(fraction) : fraction;
  return value === null ? null : value * 100;
}

/** An APR (fraction of one) as APY in percent, by the convention of the venue that pays it. */
export function shownApyPct(apr: string | number | null, venue: Venue): number | null {
  const value = typeof apr === 'string' ? shownNumber(apr) : apr;
  return value === null ? null : venueApy(value, venue) * 100;
}

/** The sum of what is known; null when nothing is. */
export function sumKnown(parts: readonly (number | null)[]): number | null {
  const known = parts.filter((part) => part !== null);
  return known.length === 0 ? null : known.reduce((sum, part) => sum + part, 0);
}
