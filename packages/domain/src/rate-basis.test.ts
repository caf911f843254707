import { describe, expect, it } from 'vitest';
import { VENUES } from './bank.ts';
import { rateBasisOf, venueApr, venueApy } from './rate-basis.ts';

describe('venueApy', () => {
  // The recorded APRs and APYs of the venues' own SDKs on mainnet accounts: klend USDC at 400 ms, Save USDC synthetic, Drift USDC.
  it.each([
    ['kamino', 0.048739889, 0.049947213],
    ['solend', 0.0512, 0.052533379],
    ['drift', 0.058315, 0.060048859],
    ['juplend', 0.0442, 0.0442],
    ['p0', 0.1, (1 + 0.1 / 8766) ** 8766 - 1],
  ] as const)('compounds %s as the venue does', (venue, apr, apy) => {
    expect(venueApy(apr, venue)).toBeCloseTo(apy, 7);
  });

  it('keeps tiny rates', () => {
    expect(venueApy(1e-12, 'kamino')).toBeCloseTo(1e-12, 20);
  });
});

describe('rateBasisOf', () => {
  it('names each convention', () => {
    expect(rateBasisOf('drift')).toBe('apr_compounded_continuously');
    expect(rateBasisOf('solend')).toBe('apr_compounded_63072000_a_year');
  });
});

describe('venueApr', () => {
  it.each(VENUES)('takes back what venueApy did for %s', (venue) => {
    for (const apr of [0, 1e-9, 0.0487, 0.9, 4]) expect(venueApr(venueApy(apr, venue), venue)).toBeCloseTo(apr, 12);
  });
});
