import { LendingError } from '@lending/errors';
import type { FoundSwap, SwapFinder, SwapRequest } from '@lending/transactions';
import { beforeEach, describe, expect, it } from 'vitest';
import { applySwapPolicy } from './apply-swap-policy.ts';
import { findWithinPolicy } from './find-within-policy.ts';

const PERCENT = 10n ** 16n;
const WANTED = { maxPriceImpactE18: PERCENT } as SwapRequest;
/** What the market offers: a half per cent of impact, and a dearer one of a tenth. */
const OFFERS = [PERCENT / 2n, PERCENT / 10n];
let bounds: bigint[];
let failure: LendingError | null;

beforeEach(() => {
  bounds = [];
  failure = null;
});

const swaps: SwapFinder = {
  async find({ maxPriceImpactE18 }) {
    bounds.push(maxPriceImpactE18);
    if (failure !== null) throw failure;
    const impact = OFFERS.find((each) => each <= maxPriceImpactE18);
    if (impact === undefined) throw new LendingError('ACTION__SWAP_UNAVAILABLE');
    return offer(impact);
  },
};

function offer(priceImpactE18: bigint | null): FoundSwap {
  return { route: { quote: { priceImpactE18 } }, tried: [], lossBps: 0 } as unknown as FoundSwap;
}

const find = (maxPriceImpactPct: number | null) => findWithinPolicy(swaps, WANTED, { maxPriceImpactPct });

describe('a policy of price impact', () => {
  it.each([
    [null, [PERCENT], PERCENT / 2n],
    [0.5, [PERCENT / 2n], PERCENT / 2n],
    // The best of all costs more; another will do.
    [0.2, [PERCENT / 5n], PERCENT / 10n],
    [0.1, [PERCENT / 10n], PERCENT / 10n],
    // Looser than the service's own: that holds.
    [50, [PERCENT], PERCENT / 2n],
    // Nothing keeps to it: the best is found, to say by how much.
    [0.05, [PERCENT / 20n, PERCENT], PERCENT / 2n],
  ])('of %s percent', async (percent, asked, impact) => {
    expect((await find(percent)).route.quote.priceImpactE18).toBe(impact);
    expect(bounds).toEqual(asked);
  });

  it('hides no other failure', async () => {
    failure = new LendingError('SWAP__UNAVAILABLE');
    await expect(find(0.1)).rejects.toBe(failure);
    expect(bounds).toHaveLength(1);
  });

  it('refuses what does not keep to it, with the figure, and what nobody tells', () => {
    const apply = (found: FoundSwap | null, percent: number | null) => () =>
      applySwapPolicy(
        { maxPriceImpactPct: percent, maxSlippageBps: null, minHealthRatioAfter: null },
        { found },
        'svc_loop',
      );
    expect(apply(offer(PERCENT / 2n), 0.49)).toThrow(
      expect.objectContaining({
        code: 'ACTION__POLICY_INVALID',
        context: expect.objectContaining({ price_impact_pct: 0.5 }),
      }),
    );
    expect(apply(offer(null), 0.49)).toThrow(expect.objectContaining({ code: 'ACTION__POLICY_INVALID' }));
    for (const passing of [apply(offer(PERCENT / 2n), 0.5), apply(offer(null), null), apply(null, 0)]) passing();
  });
});
