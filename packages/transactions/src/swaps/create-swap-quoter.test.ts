import { describe, expect, it } from 'vitest';
import { createSwapQuoter, type SwapQuoterOptions, type SwapSize } from './create-swap-quoter.ts';
import type { AggregatorName } from './swap-route.ts';
import { FAIR, IN_MINT, json, type MadeAggregator, makeFinder, OUT_MINT } from './testing/made-aggregators.ts';

const IN_BASE = 1_000_000n;
const SIZE: SwapSize = {
  inMint: IN_MINT,
  outMint: OUT_MINT,
  inBase: IN_BASE,
  mostOutBase: (IN_BASE * FAIR * 103n) / 100n,
};
const KEYS = { jupiter: 'jup_key', dflow: 'dflow_key' };

function makeQuoter(
  made: Partial<Record<AggregatorName, MadeAggregator | null>> = {},
  options: Partial<SwapQuoterOptions> = {},
) {
  const world = makeFinder(made);
  const outcomes: string[] = [];
  const outages: (readonly [AggregatorName, string | null])[] = [];
  const urls = { jupiter: 'https://jupiter.test', dflow: 'https://dflow.test' };
  const quoter = createSwapQuoter({
    urls,
    keys: KEYS,
    fetch: world.fetch,
    now: () => world.time,
    onAnswer: (aggregator, outcome) => outcomes.push(`${aggregator} ${outcome}`),
    onOutage: (aggregator, error) => outages.push([aggregator, error?.message ?? null]),
    ...options,
  });
  const ask = (size: Partial<SwapSize> = {}) => quoter.ask({ ...SIZE, ...size }, new AbortController().signal);
  return { quoter, ask, world, outcomes, outages };
}

const fair = (lossPpm: bigint) => (IN_BASE * FAIR * (1_000_000n - lossPpm)) / 1_000_000n;

describe('createSwapQuoter', () => {
  it('asks both at the same time without a wallet, and has what gives more first', async () => {
    const { ask, world, outcomes } = makeQuoter({ jupiter: { lossPpm: 2_000n }, dflow: { lossPpm: 500n } });
    expect(await ask()).toEqual({
      quoted: [
        { aggregator: 'dflow', outBase: fair(500n) },
        { aggregator: 'jupiter', outBase: fair(2_000n) },
      ],
      noRoute: [],
      refused: [],
      failed: [],
    });
    const query = { inputMint: IN_MINT, outputMint: OUT_MINT, amount: `${IN_BASE}`, slippageBps: '50' };
    expect(world.calls).toEqual([
      { aggregator: 'jupiter', path: '/swap/v2/quote', query, key: 'jup_key', body: undefined },
      { aggregator: 'dflow', path: '/quote', query, key: 'dflow_key', body: undefined },
    ]);
    expect(outcomes.sort()).toEqual(['dflow quoted', 'jupiter quoted']);
  });

  it('asks Jupiter alone where there is no key, as DFlow’s own host answers nobody without one', async () => {
    const keys = { jupiter: null, dflow: null };
    const urls = { jupiter: 'https://jupiter.test', dflow: 'https://quote-api.dflow.net' };
    const { quoter, ask, world } = makeQuoter({}, { keys, urls });
    expect(quoter.isAble).toBe(true);
    expect((await ask()).quoted).toEqual([{ aggregator: 'jupiter', outBase: fair(0n) }]);
    expect(world.calls.map(({ aggregator, key }) => [aggregator, key])).toEqual([['jupiter', null]]);
  });

  it('tells that there is no route from that a mint is not known', async () => {
    const { ask } = makeQuoter({
      jupiter: { answer: () => json({ error: 'No routes found' }, { status: 400 }) },
      dflow: { answer: () => json({ code: 'invalid_output_mint', msg: 'no' }, { status: 400 }) },
    });
    expect(await ask()).toMatchObject({ quoted: [], noRoute: ['jupiter'], refused: ['dflow'], failed: [] });
  });

  it('has no use for a route that gives nothing', async () => {
    const none: MadeAggregator = { lossPpm: 1_000_000n };
    expect(await makeQuoter({ jupiter: none, dflow: none }).ask()).toMatchObject({
      quoted: [],
      noRoute: ['jupiter', 'dflow'],
    });
  });

  it('believes no quote of another trade, and none above what the input is worth', async () => {
    const wrong: MadeAggregator = {
      answer: (_call, own) => json({ ...(own() as object), inAmount: `${IN_BASE - 1n}` }),
    };
    const { ask, outcomes } = makeQuoter({ jupiter: wrong, dflow: { lossPpm: -30_001n } });
    expect(await ask()).toMatchObject({ quoted: [], refused: ['jupiter', 'dflow'] });
    expect(outcomes.sort()).toEqual(['dflow not_believed', 'jupiter not_believed']);
  });

  it('leaves who limits requests alone for as long as it says, and asks the other', async () => {
    const limited: MadeAggregator = {
      answer: () =>
        world.time < NOW + 7_000
          ? json({}, { status: 429, headers: { 'x-ratelimit-reset': `${(NOW + 7_000) / 1_000}` } })
          : undefined,
    };
    const { ask, world, outcomes } = makeQuoter({ jupiter: limited });
    const NOW = world.time;
    const failed = [{ aggregator: 'jupiter', reason: 'rate_limited', retryAtMs: NOW + 7_000 }];
    expect(await ask()).toMatchObject({ quoted: [{ aggregator: 'dflow' }], failed });
    world.time = NOW + 6_999;
    expect(await ask()).toMatchObject({ quoted: [{ aggregator: 'dflow' }], failed });
    expect(outcomes.filter((outcome) => outcome.startsWith('jupiter'))).toEqual(['jupiter rate_limited']);
    world.time = NOW + 7_000;
    expect((await ask()).quoted).toHaveLength(2);
  });

  it('asks who is down more and more seldom, and says once that it is down and once that it is not', async () => {
    let isDown = true;
    const down: MadeAggregator = {
      answer: () => (isDown ? Promise.reject(new TypeError('fetch failed: jup_key')) : undefined),
    };
    const { ask, world, outcomes, outages } = makeQuoter({ jupiter: down });
    const waits: number[] = [];
    for (let nth = 0; nth < 8; nth += 1) {
      const [failure] = (await ask()).failed;
      waits.push((failure?.retryAtMs ?? 0) - world.time);
      world.time = failure?.retryAtMs ?? 0;
    }
    expect(waits).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]);
    expect(outages).toEqual([['jupiter', expect.stringMatching(/unreachable/)]]);
    isDown = false;
    expect((await ask()).failed).toEqual([]);
    expect(outages.at(-1)).toEqual(['jupiter', null]);
    expect(outcomes.filter((outcome) => outcome === 'jupiter unreachable')).toHaveLength(8);
    isDown = true;
    expect((await ask()).failed[0]?.retryAtMs).toBe(world.time + 2_000);
    expect(outages).toHaveLength(2);
  });

  it('names no key, whatever an aggregator repeats', async () => {
    const echo: MadeAggregator = { answer: () => json({ code: 'bad key jup_key' }, { status: 401 }) };
    const { ask, world, outages } = makeQuoter({ jupiter: echo });
    for (let nth = 0; nth < 3; nth += 1) {
      await ask();
      world.time += 60_000;
    }
    expect(outages).toEqual([['jupiter', expect.stringMatching(/key_refused/)]]);
    expect(JSON.stringify(outages)).not.toContain('jup_key');
  });
});
