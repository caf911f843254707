import { createHash } from 'node:crypto';
import type { ActionRequest } from './build-request.ts';

/** What tells two requests apart, as read: `1.50` is `1.5`, and a default is the same named or left out. */
export function hashArguments(request: ActionRequest, previewOnly: boolean): string {
  const { kind, authority, account, bank, amount, policy, priorityFee, version } = request;
  const { minHealthRatioAfter, maxSlippageBps, maxPriceImpactPct } = policy;
  const parts = [
    kind,
    authority,
    account,
    bank,
    amount,
    [minHealthRatioAfter, maxSlippageBps, maxPriceImpactPct],
    String(priorityFee),
    version,
    previewOnly,
  ];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
