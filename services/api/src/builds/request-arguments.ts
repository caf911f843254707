import { createHash } from 'node:crypto';
import { type BuildRequest, isLeverageRequest } from './build-request.ts';

/** What tells two requests apart, as read: `1.50` is `1.5`, a number its digits that count, and a default is the same named or left out. */
export function hashArguments(request: BuildRequest, previewOnly: boolean): string {
  const { kind, authority, account, amount, policy, priorityFee, version } = request;
  const { minHealthRatioAfter, maxSlippageBps, maxPriceImpactPct } = policy;
  const parts = [
    kind,
    authority,
    account,
    ...ownParts(request),
    amount,
    [minHealthRatioAfter, maxSlippageBps, maxPriceImpactPct],
    String(priorityFee),
    version,
    previewOnly,
  ];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

function ownParts(request: BuildRequest): readonly unknown[] {
  if (!isLeverageRequest(request)) return [request.bank];
  const { createsAccount, depositBank, borrowBank, leverage, surplus } = request;
  return [createsAccount, depositBank, borrowBank, leverage, surplus];
}

/** What an idempotency key is found by: the key itself is the caller's, and may be anything, a token by mistake. */
export function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('base64');
}
