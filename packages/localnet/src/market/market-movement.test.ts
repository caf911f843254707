import { computeUtilization, totalAssetsOf, totalLiabilitiesOf } from '@lending/domain';
import {
  type Bank,
  getBankDecoder,
  getTokenAccountDecoder,
  MARGINFI_MAIN_GROUP,
  MARGINFI_PROGRAM,
} from '@lending/programs';
import { decodeBank, decodeGroup, readPrice, sampleRates } from '@lending/venues';
import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import type { AccountState } from '#engine/engine.ts';
import { vaultAmountOf } from './bank-accounting.ts';
import { createDemoMarket, type DemoMarketOptions } from './demo-market.ts';
import { DEMO_FEEDS, type DemoFeed } from './feeds.ts';
import type { MarketLedger } from './market-ledger.ts';
import { FEED_NAMES } from './move-prices.ts';
import { P0_BANKS } from './p0-banks.ts';
import { priceAt } from './price-walk.ts';

const NOW = 1_795_255_000n;
const START = 5_000n;
/** The smallest step of a rate as banks store it (1000 % over u32::MAX), in raw I80F48. */
const ONE_RATE_UNIT = (10n << 48n) / 0xffff_ffffn + 1n;

/** A chain of accounts and a clock only: 400 ms slots from START on. */
class Chain implements MarketLedger {
  readonly accounts: Map<Address, AccountState>;
  readonly written = new Set<Address>();
  unixTimestamp = NOW;

  constructor(accounts: ReadonlyMap<Address, AccountState>) {
    this.accounts = new Map(accounts);
  }

  get moment() {
    return { slot: START, unixTimestamp: this.unixTimestamp };
  }

  account(address: Address): AccountState | undefined {
    return this.accounts.get(address);
  }

  writeAccounts(writes: Iterable<readonly [Address, AccountState]>): void {
    for (const [address, state] of writes) {
      this.accounts.set(address, state);
      this.written.add(address);
    }
  }

  bank(address: Address): Bank {
    return getBankDecoder().decode(this.bytes(address).data);
  }

  bytes(address: Address) {
    const state = this.accounts.get(address);
    if (state === undefined) throw new Error(`${address} does not exist`);
    return { address, owner: state.owner, data: state.data };
  }
}

async function run(slots: number, options: Partial<DemoMarketOptions> = {}, eachSlot?: (chain: Chain) => void) {
  const market = await createDemoMarket({ unixTimestamp: NOW, slot: START, ...options });
  const chain = new Chain(market.genesis.accounts);
  for (let index = 1; index <= slots; index += 1) {
    chain.unixTimestamp = NOW + BigInt(Math.floor(index * 0.4));
    market.onSlot(chain, START + BigInt(index));
    eachSlot?.(chain);
  }
  return chain;
}

