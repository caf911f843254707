/** How far back the charts go, and in which steps: some hundred points each, so that none is thinner than a dot nor more than an answer holds. */
export const RANGES = {
  '24h': { label: '24h', words: '24 hours', hours: 24, interval: '1m', stepSeconds: 60 },
  '7d': { label: '7d', words: '7 days', hours: 7 * 24, interval: '1h', stepSeconds: 3_600 },
  '30d': { label: '30d', words: '30 days', hours: 30 * 24, interval: '1h', stepSeconds: 3_600 },
  '90d': { label: '90d', words: '90 days', hours: 90 * 24, interval: '1d', stepSeconds: 86_400 },
  '1y': { label: '1y', words: 'a year', hours: 365 * 24, interval: '1d', stepSeconds: 86_400 },
} as const;
export type RangeKey = keyof typeof RANGES;
export const DEFAULT_RANGE: RangeKey = '24h';

/** Of a bucket, what is drawn; the rest stays where it is. */
const FIELDS = [
  'deposit_apy_pct',
  'borrow_apy_pct',
  'native_apy_pct',
  'emissions_apy_pct',
  'utilization_pct',
  'deposits',
  'borrows',
  'price_usd',
  'exchange_rate',
];

/** The range of the page's URL; what it does not know is as if it were not there. */
export function readRange(text: string | null): RangeKey {
  return text !== null && Object.hasOwn(RANGES, text) ? (text as RangeKey) : DEFAULT_RANGE;
}

/** Where a range begins, ms since 1970: so that with the step that `nowMs` falls in, it is as long as its name says. */
export function startOf(range: RangeKey, nowMs: number): number {
  const { hours, stepSeconds } = RANGES[range];
  const stepMs = stepSeconds * 1000;
  return Math.floor(nowMs / stepMs) * stepMs + stepMs - hours * 3_600_000;
}

/** The path that answers a range up to now. It is the same while `nowMs` stays in one step. */
export function historyPath(address: string, range: RangeKey, nowMs: number): string {
  const { interval } = RANGES[range];
  const start = new Date(startOf(range, nowMs)).toISOString();
  return `/v1/banks/${address}/history?interval=${interval}&start=${start}&format=columns&fields=${FIELDS.join(',')}`;
}
