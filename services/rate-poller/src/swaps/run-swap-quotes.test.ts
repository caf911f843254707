import type { Message } from '@lending/events';
import { anyAddress, createLineLogger } from '@lending/fakes';
import { createMetrics } from '@lending/runtime';
import type { SwapAnswers, SwapSize } from '@lending/transactions/swaps/create-swap-quoter.ts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createFakeLeadership } from '#testing/fake-leadership.ts';
import { createMadeClock, createMadeQuoter, createMadeReader, madeSeenBank, NO_ANSWERS } from '#testing/made-swaps.ts';
import { type RunSwapQuotesOptions, runSwapQuotes } from './run-swap-quotes.ts';
import type { ChainMoment, SeenBank } from './seen-banks.ts';

const [USDC, SOL, JTO] = [anyAddress(11), anyAddress(12), anyAddress(13)];
/** Three mints that can all be supplied, two of which can be borrowed: four pairs. */
const BANKS = [
  madeSeenBank(anyAddress(1), USDC, { availableBase: 5_000_000_000n }),
  madeSeenBank(anyAddress(2), SOL, { availableBase: 3_000_000_000n }),
  madeSeenBank(anyAddress(3), JTO, { lendsOut: false }),
];
const PAIRS = [`${USDC}:${SOL}`, `${USDC}:${JTO}`, `${SOL}:${USDC}`, `${SOL}:${JTO}`];
const until = (check: () => void) => vi.waitFor(check, { timeout: 120_000, interval: 2 });
const fair = ({ mostOutBase }: SwapSize): SwapAnswers => ({
  ...NO_ANSWERS,
  quoted: [{ aggregator: 'jupiter', outBase: (mostOutBase * 100n) / 103n }],
});

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

function start(
  answer: (size: SwapSize, nth: number) => SwapAnswers = fair,
  changes: Partial<RunSwapQuotesOptions> & {
    readonly banks?: readonly SeenBank[];
    /** What oracles say now. */
    readonly priceOf?: (bank: SeenBank['bank'], nth: number) => string | null;
  } = {},
) {
  const published: Message<'swap.quoted.v1'>[] = [];
  const { clock, slept } = createMadeClock();
  const { quoter, sizes } = createMadeQuoter(answer);
  const { leadership, become } = createFakeLeadership();
  const { logger, lines } = createLineLogger();
  const metrics = createMetrics();
  const world = { slot: 100n };
  const reads: number[] = [];
  const { banks = BANKS, priceOf = () => '1', ...options } = changes;
  const stopping = new AbortController();
  const running = runSwapQuotes(
    {
      quoter,
      everyMs: 2_500,
      seen: {
        banks,
        size: banks.length,
        // The chain goes on while we ask.
        get moment(): ChainMoment {
          world.slot += 1n;
          return { slot: world.slot, unixTimestamp: 1_000n };
        },
      },
      readPair: createMadeReader(
        (bank, nth) => {
          reads.push(clock.now());
          return priceOf(bank, nth);
        },
        () => world.slot,
      ),
      recall: null,
      leadership,
      outbox: {
        put: (messages) => {
          for (const message of messages) published.push(message as Message<'swap.quoted.v1'>);
        },
      },
      source: 'localnet',
      clock,
      logger,
      metrics,
      ...options,
    },
    stopping.signal,
  );
  const stop = async (): Promise<void> => {
    stopping.abort();
    await running;
  };
  stops.push(stop);
  return { published, clock, slept, sizes, reads, become, lines, metrics, stop, running };
}

async function metric(metrics: ReturnType<typeof createMetrics>, name: string): Promise<string | undefined> {
  const line = (await metrics.render()).split('\n').find((text) => text.startsWith(`${name} `));
  return line?.slice(name.length + 1);
}

