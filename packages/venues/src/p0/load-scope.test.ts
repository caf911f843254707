import { type PriceBand, parseI80F48 } from '@lending/domain';
import { describe, expect, it } from 'vitest';
import { openDumps } from '#testing/account-dumps.ts';
import { BANK, FEED, GROUP } from '#testing/made-bank.ts';
import { madePyth, madeSwitchboard } from '#testing/made-feeds.ts';
import { bankOfSetup, madeKlendReserve, madeScope } from '#testing/made-oracles.ts';
import type { AccountBytes } from '../account.ts';
import { type LoadedOracle, loadOracle } from './load-oracle.ts';
import { loadRiskPrice, toRiskPrice, toRiskPriceOnceRefreshed } from './load-risk-price.ts';
import { readPrice } from './read-price.ts';

const NOW = 1_777_000_000n;

/** A price without an average of its own. */
const loadedAt = (band: PriceBand) => ({ kind: 'loaded', spot: band, ema: band, hasBorrowingPower: true });
const moment = { slot: 400_000_000n, unixTimestamp: NOW };
const { isMissing, dumps } = openDumps(process.env.FIXTURES_DIR);
const bankOf = (scopeEntryIndex = 0) => bankOfSetup(18, { config: { scopeEntryIndex } });
const error = (account: AccountBytes | null, entry = 0) => {
  const loaded = loadOracle(bankOf(entry), [account], moment);
  return loaded.kind === 'refused' ? loaded.programError : loaded.staleError;
};

describe('loadOracle of Scope', () => {
  it('takes the entry that the bank names', () => {
    const account = madeScope(NOW, { entry: 511, value: 10_344_510_800n, exp: 8n });
    expect(loadOracle(bankOf(511), [account], moment)).toMatchObject({
      ...{ kind: 'loaded', staleError: null, feed: { value: 10_344_510_800n, exponent: -8, publishTime: NOW } },
    });
    expect(error(account, 510)).toBe('ScopeInvalidEntry');
    expect(error(account, 512)).toBe('ScopeInvalidEntry');
  });

  it('takes a table of Scope’s own program, of its kind and of its very size', () => {
    const table = madeScope(NOW);
    expect(error(table)).toBeNull();
    expect(error(null)).toBe('ScopeInvalidAccount');
    expect(error({ ...table, owner: GROUP })).toBe('ScopeInvalidAccount');
    expect(error({ ...table, data: table.data.map((byte, at) => (at === 7 ? byte ^ 1 : byte)) })).toBe(
      'ScopeInvalidAccount',
    );
    expect(error({ ...table, data: table.data.subarray(0, -1) })).toBe('ScopeInvalidAccount');
    expect(error({ ...table, data: Uint8Array.of(...table.data, 0) })).toBe('ScopeInvalidAccount');
    expect(error({ ...table, address: BANK })).toBe('WrongOracleAccountKeys');
  });

  it('refuses an entry without a price or a time, of the future, or with too many decimals', () => {
    expect(error(madeScope(NOW, { value: 0n }))).toBe('ScopeInvalidEntry');
    expect(error(madeScope(0n))).toBe('ScopeInvalidEntry');
    expect(error(madeScope(NOW + 1n))).toBe('ScopeInvalidEntry');
    expect(error(madeScope(2n ** 64n - 1n))).toBe('ScopeInvalidEntry');
    expect(error(madeScope(NOW, { exp: 24n }))).toBe('ScopeInvalidEntry');
    expect(error(madeScope(NOW, { exp: 23n }))).toBeNull();
  });

  it('calls a price stale from the second after its age', () => {
    expect(error(madeScope(NOW - 60n))).toBeNull();
    expect(error(madeScope(NOW - 61n))).toBe('ScopeStalePrice');
    expect(readPrice(bankOf(), [madeScope(NOW - 61n)], moment)).toMatchObject({ priceUsd: '2.5', isStale: true });
  });

  it('has no interval and no average: one price for all', () => {
    const spot = parseI80F48('2.5');
    const band = { spot, low: spot, high: spot };
    expect(loadRiskPrice(bankOf(), [madeScope(NOW)], moment)).toEqual(loadedAt(band));
    expect(readPrice(bankOf(), [madeScope(NOW)], moment)).toMatchObject({
      ...{ priceUsd: '2.5', emaPriceUsd: '2.5', lowUsd: '2.5', highUsd: '2.5', publishTime: NOW, tokensPerUnit: null },
    });
  });

  it('shows the price of the token where the bank holds receipts', () => {
    const bank = bankOfSetup(27);
    const accounts = [madeScope(NOW), madeKlendReserve(moment.slot, { available: 4n, supply: 2n, decimals: 0n })];
    expect(readPrice(bank, accounts, moment)).toMatchObject({
      ...{ priceUsd: '2.5', tokensPerUnit: 2n << 48n, publishTime: NOW, fixed: { spot: parseI80F48('5') } },
    });
  });

  it('fails where a receipt is worth more than fixed point holds', () => {
    const rich = madeKlendReserve(moment.slot, { available: 2n ** 62n, supply: 1n, decimals: 0n });
    const accounts = [madeScope(NOW, { value: 2n ** 63n, exp: 0n }), rich];
    expect(loadOracle(bankOfSetup(27), accounts, moment)).toMatchObject({ programError: 'MathError' });
  });
});

