/** Without a word of theirs. */
const DEFAULT_WAIT_MS = 2_000;
/** Whatever they say: both limits are sliding windows of a minute. */
const MAX_WAIT_MS = 60_000;

/**
 * When a limited aggregator may be asked again, ms since 1970. Jupiter says in `x-ratelimit-reset` the second at which a slot
 * frees; others say `retry-after` in seconds or as a date.
 */
export function retryAtMs(headers: Headers, nowMs: number): number {
  const at = fromReset(headers.get('x-ratelimit-reset')) ?? fromRetryAfter(headers.get('retry-after'), nowMs);
  const wait = at === null ? DEFAULT_WAIT_MS : at - nowMs;
  // A clock that runs ahead of theirs sees a reset in the past.
  return nowMs + Math.min(Math.max(wait, 1_000), MAX_WAIT_MS);
}

function fromReset(text: string | null): number | null {
  return text !== null && /^\d{1,12}$/.test(text) ? Number(text) * 1_000 : null;
}

function fromRetryAfter(text: string | null, nowMs: number): number | null {
  if (text === null) return null;
  if (/^\d{1,9}$/.test(text)) return nowMs + Number(text) * 1_000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : at;
}
