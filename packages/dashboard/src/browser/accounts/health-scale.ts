/** Where a health ratio stands between liquidation and safety, as the service's words for it have it. */
export const HEALTH_STATUSES = ['liquidatable', 'critical', 'warning', 'moderate', 'healthy'] as const;
type RatedStatus = (typeof HEALTH_STATUSES)[number];

/** Ends of the bands, and the share of the scale up to which each reaches: near the line small moves count, far from it none do. */
const BANDS = [
  { status: 'liquidatable', until: 1, share: 0.2 },
  { status: 'critical', until: 1.1, share: 0.35 },
  { status: 'warning', until: 1.25, share: 0.5 },
  { status: 'moderate', until: 2, share: 0.75 },
  { status: 'healthy', until: 4, share: 1 },
] as const;
const LOWEST = 0.5;

/** A band of the scale: its word, its ratios, and where it lies, both from 0 to 1. */
interface HealthBand {
  readonly status: RatedStatus;
  readonly from: number;
  readonly until: number;
  readonly start: number;
  readonly end: number;
}

export const HEALTH_BANDS: readonly HealthBand[] = BANDS.map(({ status, until, share }, index) => {
  const before = BANDS[index - 1];
  return { status, from: before?.until ?? LOWEST, until, start: before?.share ?? 0, end: share };
});

/** Where on the scale a ratio stands, from 0 to 1; what is beyond either end stands at it. Null (no debt) is the far end. */
export function placeOnScale(ratio: number | null): number {
  if (ratio === null) return 1;
  const band = HEALTH_BANDS.find(({ until }) => ratio < until) ?? HEALTH_BANDS.at(-1);
  if (band === undefined) return 1;
  const within = Math.min(1, Math.max(0, (ratio - band.from) / (band.until - band.from)));
  return band.start + within * (band.end - band.start);
}