describe('runSwapQuotes', () => {
  it('publishes what each pair gives, in turns, beginning with what can be borrowed most', async () => {
    const { published, stop } = start();
    await until(() => expect(published.length).toBeGreaterThanOrEqual(9));
    await stop();
    expect(
      published
        .slice(0, 4)
        .map(({ key }) => key)
        .sort(),
    ).toEqual([...PAIRS].sort());
    expect(published.slice(0, 2).map(({ payload }) => payload.inMint)).toEqual([USDC, USDC]);
    expect(published.slice(4, 8).map(({ key }) => key)).toEqual(published.slice(0, 4).map(({ key }) => key));
    const [first] = published;
    expect(first).toMatchObject({
      id: `swap.quoted.v1:${first?.key}:${first?.slot}`,
      source: 'localnet',
      time: '1970-01-01T00:16:40.000Z',
      payload: { inDecimals: 6, inPriceUsd: '1', outPriceUsd: '1', end: 'passed_largest' },
    });
    expect(first?.payload.rungs).toHaveLength(5);
    expect(new Set(published.map(({ id }) => id)).size).toBe(published.length);
  });

  it('asks one question in 2.5 seconds, whatever pair it is of', async () => {
    const times: number[] = [];
    const world = start((size) => {
      times.push(world.clock.now());
      return fair(size);
    });
    await until(() => expect(times.length).toBeGreaterThan(20));
    await world.stop();
    const pauses = times.slice(1).map((time, nth) => time - (times[nth] ?? 0));
    expect(new Set(pauses)).toEqual(new Set([2_500]));
  });

  it('takes its time with a pair that was quoted before', async () => {
    const times: number[] = [];
    const world = start(
      (size) => {
        times.push(world.clock.now());
        return fair(size);
      },
      { renewMs: 60_000, recall: async () => new Map([[PAIRS[3] ?? '', 1]]) },
    );
    await until(() => expect(world.published.length).toBeGreaterThan(6));
    await world.stop();
    const pauses = times.slice(1, 30).map((time, nth) => time - (times[nth] ?? 0));
    // Four pairs of five sizes each, the last of which was quoted before this process began; then all again.
    expect(pauses.flatMap((pause, nth) => (pause === 2_500 ? [] : [[nth + 1, pause]]))).toEqual([
      [15, 60_000],
      [20, 60_000],
      [25, 60_000],
    ]);
  });

  it('says nothing of a pair that nobody answers for, waits as long as it is told to, and goes on to the next', async () => {
    const world = start((size) => {
      if (size.inMint !== USDC) return fair(size);
      const retryAtMs = world.clock.now() + 11_000;
      return { ...NO_ANSWERS, failed: [{ aggregator: 'jupiter', reason: 'rate_limited', retryAtMs }] };
    });
    await until(() => expect(world.published.length).toBeGreaterThanOrEqual(4));
    await world.stop();
    expect(new Set(world.published.map(({ payload }) => payload.inMint))).toEqual(new Set([SOL]));
    expect(world.slept.filter((ms) => ms === 11_000).length).toBeGreaterThanOrEqual(4);
    expect(await metric(world.metrics, 'swap_ladder_finish_total{end="given_up"}')).toBeDefined();
  });

  it('gives every fourth turn to a pair that was never quoted, and the others to the rest in order', async () => {
    const banks = [USDC, SOL, JTO, anyAddress(14)].map((mint, nth) => madeSeenBank(anyAddress(1 + nth), mint));
    const mints = banks.map(({ bank }) => bank.mint);
    const others = mints.flatMap((inMint) =>
      mints.flatMap((outMint) => (inMint === outMint ? [] : `${inMint}:${outMint}`)),
    );
    const [failing = ''] = others.splice(5, 1);
    const asked: string[] = [];
    const world = start(
      (size) => {
        const key = `${size.inMint}:${size.outMint}`;
        if (asked.at(-1) !== key) asked.push(key);
        return key === failing ? NO_ANSWERS : fair(size);
      },
      { banks, recall: async () => new Map(others.map((key, nth) => [key, nth])) },
    );
    await until(() => expect(asked.length).toBeGreaterThan(17));
    await world.stop();
    const rest = [...others, ...others];
    expect(asked.slice(0, 16)).toEqual(
      Array.from({ length: 16 }, (_, nth) => (nth % 4 === 0 ? failing : rest.shift())),
    );
  });

  it('asks only while it leads, and publishes nothing that it no longer may', async () => {
    const world = start((size, nth) => {
      if (nth === 3) world.become('standby');
      return fair(size);
    });
    await until(() => expect(world.sizes.length).toBeGreaterThanOrEqual(5));
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(world.sizes).toHaveLength(5);
    expect(world.published).toEqual([]);
    world.become('leading');
    await until(() => expect(world.published.length).toBeGreaterThan(0));
  });

  it('goes on behind what was asked before it led, and knows how old that is', async () => {
    const known = new Map([
      [`${USDC}:${SOL}`, 900_000],
      [`${USDC}:${JTO}`, 800_000],
      [`${SOL}:${USDC}`, 700_000],
    ]);
    const { published, stop } = start(fair, { recall: async () => known });
    await until(() => expect(published.length).toBeGreaterThanOrEqual(2));
    await stop();
    expect(published.slice(0, 2).map(({ key }) => key)).toEqual([`${SOL}:${JTO}`, `${SOL}:${USDC}`]);

    const silent = start(() => NO_ANSWERS, { recall: async () => known });
    await until(() => expect(silent.sizes.length).toBeGreaterThan(5));
    await silent.stop();
    expect(await metric(silent.metrics, 'swap_pair_list')).toBe('4');
    expect(await metric(silent.metrics, 'swap_pair_wait')).toBe('1');
    const age = Number(await metric(silent.metrics, 'swap_quote_age_seconds'));
    expect(age).toBe((silent.clock.now() - 700_000) / 1_000);
  });

  it('begins anew where what was asked before cannot be read', async () => {
    const { published, lines } = start(fair, { recall: () => Promise.reject(new Error('no database')) });
    await until(() => expect(published.length).toBeGreaterThan(0));
    expect(lines.filter(({ event }) => event === 'swap.recall.fail')).toHaveLength(1);
  });

  it('asks for nothing while there are no prices', async () => {
    const { sizes, slept } = start(fair, { banks: BANKS.map((bank) => ({ ...bank, priceUsd: null })) });
    await until(() => expect(slept.length).toBeGreaterThan(5));
    expect(sizes).toEqual([]);
  });

  it('tells sizes and costs by what oracles say at the beginning, not by what a round read before', async () => {
    const { published, sizes, stop } = start(fair, { priceOf: ({ mint }) => (mint === SOL ? '1.25' : '1') });
    await until(() => expect(published.length).toBeGreaterThanOrEqual(4));
    await stop();
    const bought = published.find(({ key }) => key === `${USDC}:${SOL}`);
    expect(bought?.payload).toMatchObject({ inPriceUsd: '1', outPriceUsd: '1.25' });
    expect(bought?.payload.rungs[0]).toMatchObject({ inBase: '1000000000', outBase: '800000000' });
    expect(sizes.find(({ inMint }) => inMint === SOL)?.inBase).toBe(800_000_000n);
  });

  it('reads prices when the first question is due, and again after the last', async () => {
    const asks: number[] = [];
    const world = start((size) => {
      asks.push(world.clock.now());
      return fair(size);
    });
    await until(() => expect(asks.length).toBeGreaterThan(10));
    await world.stop();
    // Both banks of a pair each time, five sizes in between.
    expect(world.reads.slice(0, 6)).toEqual([asks[0], asks[0], asks[4], asks[4], asks[5], asks[5]]);
  });

  it('publishes a ladder whose prices hardly moved, and none whose moved further', async () => {
    // Every second reading is of a ladder's end.
    const endsAt = (priceUsd: string) => ({
      priceOf: ({ mint }: SeenBank['bank'], nth: number) => (mint === SOL && nth % 2 === 0 ? priceUsd : '1'),
    });
    const still = start(fair, endsAt('0.9985'));
    await until(() => expect(still.published.length).toBeGreaterThanOrEqual(4));
    await still.stop();
    expect(new Set(still.published.map(({ key }) => key))).toEqual(new Set(PAIRS));
    expect(await metric(still.metrics, 'swap_ladder_finish_total{end="moved"}')).toBeUndefined();

    const moving = start(fair, endsAt('0.9975'));
    await until(() => expect(moving.published.length).toBeGreaterThanOrEqual(2));
    await moving.stop();
    expect(new Set(moving.published.map(({ key }) => key))).toEqual(new Set([`${USDC}:${JTO}`]));
    expect(Number(await metric(moving.metrics, 'swap_ladder_finish_total{end="moved"}'))).toBeGreaterThanOrEqual(3);
    expect(await metric(moving.metrics, 'swap_pair_wait')).toBe('3');
  });

  it('skips a pair that has no price now, and asks nobody about it', async () => {
    const { published, sizes, metrics, stop } = start(fair, { priceOf: ({ mint }) => (mint === SOL ? null : '1') });
    await until(() => expect(published.length).toBeGreaterThanOrEqual(2));
    await stop();
    expect(new Set(published.map(({ key }) => key))).toEqual(new Set([`${USDC}:${JTO}`]));
    expect(sizes.some(({ inMint, outMint }) => inMint === SOL || outMint === SOL)).toBe(false);
    expect(Number(await metric(metrics, 'swap_ladder_finish_total{end="unpriced"}'))).toBeGreaterThanOrEqual(3);
  });

  it('publishes nothing whose prices cannot be read again', async () => {
    const { published, sizes, metrics, stop } = start(fair, { priceOf: (_bank, nth) => (nth % 2 === 0 ? null : '1') });
    await until(() => expect(sizes.length).toBeGreaterThan(20));
    await stop();
    expect(published).toEqual([]);
    expect(Number(await metric(metrics, 'swap_ladder_finish_total{end="unpriced"}'))).toBeGreaterThanOrEqual(4);
  });

  it('asks nobody while the chain does not answer, says so once, and goes on when it does', async () => {
    let isDown = true;
    const { published, sizes, slept, lines } = start(fair, {
      priceOf: () => {
        if (isDown) throw new Error('no chain');
        return '1';
      },
    });
    await until(() => expect(slept.filter((ms) => ms === 500).length).toBeGreaterThan(8));
    expect(sizes).toEqual([]);
    isDown = false;
    await until(() => expect(published.length).toBeGreaterThan(0));
    expect(lines.map(({ event }) => event)).toEqual(['swap.price.fail', 'swap.price.resume']);
  });

  it('survives what nobody expects', async () => {
    const { published, lines } = start((size, nth) => {
      if (nth === 1) throw new TypeError('unheard of');
      return fair(size);
    });
    await until(() => expect(published.length).toBeGreaterThan(0));
    expect(lines.filter(({ event }) => event === 'swap.quote.stop')).toHaveLength(1);
  });

  it('ends at once where nobody could be asked', async () => {
    const { quoter } = createMadeQuoter(fair);
    const { running } = start(fair, { quoter: { ...quoter, isAble: false } });
    await running;
  });
});
