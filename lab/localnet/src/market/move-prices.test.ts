import { beforeEach, describe, expect, it } from 'vitest';
import { readPool } from '#programs/swap/read-pool.ts';
import { createDemoMarket, type DemoMarket } from './demo-market.ts';
import { DEMO_FEEDS } from './feeds.ts';
import { oracleAccount } from './oracle-accounts.ts';
import { priceAt } from './price-walk.ts';
import { DEMO_POOLS } from './swap-pools.ts';
import { MemoryLedger } from './testing/memory-ledger.ts';
import { DEMO_TOKENS, type DemoTokenName } from './tokens.ts';

const START = { unixTimestamp: 1_795_255_000n, slot: 450_000_000n };
const SEED = 1;
/** Two hours: far enough for a price to have walked. */
const SLOTS = 18_000n;

let market: DemoMarket;
let ledger: MemoryLedger;
beforeEach(async () => {
  market = await createDemoMarket({ ...START, seed: SEED });
  ledger = new MemoryLedger(market.genesis.accounts, START.unixTimestamp + (SLOTS * 2n) / 5n);
});

function poolPrice(name: DemoTokenName): bigint | undefined {
  return readPool(ledger.account, DEMO_TOKENS[name])?.side.priceE18;
}

function walked(name: DemoTokenName, slot: bigint): bigint {
  const { feed } = DEMO_POOLS[name];
  return priceAt(feed, SEED, slot).price * 10n ** BigInt(18 + DEMO_FEEDS[feed].exponent);
}

describe('movePools', () => {
  it.each(['mSOL', 'JupSOL', 'INF', '2Z'] as const)(
    'lets %s trade where its feed would be, while the feed stands still',
    (name) => {
      expect(poolPrice(name)).toBe(walked(name, START.slot));
      const feed = ledger.account(DEMO_FEEDS[DEMO_POOLS[name].feed].account);
      market.onSlot(ledger, START.slot + SLOTS);
      expect(ledger.account(DEMO_FEEDS[DEMO_POOLS[name].feed].account)).toBe(feed);
      expect(poolPrice(name)).toBe(walked(name, START.slot + SLOTS));
      expect(poolPrice(name)).not.toBe(walked(name, START.slot));
    },
  );

  it('lets a feed that was cranked since say the price', () => {
    market.onSlot(ledger, START.slot + SLOTS);
    const stated = { price: 7n * 10n ** 18n, ema: 0n, confidence: 1n };
    const account = (unixTimestamp: bigint) =>
      oracleAccount('mSOL', DEMO_FEEDS.mSOL, stated, { slot: 0n, unixTimestamp });
    ledger.accounts.set(DEMO_FEEDS.mSOL.account, account(ledger.unixTimestamp - 1n));
    expect(poolPrice('mSOL')).toBe(walked('mSOL', START.slot + SLOTS));
    ledger.accounts.set(DEMO_FEEDS.mSOL.account, account(ledger.unixTimestamp));
    expect(poolPrice('mSOL')).toBe(7n * 10n ** 18n);
  });

  it('leaves the pools of feeds that are pushed to their feeds', () => {
    market.onSlot(ledger, START.slot + SLOTS);
    const stated = { price: 9_000_000n, ema: 0n, confidence: 1n };
    ledger.accounts.set(
      DEMO_FEEDS.JUP.account,
      oracleAccount('JUP', DEMO_FEEDS.JUP, stated, { slot: 0n, unixTimestamp: 1n }),
    );
    expect(poolPrice('JUP')).toBe(9n * 10n ** 16n);
  });
});
