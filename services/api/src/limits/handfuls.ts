import type { PermitRequest } from '@lending/store';
import type { RateScope } from './rate-limiter.ts';
import { ANSWER_MS } from './shared-windows.ts';

/** How long a request counts. */
export const WINDOW_MS = 60_000;

/** How long requests that were granted by the handful may come. */
export const HANDFUL_MS = 1_000;

/** A limit is as many handfuls: few enough to be kept as rows, many enough for several processes to hold one each. */
const HANDFULS = 240;

/**
 * What to ask for `count` requests of one scope. Where the limit is large it is a handful, which spares those that follow a question: it
 * counts until a minute after the last of it may come, one that waits for its other scopes included.
 * @param room what is not known to be taken
 */
export function permitRequest(
  scope: RateScope,
  { limit, count, room }: { readonly limit: number; readonly count: number; readonly room: number },
): PermitRequest & { readonly scope: RateScope } {
  const handful = Math.floor(limit / HANDFULS);
  if (handful < 2) return { scope, limit, need: count, want: count, countsMs: WINDOW_MS };
  const want = Math.max(count, Math.min(handful, room));
  return { scope, limit, need: count, want, countsMs: WINDOW_MS + HANDFUL_MS + ANSWER_MS };
}