describe('the demo market, moving', () => {
  it('keeps every vault equal to its accounting, inside the limits, for a thousand slots and three seeds', async () => {
    for (const seed of [1, 2, 3]) {
      await run(1_000, { seed, prices: false }, (chain) => {
        for (const address of chain.written) {
          if (!P0_BANKS.some((row) => row.address === address)) continue;
          const bank = chain.bank(address);
          const vault = getTokenAccountDecoder().decode(chain.bytes(bank.liquidityVault).data);
          expect(vault.amount).toBe(vaultAmountOf(bank));
          expect(vault.amount).toBeGreaterThan(0n);
          expect(totalAssetsOf(bank) >> 48n).toBeLessThan(bank.config.depositLimit);
          expect(totalLiabilitiesOf(bank) >> 48n).toBeLessThan(bank.config.borrowLimit);
          expect(totalLiabilitiesOf(bank)).toBeLessThan(totalAssetsOf(bank));
        }
        chain.written.clear();
      });
    }
  });

  it('accrues every P0 bank within a round and never lets a share value fall', async () => {
    const before = await run(0);
    const after = await run(2 * P0_BANKS.length + 2);
    for (const { address, ticker } of P0_BANKS) {
      expect(after.bank(address).lastUpdate, ticker).toBeGreaterThan(NOW);
      expect(after.bank(address).assetShareValue, ticker).toBeGreaterThanOrEqual(before.bank(address).assetShareValue);
      expect(after.bank(address).liabilityShareValue, ticker).toBeGreaterThan(before.bank(address).liabilityShareValue);
    }
  });

  it('changes utilisation and rates of a bank from turn to turn', async () => {
    const [usdc] = P0_BANKS;
    const aprs = new Set<bigint | null>();
    const utilizations = new Set<bigint>();
    await run(400, {}, (chain) => {
      const address = usdc?.address as Address;
      const bank = decodeBank(chain.bytes(address), MARGINFI_PROGRAM);
      const group = decodeGroup(chain.bytes(MARGINFI_MAIN_GROUP), MARGINFI_PROGRAM);
      aprs.add(sampleRates(bank, group, bank.shares.lastUpdate, null).borrowApr);
      utilizations.add(computeUtilization(totalAssetsOf(bank.shares), totalLiabilitiesOf(bank.shares)) as bigint);
    });
    const turns = 400 / (2 * P0_BANKS.length);
    expect(aprs.size).toBeGreaterThanOrEqual(Math.floor(turns));
    expect(utilizations.size).toBeGreaterThanOrEqual(Math.floor(turns));
    const sorted = [...utilizations].sort((a, b) => Number(a - b));
    const [lowest, highest] = [sorted[0] as bigint, sorted.at(-1) as bigint];
    // Interest alone would move it by a ten-millionth in these three minutes.
    expect((highest - lowest) * 1_000n).toBeGreaterThan(highest);
  });

  it('writes the rates of the moment where the program keeps them', async () => {
    const chain = await run(40);
    for (const { address, ticker } of P0_BANKS) {
      const bank = decodeBank(chain.bytes(address), MARGINFI_PROGRAM);
      const group = decodeGroup(chain.bytes(MARGINFI_MAIN_GROUP), MARGINFI_PROGRAM);
      const { borrowApr } = sampleRates(bank, group, bank.shares.lastUpdate, null);
      const shown = ((BigInt(chain.bank(address).cache.borrowingRate) * 10n) << 48n) / 0xffff_ffffn;
      const difference = (borrowApr as bigint) - shown;
      expect(difference < 0n ? -difference : difference, ticker).toBeLessThanOrEqual(ONE_RATE_UNIT);
    }
  });

  it('never lets a price go stale or out of its bounds', async () => {
    let slots = 0;
    await run(1_000, { tide: false }, (chain) => {
      slots += 1;
      if (slots % 7 !== 0) return;
      for (const { address, feed, ticker } of P0_BANKS) {
        const bank = decodeBank(chain.bytes(address), MARGINFI_PROGRAM);
        const reading = readPrice(bank, [chain.bytes(DEMO_FEEDS[feed].account)], chain.moment);
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
      const walked = Array.from({ length: 300 }, (_, index) => priceAt(name, 3, BigInt(index * 977)));
      for (const { price, ema } of walked) {
        expect(price, name).toBeGreaterThanOrEqual(feed.baseRaw - bound - 1n);
        expect(price, name).toBeLessThanOrEqual(feed.baseRaw + bound + 1n);
        expect(ema, name).toBeGreaterThanOrEqual(feed.baseRaw - bound - 1n);
        expect(ema, name).toBeLessThanOrEqual(feed.baseRaw + bound + 1n);
      }
      expect(new Set(walked.map(({ price }) => price)).size, name).toBeGreaterThan(100);
    }
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
    const still = await run(60, { prices: false, tide: false });
    expect(still.written.size).toBe(0);
    const banks = new Set<Address>(P0_BANKS.map(({ address }) => address));
    const noTide = await run(60, { tide: false });
    expect([...noTide.written].some((address) => banks.has(address))).toBe(false);
    const noPrices = await run(60, { prices: false });
    expect(FEED_NAMES.some((name) => noPrices.written.has(DEMO_FEEDS[name].account))).toBe(false);
  });

  it('lets a feed go stale when told, and no other', async () => {
    const chain = await run(300, { staleFeeds: ['SOL'] });
    expect(chain.written.has(DEMO_FEEDS.SOL.account)).toBe(false);
    const solBank = P0_BANKS.find(({ token }) => token === 'SOL');
    const bank = decodeBank(chain.bytes(solBank?.address as Address), MARGINFI_PROGRAM);
    expect(readPrice(bank, [chain.bytes(DEMO_FEEDS.SOL.account)], chain.moment)).toMatchObject({ isStale: true });
    expect(FEED_NAMES.filter((name) => !chain.written.has(DEMO_FEEDS[name].account))).toEqual(['SOL']);
  });

  it('publishes every price in the first slot of a chain that was down', async () => {
    const chain = await run(1);
    expect(FEED_NAMES.every((name) => chain.written.has(DEMO_FEEDS[name].account))).toBe(true);
  });
});
