import { MARGINFI_PROGRAM } from '@lending/programs';
import { decodeBank, readPrice } from '@lending/venues';
import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { createDemoMarket, type DemoMarketOptions } from './demo-market.ts';
import { DEMO_FEEDS, type DemoFeed } from './feeds.ts';
import { FEED_NAMES, ON_DEMAND_FEEDS } from './move-prices.ts';
import { P0_BANKS } from './p0-banks.ts';
import { deepestDipPpm, dipPpmAt, priceAt } from './price-walk.ts';
import { MemoryLedger } from './testing/memory-ledger.ts';

const NOW = 1_795_255_000n;
const START = 5_000n;

const momentOf = ({ unixTimestamp }: MemoryLedger) => ({ slot: START, unixTimestamp });

/** 400 ms slots from START on. */
async function run(slots: number, options: Partial<DemoMarketOptions> = {}, eachSlot?: (chain: MemoryLedger) => void) {
  const market = await createDemoMarket({ unixTimestamp: NOW, slot: START, ...options });
  const chain = new MemoryLedger(market.genesis.accounts, NOW);
  for (let index = 1; index <= slots; index += 1) {
    chain.unixTimestamp = NOW + BigInt(Math.floor(index * 0.4));
    market.onSlot(chain, START + BigInt(index));
    eachSlot?.(chain);
  }
  return chain;
}

describe('the demo market, moving', () => {
  it('never lets a price that is pushed go stale or out of its bounds', async () => {
    let slots = 0;
    await run(1_000, {}, (chain) => {
      slots += 1;
      if (slots % 7 !== 0) return;
      for (const { address, feed, ticker } of P0_BANKS.filter(({ feed: name }) => !ON_DEMAND_FEEDS.includes(name))) {
        const bank = decodeBank(chain.bytes(address), MARGINFI_PROGRAM);
        const reading = readPrice(bank, [chain.bytes(DEMO_FEEDS[feed].account)], momentOf(chain));
        expect(reading, ticker).toMatchObject({ kind: 'priced', isStale: false });
        const age = chain.unixTimestamp - ((reading.kind === 'priced' && reading.publishTime) || 0n);
        expect(age, ticker).toBeLessThanOrEqual(3n);
      }
    });
  });

  it('moves every price, spot and average, within what its feed may stray', () => {
    for (const name of FEED_NAMES) {
      const feed: DemoFeed = DEMO_FEEDS[name];
      const leader = feed.follows === undefined ? 0 : DEMO_FEEDS[feed.follows].strayPpm;
      const bound =
        (feed.baseRaw * BigInt(Math.ceil((1 + feed.strayPpm / 1e6) * (1 + leader / 1e6) * 1e6) - 1_000_000)) /
        1_000_000n;
      const floor = feed.baseRaw - bound - 1n;
      const lowest = floor - (floor * BigInt(deepestDipPpm(name))) / 1_000_000n;
      const walked = Array.from({ length: 300 }, (_, index) => priceAt(name, 3, BigInt(index * 977)));
      for (const { price, ema } of walked) {
        expect(price, name).toBeGreaterThanOrEqual(lowest);
        expect(price, name).toBeLessThanOrEqual(feed.baseRaw + bound + 1n);
        expect(ema, name).toBeGreaterThanOrEqual(lowest);
        expect(ema, name).toBeLessThanOrEqual(feed.baseRaw + bound + 1n);
      }
      expect(new Set(walked.map(({ price }) => price)).size, name).toBeGreaterThan(100);
    }
  });

  it('lets JUP fall by a third and come back, and SOL not', () => {
    const downAt = (slot: bigint) => dipPpmAt('JUP', slot);
    expect([1_999n, 2_000n, 2_045n, 2_300n, 2_375n, 2_450n, 6_500n + 45n].map(downAt)).toEqual([
      0, 0, 330_000, 330_000, 165_000, 0, 330_000,
    ]);
    expect(Array.from({ length: 4_500 }, (_, slot) => dipPpmAt('SOL', BigInt(slot))).every((ppm) => ppm === 0)).toBe(
      true,
    );
    const [before, within] = [priceAt('JUP', 1, 1_990n).price, priceAt('JUP', 1, 2_100n).price];
    expect(within).toBeLessThan((before * 75n) / 100n);
  });

  it('takes the same path for the same seed, and another for another', async () => {
    const [first, again, other] = [
      await run(120, { seed: 9 }),
      await run(120, { seed: 9 }),
      await run(120, { seed: 10 }),
    ];
    expect([...again.accounts]).toEqual([...first.accounts]);
    expect([...other.accounts]).not.toEqual([...first.accounts]);
  });

  it('stands still where it is told to', async () => {
    const still = await run(60, { prices: false });
    expect(still.written.size).toBe(0);
  });

  it('lets a feed go stale when told, and no other', async () => {
    const chain = await run(300, { staleFeeds: ['SOL'] });
    expect(chain.written.has(DEMO_FEEDS.SOL.account)).toBe(false);
    const solBank = P0_BANKS.find(({ token }) => token === 'SOL');
    const bank = decodeBank(chain.bytes(solBank?.address as Address), MARGINFI_PROGRAM);
    expect(readPrice(bank, [chain.bytes(DEMO_FEEDS.SOL.account)], momentOf(chain))).toMatchObject({ isStale: true });
    expect(FEED_NAMES.filter((name) => !chain.written.has(DEMO_FEEDS[name].account))).toEqual([
      'SOL',
      ...ON_DEMAND_FEEDS,
    ]);
  });

  it('lets four feeds age that somebody has to crank, unless all are to be pushed', async () => {
    expect(ON_DEMAND_FEEDS).toEqual(['mSOL', 'JupSOL', 'INF', '2Z']);
    const chain = await run(500);
    const pushed = await run(500, { pushesAll: true });
    for (const row of P0_BANKS.filter(({ feed }) => ON_DEMAND_FEEDS.includes(feed))) {
      const isStale = (at: MemoryLedger) => {
        const bank = decodeBank(at.bytes(row.address), MARGINFI_PROGRAM);
        const reading = readPrice(bank, [at.bytes(DEMO_FEEDS[row.feed].account)], momentOf(at));
        return reading.kind === 'priced' ? reading.isStale : null;
      };
      expect([isStale(chain), isStale(pushed)], row.ticker).toEqual([true, false]);
    }
  });

  it('publishes every price that is pushed in the first slot of a chain that was down', async () => {
    const chain = await run(1);
    expect(FEED_NAMES.filter((name) => !chain.written.has(DEMO_FEEDS[name].account))).toEqual(ON_DEMAND_FEEDS);
  });
});
