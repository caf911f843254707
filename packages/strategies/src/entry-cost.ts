/** A mean year, so that a year of hours and of days are the same time. */
const DAYS_A_YEAR = 365.25;

/** What it costs to get in, by part, basis points of what is borrowed. */
export interface BorrowCosts {
  readonly originationFeeBps: number;
  /** Null where there is a swap that was never quoted. */
  readonly swapBps: number | null;
}

/** Basis points of own capital: nothing is borrowed or swapped at a leverage of 1, whatever it would cost. Null where that is not known. */
export function entryBpsAt({ originationFeeBps, swapBps }: BorrowCosts, leverageHundredths: bigint): number | null {
  if (leverageHundredths <= 100n) return 0;
  if (swapBps === null) return null;
  return (Number(leverageHundredths) / 100 - 1) * (originationFeeBps + swapBps);
}

/** Days until a net yield, percent a year, has paid for it; null where it never does. A market that gave more is paid for at once. */
export function breakEvenDays(entryBps: number | null, netApyPct: number): number | null {
  if (entryBps === null || netApyPct <= 0) return null;
  return (Math.max(0, entryBps) / 100 / netApyPct) * DAYS_A_YEAR;
}