describe.skipIf(isMissing)('a real table of Scope (FIXTURES_DIR)', () => {
  const tables = dumps('scope', 'oracle-prices');

  it('finds the dump', () => {
    expect(tables).toHaveLength(1);
  });

  it.each(tables)('gives the prices of $name that were recorded', ({ account, expected: { essentials } }) => {
    for (const { index, value, exp, unixTimestamp } of essentials.prices) {
      const bank = bankOf(Number(index));
      const at = { slot: 1n, unixTimestamp: BigInt(unixTimestamp) };
      const loaded = loadOracle(bank, [{ ...account, address: FEED }], at);
      if (BigInt(exp) >= 24n) continue;
      expect(loaded, `entry ${index}`).toMatchObject({
        ...{ staleError: null, feed: { value: BigInt(value), exponent: -Number(exp), publishTime: at.unixTimestamp } },
      });
    }
    expect(essentials.prices.length).toBeGreaterThan(3);
  });
});

describe('load risk price', () => {
  const moment = { slot: 1n, unixTimestamp: NOW };
  const pyth = (fields: Parameters<typeof madePyth>[1] = {}) =>
    loadRiskPrice(bankOfSetup(3), [madePyth(NOW, fields)], moment);
  const switchboard = (value: bigint, oracleMaxConfidence: number) =>
    loadRiskPrice(
      bankOfSetup(4, { config: { oracleMaxConfidence } }),
      [madeSwitchboard(NOW, { value, stdDev: 10n ** 16n })],
      moment,
    );
  const fixedOf = (raw: bigint) => (raw << 48n) / 10n ** 8n;
  /** As the program writes 2.12 and 0.05: the nearest of 48 bits. */
  const [INTERVALS, FIVE_PERCENT] = ['2.12', '0.05'].map((text) => parseI80F48(text)) as [bigint, bigint];
  const TOO_WIDE = 'OracleMaxConfidenceExceeded';
  const ABORTED = 'ProgramFailedToComplete';

  describe('loadRiskPrice', () => {
    it('gives spot and average their own edges, each to the last bit', () => {
      const [spot, ema] = [fixedOf(15_000_000_000n), fixedOf(14_900_000_000n)];
      const [spotHalf, emaHalf] = [
        (fixedOf(100_000_000n) * INTERVALS) >> 48n,
        (fixedOf(50_000_000n) * INTERVALS) >> 48n,
      ];
      expect(pyth()).toMatchObject({
        kind: 'loaded',
        spot: { spot, low: spot - spotHalf, high: spot + spotHalf },
        ema: { spot: ema, low: ema - emaHalf, high: ema + emaHalf },
      });
    });

    /** The reference's golden example 21. */
    it.each([
      ['what the bank says', 42_949_672, 422_212_455_727_103n],
      ['five per cent at most', 429_496_729, 2_111_062_325_329_950n],
      ['nothing where the bank says nothing', 0, 0n],
    ])('gives a Switchboard median for both, with edges by %s', (_, maxConfidence, half) => {
      const spot = 150n << 48n;
      const band = { spot, low: spot - half, high: spot + half };
      expect(switchboard(150n * 10n ** 18n, maxConfidence)).toEqual(loadedAt(band));
    });

    it('loses only the band whose own interval is too wide', () => {
      // A tenth of 150, less the unit that the program rounds down, holds 2.12 intervals of 7.07547168, and no more.
      expect(pyth({ conf: 707_547_168n })).toMatchObject({ spot: { spot: fixedOf(15_000_000_000n) }, ema: {} });
      expect(pyth({ conf: 707_547_169n })).toMatchObject({
        spot: TOO_WIDE,
        ema: { spot: fixedOf(14_900_000_000n) },
      });
      expect(pyth({ emaConf: 707_547_176n })).toMatchObject({
        spot: { spot: fixedOf(15_000_000_000n) },
        ema: TOO_WIDE,
      });
    });

    it('moves a price by five percent of itself at most', () => {
      const spot = fixedOf(15_000_000_000n);
      const half = (spot * FIVE_PERCENT) >> 48n;
      expect(pyth({ conf: 600_000_000n })).toMatchObject({ spot: { low: spot - half, high: spot + half } });
    });

    it('takes a price of zero, which the program does too, and values nothing at a negative one', () => {
      const zero = { spot: 0n, low: 0n, high: 0n };
      expect(pyth({ price: 0n, conf: 0n })).toMatchObject({ spot: zero });
      expect(pyth({ price: 0n, conf: 1n })).toMatchObject({ spot: TOO_WIDE });
      expect(pyth({ price: -1n, conf: 0n })).toMatchObject({ spot: TOO_WIDE });
      // A tenth of so little is nothing, but five percent of it round down to less than nothing.
      expect(pyth({ price: -1n, conf: 0n, exponent: -14 })).toMatchObject({ spot: ABORTED });
      // A price of Switchboard may be negative, and so may its interval: its edges change places.
      const minus = -(1n << 48n);
      expect(switchboard(-(10n ** 18n), 2 ** 32 - 1)).toMatchObject({
        spot: { low: minus + (1n << 48n), high: 2n * minus },
      });
    });

    it('values nothing where the program aborts', () => {
      for (const exponent of [-24, 24, -(2 ** 31), 2 ** 31 - 1])
        expect(pyth({ exponent })).toMatchObject({ spot: ABORTED, ema: ABORTED });
      expect(loadRiskPrice(bankOfSetup(1), [], moment)).toEqual({ kind: 'failed', error: ABORTED });
      const cut = madeSwitchboard(NOW);
      expect(loadRiskPrice(bankOfSetup(4), [{ ...cut, data: cut.data.subarray(0, -1) }], moment)).toEqual({
        kind: 'failed',
        error: ABORTED,
      });
    });

    it('keeps a price out of range apart from one that is too uncertain', () => {
      expect(pyth({ exponent: 23 })).toMatchObject({ spot: 'MathError', ema: 'MathError' });
    });

    it('drops what stands above 79 bits of a Switchboard price, as the program does', () => {
      const spot = ((3n * 10n ** 18n) << 48n) / 10n ** 18n;
      const band = { spot, low: spot, high: spot };
      expect(switchboard((1n << 80n) + 3n * 10n ** 18n, 0)).toEqual(loadedAt(band));
      expect(switchboard(1n << 79n, 0)).toMatchObject({ spot: { spot: -((1n << 127n) / 10n ** 18n) } });
    });
  });

  describe('toRiskPriceOnceRefreshed', () => {
    const bank = bankOfSetup(3);
    const feed = { kind: 'fixed', price: parseI80F48('2'), publishTime: null } as const;
    const loaded = {
      kind: 'loaded',
      feed,
      rawFeed: feed,
      multiplier: parseI80F48('1'),
      staleError: null,
      isFeedStale: false,
      isVenueStale: false,
      isVenueInEmergency: false,
      isTokenRateStale: false,
    } as const satisfies LoadedOracle;
    const priced = toRiskPrice(bank, loaded);

    it('takes a venue that nobody refreshed in this slot for refreshed', () => {
      const stale: LoadedOracle = { ...loaded, staleError: 'ReserveStale', isVenueStale: true };
      expect(toRiskPrice(bank, stale)).toEqual({ kind: 'failed', error: 'ReserveStale' });
      expect(toRiskPriceOnceRefreshed(bank, stale)).toEqual(priced);
      expect(priced.kind).toBe('loaded');
    });

    it('values nothing at a feed that is out of date, whatever the venue is', () => {
      for (const isVenueStale of [false, true]) {
        const stale: LoadedOracle = { ...loaded, staleError: 'PythPushStalePrice', isFeedStale: true, isVenueStale };
        expect(toRiskPriceOnceRefreshed(bank, stale)).toEqual({ kind: 'failed', error: 'PythPushStalePrice' });
      }
    });

    it('gives what was refused as it is', () => {
      const refused: LoadedOracle = { kind: 'refused', reason: 'feed_missing', programError: 'WrongOracleAccountKeys' };
      expect(toRiskPriceOnceRefreshed(bank, refused)).toEqual({ kind: 'failed', error: 'WrongOracleAccountKeys' });
    });
  });
});
