import { parseFraction } from '@lending/domain';
import { anyAddress } from '@lending/fakes';
import type { SwapAnswers, SwapSize } from '@lending/transactions/swaps/create-swap-quoter.ts';
import { describe, expect, it } from 'vitest';
import { NO_ANSWERS } from '#testing/made-swaps.ts';
import { climbLadder } from './climb-ladder.ts';
import type { PricedPair } from './swap-pairs.ts';

const priced = (nth: number, decimals: number, priceUsd: string) => ({
  mint: anyAddress(nth),
  decimals,
  priceUsd,
  priceE18: parseFraction(priceUsd),
});
/** A dollar with 6 decimals into something at 150 USD with 9. */
const PAIR: PricedPair = { key: 'a:b', in: priced(1, 6, '1'), out: priced(2, 9, '150') };
const USDC = 1_000_000n;

/** What is fair, less so many basis points. */
const gives = ({ inBase }: SwapSize, lossBps: bigint) => (inBase * 1_000n * (10_000n - lossBps)) / (150n * 10_000n);
const quoted = (outBase: bigint, aggregator: 'jupiter' | 'dflow' = 'jupiter'): SwapAnswers => ({
  ...NO_ANSWERS,
  quoted: [{ aggregator, outBase }],
});
const failing = (aggregator: 'jupiter' | 'dflow', retryAtMs = 5_000): SwapAnswers['failed'] => [
  { aggregator, reason: 'rate_limited', retryAtMs },
];

/** Climbs with answers by how many whole dollars are asked for and how often it was asked before. */
async function climb(
  answer: (usd: bigint, size: SwapSize, tries: number) => SwapAnswers,
  { pair = PAIR, isInTime = true } = {},
) {
  const sizes: SwapSize[] = [];
  const waits: number[] = [];
  const ladder = await climbLadder(pair, {
    ask: async (size) => {
      const tries = sizes.filter(({ inBase }) => inBase === size.inBase).length;
      sizes.push(size);
      return answer(size.inBase / USDC, size, tries);
    },
    waitUntil: async (ms) => {
      waits.push(ms);
      return isInTime;
    },
  });
  return { ladder, sizes, waits };
}

