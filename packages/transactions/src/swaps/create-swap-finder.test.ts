import { isLendingError } from '@lending/errors';
import { describe, expect, it } from 'vitest';
import { json, makeFinder, makeRequest } from './testing/made-aggregators.ts';

describe('createSwapFinder', () => {
  it('asks both at the same time, and takes what gives more for a unit', async () => {
    for (const [loser, winner] of [
      ['jupiter', 'dflow'],
      ['dflow', 'jupiter'],
    ] as const) {
      const { finder } = makeFinder({ [loser]: { lossPpm: 2_000n }, [winner]: { lossPpm: 500n } });
      const { route, tried, lossBps } = await finder.find(makeRequest());
      expect(route.quote.aggregator).toBe(winner);
      expect(lossBps).toBe(0);
      expect(tried).toMatchObject([
        { aggregator: winner, outcome: 'chosen', reason: null },
        { aggregator: loser, outcome: 'beaten', reason: null },
      ]);
    }
  });

  it('gives what is needed and hardly more, whatever the first guess', async () => {
    const { neededOut } = makeRequest();
    for (const inBase of [1n, 500_000n, 1_005_026n, 1_010_000n, 40_000_000n]) {
      const { finder, calls } = makeFinder({ dflow: null, jupiter: { lossPpm: 1_234n } });
      const { quote } = (await finder.find(makeRequest({ inBase }))).route;
      expect(quote.minOutBase).toBeGreaterThanOrEqual(neededOut);
      expect(quote.minOutBase).toBeLessThan(neededOut + neededOut / 1_000n + 300n);
      expect(calls.length).toBeLessThanOrEqual(3);
    }
  });

  it('survives one that is down, and says so', async () => {
    const down = { answer: () => Promise.reject(new TypeError('fetch failed')) };
    const { finder, notices } = makeFinder({ jupiter: down });
    const { route, tried } = await finder.find(makeRequest());
    expect(route.quote.aggregator).toBe('dflow');
    expect(tried).toContainEqual({
      aggregator: 'jupiter',
      outcome: 'failed',
      reason: 'unreachable',
      inBase: null,
      outBase: null,
    });
    expect(notices).toMatchObject([{ aggregator: 'jupiter', reason: 'unreachable', detail: 'fetch failed' }]);
  });

  it('tells that nobody answers from that there is no swap', async () => {
    const limited = { answer: () => json({}, { status: 429, headers: { 'retry-after': '7' } }) };
    const noRoute = { answer: () => json({ error: 'No routes found' }, { status: 400 }) };
    const silent = await failureOf(makeFinder({ jupiter: limited, dflow: limited }));
    expect(silent).toMatchObject({ code: 'SWAP__UNAVAILABLE', context: { retry_after_s: 7 } });
    const none = await failureOf(makeFinder({ jupiter: noRoute, dflow: limited }));
    expect(none).toMatchObject({
      code: 'ACTION__SWAP_UNAVAILABLE',
      context: {
        tried: [
          { aggregator: 'jupiter', outcome: 'failed', reason: 'no_route', out_raw: null },
          { aggregator: 'dflow', outcome: 'failed', reason: 'rate_limited', out_raw: null },
        ],
      },
    });
    expect(none.message).toMatch(
      /^No swap will do: Jupiter has no route; DFlow has had as many requests as its limit allows — allowed: .* — lower `amount`, or choose a more liquid pair$/,
    );
  });
});

async function failureOf({ finder }: ReturnType<typeof makeFinder>) {
  const error: unknown = await finder.find(makeRequest()).catch((caught: unknown) => caught);
  if (!isLendingError(error)) throw error;
  return error;
}
