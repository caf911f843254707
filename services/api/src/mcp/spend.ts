import { LendingError } from '@lending/errors';
import type { RateLimiter, RateScope, Verdict } from '../limits/rate-limiter.ts';

/**
 * Takes `count` of a client's scope.
 * @throws CALLER__RATE_EXCEEDED with the scope, its limit and how long to wait.
 */
export async function spend(limiter: RateLimiter | null, client: string, scope: RateScope, count: number) {
  if (limiter === null) return;
  const verdict = await limiter.spend(client, [scope], count);
  if (!verdict.accepted) throw rateExceeded(verdict, count);
}

function rateExceeded({ scope, limit, retryAfterS }: Verdict & { readonly accepted: false }, count: number) {
  const allowed =
    count > limit
      ? `batches of at most ${limit} — call again with a shorter one, or with its messages one by one`
      : `the same after ${retryAfterS} seconds — wait as long and call again`;
  return new LendingError('CALLER__RATE_EXCEEDED', {
    message: `More than ${limit} of ${SCOPE_WORDS[scope]} in a minute — allowed: ${allowed}`,
    context: { scope, limit, retry_after_s: retryAfterS },
  });
}

const SCOPE_WORDS: Readonly<Record<RateScope, string>> = {
  mcp: 'messages to /mcp',
  v1: 'requests to /v1',
  tx: 'requests to /v1/tx',
  leverage: 'svc_loop and svc_close_position together',
};