describe('climbLadder', () => {
  it('asks for ten times as much each time, and ends with the largest', async () => {
    const { ladder, sizes } = await climb((_usd, size) => quoted(gives(size, 10n)));
    const dollars = [1_000n, 10_000n, 100_000n, 1_000_000n, 10_000_000n];
    expect(sizes.map(({ inBase }) => inBase)).toEqual(dollars.map((usd) => usd * USDC));
    expect(ladder?.end).toBe('passed_largest');
    expect(ladder?.rungs).toEqual(
      sizes.map((size) => ({
        inBase: `${size.inBase}`,
        outBase: `${gives(size, 10n)}`,
        aggregator: 'jupiter',
      })),
    );
  });

  it('goes on while the size itself costs one percent, and ends with the first that costs more', async () => {
    // Losing 200 basis points at first, one percent on top is 298.
    const lossAt = (usd: bigint) => (usd <= 1_000n ? 200n : usd <= 10_000n ? 298n : 299n);
    const { ladder, sizes } = await climb((usd, size) => quoted(gives(size, lossAt(usd))));
    expect(ladder?.end).toBe('impact');
    expect(ladder?.rungs).toHaveLength(3);
    expect(sizes).toHaveLength(3);
  });

  it('ends where there is no route, with what there was', async () => {
    const { ladder } = await climb((usd, size) =>
      usd > 1_000n ? { ...NO_ANSWERS, noRoute: ['jupiter', 'dflow'] } : quoted(gives(size, 0n)),
    );
    expect(ladder).toMatchObject({ end: 'no_route', rungs: [{ inBase: '1000000000' }] });
    const none = await climb(() => ({ ...NO_ANSWERS, noRoute: ['jupiter'], refused: ['dflow'] }));
    expect(none.ladder).toEqual({ end: 'no_route', rungs: [] });
  });

  it('says nothing of a mint that nobody knows', async () => {
    const { ladder, sizes } = await climb(() => ({ ...NO_ANSWERS, refused: ['jupiter', 'dflow'] }));
    expect(ladder).toBeNull();
    expect(sizes).toHaveLength(1);
  });

  it('keeps the best of each size', async () => {
    const { ladder } = await climb((usd, size) => {
      const both = [quoted(gives(size, 20n), 'dflow'), quoted(gives(size, 30n))].flatMap((each) => each.quoted);
      return { ...NO_ANSWERS, quoted: usd > 1_000n ? both : both.toReversed() };
    });
    expect(ladder?.rungs.map(({ aggregator }) => aggregator)).toEqual(['jupiter', 'dflow', 'dflow', 'dflow', 'dflow']);
  });

  it('goes on without an aggregator that does not answer at first, and not with it later', async () => {
    const { ladder, waits } = await climb((usd, size) =>
      usd === 1_000n
        ? { ...quoted(gives(size, 30n)), failed: failing('dflow') }
        : {
            ...NO_ANSWERS,
            quoted: [...quoted(gives(size, 0n), 'dflow').quoted, ...quoted(gives(size, 30n)).quoted],
          },
    );
    expect(new Set(ladder?.rungs.map(({ aggregator }) => aggregator))).toEqual(new Set(['jupiter']));
    expect(ladder?.end).toBe('passed_largest');
    expect(waits).toEqual([]);
  });

  it('waits for one that answered before, and asks for the same size again', async () => {
    const { ladder, sizes, waits } = await climb((usd, size, tries) =>
      usd === 10_000n && tries === 0 ? { ...NO_ANSWERS, failed: failing('jupiter') } : quoted(gives(size, 0n)),
    );
    expect(ladder?.end).toBe('passed_largest');
    expect(sizes.map(({ inBase }) => inBase / USDC).slice(0, 3)).toEqual([1_000n, 10_000n, 10_000n]);
    expect(waits).toEqual([5_000]);
  });

  it('gives up rather than to tell half a ladder', async () => {
    const stops = (usd: bigint, size: SwapSize) =>
      usd === 100_000n ? { ...NO_ANSWERS, failed: failing('jupiter') } : quoted(gives(size, 0n));
    const { ladder, sizes } = await climb(stops);
    expect(ladder).toBeNull();
    expect(sizes).toHaveLength(5);
    const late = await climb(stops, { isInTime: false });
    expect(late.ladder).toBeNull();
    expect(late.sizes).toHaveLength(3);
  });

  it('asks three times where nobody answers', async () => {
    const { ladder, sizes, waits } = await climb(() => ({
      ...NO_ANSWERS,
      failed: [...failing('jupiter', 9_000), ...failing('dflow', 4_000)],
    }));
    expect(ladder).toBeNull();
    expect(sizes).toHaveLength(3);
    expect(waits).toEqual([4_000, 4_000]);
  });

  it('believes three percent more than is fair, and not more', async () => {
    const { sizes } = await climb((_usd, size) => quoted(gives(size, 0n)));
    expect(sizes[0]).toMatchObject({ inMint: PAIR.in.mint, outMint: PAIR.out.mint, mostOutBase: 6_866_666_666n });
  });

  it('gives one unit where that is worth more than the size', async () => {
    const pair = { ...PAIR, in: priced(1, 0, '5000') };
    const { sizes } = await climb(() => quoted(1n), { pair });
    expect(sizes[0]).toMatchObject({ inBase: 1n, mostOutBase: 34_333_333_333n });
  });

  it('asks for no more units than there can be', async () => {
    const pair = { ...PAIR, in: priced(1, 9, '0.0001') };
    const { ladder, sizes } = await climb((_usd, size) => quoted(size.inBase), { pair });
    expect(sizes.at(-1)?.inBase).toBe(10n ** 19n);
    expect(ladder).toMatchObject({ end: 'no_route' });
    expect(ladder?.rungs).toHaveLength(4);
  });
});
