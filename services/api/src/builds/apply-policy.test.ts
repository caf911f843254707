import type { Health } from '@lending/domain';
import { describe, expect, it } from 'vitest';
import { applyPolicy } from './apply-policy.ts';

const NO_POLICY = { minHealthRatioAfter: null, maxSlippageBps: null, maxPriceImpactPct: null };
const atLeast = (minHealthRatioAfter: number) => ({ ...NO_POLICY, minHealthRatioAfter });

function healthOf(assets: bigint, liabilities: bigint, isValued = true) {
  const ratio = !isValued || liabilities === 0n ? null : { numerator: assets, denominator: liabilities };
  const health = { maintenance: isValued ? { assets, liabilities } : null, ratio } as Health;
  return { health, factor: { numerator: 1n, denominator: 1n }, staleBanks: [] };
}

describe('applyPolicy', () => {
  it('passes exactly at the line, whatever floats make of it', () => {
    expect(() => applyPolicy(atLeast(1.1), healthOf(11n, 10n), 'svc_borrow')).not.toThrow();
    expect(() => applyPolicy(atLeast(1.1), healthOf(10_999_999_999_999_999_999n, 10n ** 19n), 'svc_borrow')).toThrow(
      expect.objectContaining({
        code: 'ACTION__POLICY_INVALID',
        context: expect.objectContaining({ min_health_ratio_after: 1.1, policy: 'min_health_ratio_after' }),
      }),
    );
  });

  it('passes an account without debt, and whoever has no policy', () => {
    expect(() => applyPolicy(atLeast(100), healthOf(0n, 0n), 'svc_deposit')).not.toThrow();
    expect(() => applyPolicy(NO_POLICY, healthOf(1n, 10n), 'svc_borrow')).not.toThrow();
  });

  it('refuses an account that cannot be valued', () => {
    expect(() => applyPolicy(atLeast(1), healthOf(1n, 1n, false), 'svc_borrow')).toThrow(
      expect.objectContaining({ context: expect.objectContaining({ health_ratio_after: null }) }),
    );
  });
});
