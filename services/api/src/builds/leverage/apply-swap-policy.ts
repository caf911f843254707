import { formatFraction } from '@lending/domain';
import { LendingError } from '@lending/errors';
import type { FoundSwap } from '@lending/transactions';
import type { BuildPolicy } from '../build-request.ts';

const HUNDRED = 100n;

/**
 * Refuses a swap that costs more by its own size than the caller's policy has it. One whose impact nobody tells does not pass.
 * @throws ACTION__POLICY_INVALID with the figure and the line.
 */
export function applySwapPolicy(
  { maxPriceImpactPct }: BuildPolicy,
  { found }: { readonly found: FoundSwap | null },
  callName: string,
): void {
  if (maxPriceImpactPct === null || found === null) return;
  const { priceImpactE18 } = found.route.quote;
  const impactPct = priceImpactE18 === null ? null : Number(formatFraction(priceImpactE18 * HUNDRED));
  if (impactPct !== null && impactPct <= maxPriceImpactPct) return;
  throw new LendingError('ACTION__POLICY_INVALID', {
    message: `The swap's price impact is ${impactPct ?? 'unknown'} percent, above policy.max_price_impact_pct — allowed: swaps with at most ${maxPriceImpactPct} percent — lower amount or leverage, or raise the policy, and call ${callName} again`,
    context: {
      policy: 'max_price_impact_pct',
      max_price_impact_pct: maxPriceImpactPct,
      price_impact_pct: impactPct,
    },
  });
}
