import { listSwapQuotes, type SwapQuoteRow } from '@lending/store';
import { useDatabase } from '@lending/store/testing';
import { address } from '@solana/kit';
import { beforeAll, describe, expect, it } from 'vitest';
import { type PollerHere, startPollerHere } from '../src/cluster/in-process.ts';
import { useOpened } from '../src/cluster/opened.ts';
import { eventually } from '../src/eventually.ts';
import { readMetric } from '../src/history/history-poller.ts';
import { type HistoryWorld, MINUTE_MS, openHistoryWorld, SECOND_MS } from '../src/history/history-world.ts';
import { landSwap } from '../src/swaps/land-swap.ts';
import { untilProjected } from '../src/tables/query.ts';

/** Pairs of each end of a ladder whose rungs are landed, spread over all of them. */
const LANDED_PAIRS = 12;
const RENEWED = 30;

const database = useDatabase();
const opened = useOpened();
let world: HistoryWorld;
let poller: PollerHere;
let rows: readonly SwapQuoteRow[];

describe('[swap-quotes] quotes of the demo market', () => {
  beforeAll(async () => {
    const startMs = Math.floor(Date.now() / SECOND_MS) * SECOND_MS - MINUTE_MS;
    world = opened.keep(await openHistoryWorld({ database, startMs, transactionsPerSecond: 0 }));
    poller = opened.keep(startPoller());
    await eventually(untilAllQuoted, 180_000, 100);
    await untilProjected(database);
    rows = await listSwapQuotes(database.db);
  });

  it('are there for every pair that a loop swaps, once', async () => {
    expect(rows.length).toBe(await readMetric(poller.metrics, 'swap_pair_list'));
    expect(rows.length).toBeGreaterThan(300);
    expect(new Set(rows.map(({ source }) => source))).toEqual(new Set(['localnet']));
    expect(rows.every(({ in_mint: from, out_mint: to }) => from !== to)).toBe(true);
    expect(new Set(rows.flatMap(({ rungs }) => rungs.map(({ aggregator }) => aggregator)))).toEqual(
      new Set(['jupiter', 'dflow']),
    );
  });

  it('grow until the size itself costs more than a percent', () => {
    for (const { rungs, ladder_end: end } of rows) {
      const [first] = rungs;
      const impacts = rungs.map(({ inBase, outBase }) => {
        const rate = (rung: { readonly inBase: string; readonly outBase: string }) =>
          Number(rung.outBase) / Number(rung.inBase);
        return 1 - rate({ inBase, outBase }) / rate(first ?? { inBase, outBase });
      });
      expect(impacts.slice(0, -1).every((impact) => impact <= 0.01 + 1e-9)).toBe(true);
      if (end === 'impact') expect(impacts.at(-1)).toBeGreaterThan(0.01);
    }
  });

  it('are to the unit what such a swap gives', async () => {
    const step = Math.floor(rows.length / LANDED_PAIRS);
    let landed = 0;
    for (const row of rows.filter((_, index) => index % step === 0)) {
      const pair = { inMint: address(row.in_mint), outMint: address(row.out_mint) };
      for (const { inBase, outBase, aggregator } of row.rungs) {
        const swap = { ...pair, inBase: BigInt(inBase), outBase: BigInt(outBase), aggregator };
        expect(await landSwap(world.localnet, swap), `${row.in_mint} ${row.out_mint} ${inBase}`).toBe(swap.outBase);
        landed += 1;
      }
    }
    expect(landed).toBeGreaterThan(2 * LANDED_PAIRS);
  });

  it('go on where another poller stopped, and come anew once the chain went on', async () => {
    await poller.stop();
    poller = opened.keep(startPoller());
    await eventually(untilAllKnown, 180_000, 50);
    expect(await readMetric(poller.metrics, 'swap_pair_wait')).toBe(0);
    await untilProjected(database);
    const before = new Map((await listSwapQuotes(database.db)).map((row) => [keyOf(row), row]));
    world.advance(SECOND_MS);
    await eventually(async () => {
      const after = await listSwapQuotes(database.db);
      const newer = after.filter((row) => row.slot > (before.get(keyOf(row))?.slot ?? 0n));
      if (newer.length < RENEWED) throw new Error(`${newer.length} are of the new slot`);
    });
  });
});

function keyOf({ in_mint: from, out_mint: to }: SwapQuoteRow): string {
  return `${from}:${to}`;
}

async function untilAllKnown(): Promise<void> {
  const listed = await readMetric(poller.metrics, 'swap_pair_list');
  if (listed < rows.length) throw new Error(`${listed} pairs are known`);
}

/** All venues were read, and each of the pairs between them had its turn. */
async function untilAllQuoted(): Promise<void> {
  const [listed, waiting] = [
    await readMetric(poller.metrics, 'swap_pair_list'),
    await readMetric(poller.metrics, 'swap_pair_wait'),
  ];
  if (listed < 300 || waiting > 0) throw new Error(`${waiting} of ${listed} pairs wait`);
}

function startPoller(): PollerHere {
  const { chain, bus, localnet } = world;
  return startPollerHere(database, {
    chain,
    bus,
    everyMs: 1_000,
    swapQuoting: {
      urls: localnet.aggregatorUrls ?? { jupiter: null, dflow: null },
      keys: { jupiter: null, dflow: null },
      everyMs: 1,
      recall: async () => {
        const known = await listSwapQuotes(database.db);
        return new Map(known.map((row) => [keyOf(row), row.slot_time.getTime()]));
      },
    },
  });
}
