import type { BuildWarning, JudgedHealth } from '../build.ts';

/** A warning where a small fall of prices would let the account be liquidated. */
export function nearTheLine({ health }: JudgedHealth): readonly BuildWarning[] {
  if (health.status !== 'warning' && health.status !== 'critical' && health.status !== 'liquidatable') return [];
  return [
    {
      level: 'warning',
      code: 'LIQUIDATION_NEAR',
      message:
        'A small fall of the collateral would let the account be liquidated: repay or deposit to raise health_ratio above 1.25',
    },
  ];
}
