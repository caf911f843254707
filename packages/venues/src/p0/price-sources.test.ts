import { BANK_FLAG, I80F48_ONE } from '@lending/domain';
import { BANK_ORACLE_SETUPS } from '@lending/programs';
import { describe, expect, it } from 'vitest';
import { BANK, FEED, GROUP } from '#testing/made-bank.ts';
import { madePyth, madeSwitchboard } from '#testing/made-feeds.ts';
import { bankOfSetup, madeSpotMarket, madeStakePool, VENUE_ACCOUNT } from '#testing/made-oracles.ts';
import { loadOracle } from './load-oracle.ts';
import { findStalePrices, needsCrank, priceSourcesOf } from './price-sources.ts';
import { sameAssetOf } from './same-asset.ts';

const NOW = 1_777_000_000n;
const moment = { slot: 1n, unixTimestamp: NOW };

describe('priceSourcesOf', () => {
  it('says of every setup who refreshes what', () => {
    const told = BANK_ORACLE_SETUPS.map((_, setup) =>
      priceSourcesOf(bankOfSetup(setup))
        .map(({ what, refreshedBy }) => `${what} by ${refreshedBy}`)
        .join(', '),
    );
    const [pyth, switchboard, scope] = ['pyth_feed by sponsor', 'switchboard_feed by crank', 'scope_feed by sponsor'];
    const pool = 'stake_pool by sponsor';
    const [kamino, drift, solend, juplend] = [
      'kamino_reserve',
      'drift_spot_market',
      'solend_reserve',
      'juplend_lending',
    ].map((account) => `${account} by instruction`);
    expect(told).toEqual([
      '',
      '',
      '',
      pyth,
      switchboard,
      pyth,
      `${pyth}, ${kamino}`,
      `${switchboard}, ${kamino}`,
      '',
      `${pyth}, ${drift}`,
      `${switchboard}, ${drift}`,
      `${pyth}, ${solend}`,
      `${switchboard}, ${solend}`,
      kamino,
      drift,
      `${pyth}, ${juplend}`,
      `${switchboard}, ${juplend}`,
      juplend,
      scope,
      pyth,
      `${pyth}, ${kamino}`,
      `${pyth}, ${juplend}`,
      `${pyth}, ${pool}`,
      `${pyth}, ${kamino}, ${pool}`,
      `${pyth}, ${juplend}, ${pool}`,
      pyth,
      '',
      `${scope}, ${kamino}`,
      `${scope}, ${juplend}`,
    ]);
  });
});

describe('needsCrank', () => {
  it('is so of the setups that read Switchboard, and no other', () => {
    const cranked = BANK_ORACLE_SETUPS.flatMap((_, setup) => (needsCrank(bankOfSetup(setup)) ? [setup] : []));
    expect(cranked).toEqual([4, 7, 10, 12, 16]);
  });
});

describe('findStalePrices', () => {
  const oracle = (setup: number, accounts: Parameters<typeof loadOracle>[1]) => {
    const bank = bankOfSetup(setup);
    return { bank, loaded: loadOracle(bank, accounts, moment) };
  };
  const balance = (bank: typeof BANK) => ({
    slot: 0,
    bank,
    assetTag: 0,
    tag: 0,
    assetShares: 0n,
    liabilityShares: 0n,
    lastUpdate: 0n,
    premium: { rate: 0, outstanding: 0n, claimedAt: 0n },
  });
  const find = (made: ReturnType<typeof oracle>) =>
    findStalePrices({ balances: [balance(GROUP), balance(BANK)] }, new Map([[BANK, made]]));
  const feed = { account: FEED, what: 'switchboard_feed', refreshedBy: 'crank' };
  const venue = { account: VENUE_ACCOUNT, what: 'drift_spot_market', refreshedBy: 'instruction' };

  it('names what to refresh: the feed, the venue, or both', () => {
    const at = (feedTime: bigint, venueTime: bigint) =>
      find(oracle(10, [madeSwitchboard(feedTime), madeSpotMarket(venueTime, 10n ** 10n)]));
    expect(at(NOW, NOW)).toEqual([]);
    expect(at(NOW - 61n, NOW)).toEqual([{ bank: BANK, error: 'SwitchboardStalePrice', sources: [feed] }]);
    expect(at(NOW, NOW - 1n)).toEqual([{ bank: BANK, error: 'DriftSpotMarketStale', sources: [venue] }]);
    expect(at(NOW - 61n, NOW - 1n)).toEqual([{ bank: BANK, error: 'DriftSpotMarketStale', sources: [feed, venue] }]);
  });

  it('does not take what is broken for stale', () => {
    expect(find(oracle(3, [null]))).toEqual([]);
    expect(find(oracle(3, [madePyth(NOW)]))).toEqual([]);
  });

  it('names the stake pool, and not the feed, where the pool is out of date', () => {
    const bank = bankOfSetup(22);
    const at = (epoch: bigint) => {
      const loaded = loadOracle(bank, [madePyth(NOW), madeStakePool()], { ...moment, epoch });
      return findStalePrices({ balances: [balance(BANK)] }, new Map([[BANK, { bank, loaded }]]));
    };
    expect(at(701n)).toEqual([]);
    const pool = { account: VENUE_ACCOUNT, what: 'stake_pool', refreshedBy: 'sponsor' };
    expect(at(702n)).toEqual([{ bank: BANK, error: 'StakePoolStale', sources: [pool] }]);
  });
});

const flags = BANK_FLAG.isSameAssetEligible;
const of = (setup: number, fields: Parameters<typeof bankOfSetup>[1] = {}) =>
  sameAssetOf(bankOfSetup(setup, { flags, ...fields }));
/** Setups by what reads their feed: the first owes and backs, the others back. */
const FAMILIES = [[3, 6, 9, 11, 15], [4, 7, 10, 12, 16], [5], [19, 20, 21], [22, 23, 24], [25]];
const OUTSIDE = [0, 1, 2, 8, 13, 14, 17, 18, 26, 27, 28, 99];

describe('sameAssetOf', () => {
  it.each(FAMILIES)(
    'is one asset for banks of setup %i and its venues, of which that one alone may be owed',
    (...family) => {
      const found = family.map((setup) => of(setup));
      expect(new Set(found.map((each) => each?.asset)).size).toBe(1);
      expect(found.map((each) => each?.isDebtToo)).toEqual(family.map((_, index) => index === 0));
    },
  );

  it('is another asset for each family', () => {
    expect(new Set(FAMILIES.map(([setup = 0]) => of(setup)?.asset)).size).toBe(FAMILIES.length);
  });

  it('is another asset with another mint, feed or set price', () => {
    const plain = of(3)?.asset;
    const { mint, oracle } = bankOfSetup(3);
    const [feed, ...others] = oracle.keys as [typeof mint, ...(typeof mint)[]];
    expect(of(3, { mint: feed })?.asset).not.toBe(plain);
    expect(of(3, { config: { oracleKeys: [mint, ...others] } })?.asset).not.toBe(plain);
    expect(of(3, { config: { fixedPrice: I80F48_ONE } })?.asset).not.toBe(plain);
  });

  it('is none without the flag, without a feed, and for setups of no family', () => {
    expect(of(3, { flags: 0n })).toBeNull();
    expect(
      of(3, { config: { oracleKeys: bankOfSetup(3).oracle.keys.with(0, bankOfSetup(3).oracle.keys.at(-1) as never) } }),
    ).toBeNull();
    for (const setup of OUTSIDE) expect(of(setup), `setup ${setup}`).toBeNull();
  });
});
