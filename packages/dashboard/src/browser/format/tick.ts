const few = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2, notation: 'compact' });

/** A percentage beside an axis: as many digits as its step needs, and no more. */
export function formatTickPct(value: number): string {
  return `${few.format(value).replace('-', '−')}%`;
}
