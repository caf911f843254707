import { LendingError } from '@lending/errors';
import type { RateScope, Verdict } from './rate-limiter.ts';

const SCOPE_WORDS: Readonly<Record<RateScope, string>> = {
  mcp: 'of /mcp',
  v1: 'of /v1',
  tx: 'of /v1/tx',
  leverage: 'for loops and closes',
};

/** What a caller is told who has nothing left. */
export function rateExceeded({ scope, limit, retryAfterS }: Verdict & { readonly accepted: false }): LendingError {
  return new LendingError('CALLER__RATE_EXCEEDED', {
    message: `Too many requests ${SCOPE_WORDS[scope]} — allowed: ${limit} in any 60 seconds — wait ${retryAfterS} seconds and send it again`,
    context: { scope, limit, retry_after_s: retryAfterS },
  });
}
