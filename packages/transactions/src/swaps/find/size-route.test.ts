import { describe, expect, it } from 'vitest';
import { makeRequest } from '../testing/made-aggregators.ts';
import type { Attempt } from './attempt.ts';
import { sizeRoute } from './size-route.ts';

/** A swap of one for one whose minimum is half a per cent below the quote, rounded down. */
const oneForOne = async (inBase: bigint): Promise<Attempt> => ({
  kind: 'candidate',
  route: {
    quote: {
      ...{ aggregator: 'jupiter', inBase, outBase: inBase, minOutBase: (inBase * 9_950n) / 10_000n },
      ...{ slippageBps: 50, priceImpactE18: null, fee: null, contextSlot: null, labels: [], requestId: null },
    },
    setup: [],
    swap: [],
    lookupTables: [],
  },
});

describe('sizeRoute', () => {
  it.each([1n, 2n, 3n, 10n, 1_000n, 10n ** 15n])('finds what covers %s units', async (neededOut) => {
    const found = await sizeRoute(oneForOne, makeRequest({ neededOut, maxInBase: null }), neededOut);
    expect(found).toMatchObject({ kind: 'candidate' });
    if (found.kind === 'candidate') expect(found.route.quote.minOutBase).toBeGreaterThanOrEqual(neededOut);
  });

  it('gives no more than there is', async () => {
    const found = await sizeRoute(oneForOne, makeRequest({ neededOut: 1n, maxInBase: 1n }), 1n);
    expect(found).toMatchObject({ kind: 'refused', reason: 'below_needed' });
  });
});
