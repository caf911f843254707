import { compareRatios, type Ratio, toShownRatio } from '@lending/domain';
import { LendingError } from '@lending/errors';
import type { JudgedHealth } from './build.ts';
import type { BuildPolicy } from './build-request.ts';

/**
 * Refuses what the caller's policy will not have. An account that owes nothing passes; one that cannot be valued does not, since
 * nobody can say that it keeps to the policy.
 * @throws ACTION__POLICY_INVALID with the figure and the line.
 */
export function applyPolicy({ minHealthRatioAfter }: BuildPolicy, { health }: JudgedHealth, callName: string): void {
  if (minHealthRatioAfter === null) return;
  const owesNothing = health.maintenance !== null && health.maintenance.liabilities === 0n;
  if (owesNothing) return;
  if (health.ratio !== null && compareRatios(health.ratio, decimalRatio(minHealthRatioAfter)) >= 0) return;
  const after = health.ratio === null ? null : toShownRatio(health.ratio);
  throw new LendingError('ACTION__POLICY_INVALID', {
    message: `health_ratio would be ${after ?? 'unknown'} after the action, below policy.min_health_ratio_after — allowed: actions that leave ${minHealthRatioAfter} or more — lower amount, or the policy, and call ${callName} again`,
    context: {
      policy: 'min_health_ratio_after',
      min_health_ratio_after: minHealthRatioAfter,
      health_ratio_after: after,
    },
  });
}

/** A number as the ratio its shortest decimal says. */
function decimalRatio(value: number): Ratio {
  const [whole = '0', decimals = ''] = decimalText(value).split('.');
  return { numerator: BigInt(whole + decimals), denominator: 10n ** BigInt(decimals.length) };
}

function decimalText(value: number): string {
  const text = String(value);
  return text.includes('e') ? value.toFixed(20) : text;
}
