import { WINDOW_MS } from './handfuls.ts';
import type { Verdict } from './rate-limiter.ts';

/**
 * How a client stands after a request: what is allowed, what is left of it, and until when the next is given back; and, refused, when to
 * come again.
 * @see draft-ietf-httpapi-ratelimit-headers-11
 */
export function rateHeaders(verdict: Verdict): Readonly<Record<string, string>> {
  const { states } = verdict;
  return {
    'ratelimit-policy': states.map(({ scope, limit }) => `"${scope}";q=${limit};w=${WINDOW_MS / 1_000}`).join(', '),
    ratelimit: states.map(({ scope, remaining, resetS }) => `"${scope}";r=${remaining};t=${resetS}`).join(', '),
    ...(!verdict.accepted && { 'retry-after': String(verdict.retryAfterS) }),
  };
}
