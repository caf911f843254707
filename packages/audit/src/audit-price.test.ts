import { I80F48_ONE } from '@lending/domain';
import type { LoadedOracle } from '@lending/venues';
import { describe, expect, it } from 'vitest';
import { auditPrice } from './audit-price.ts';
import { differs } from './comparison.ts';
import { bankOf } from './testing/made-states.ts';

const ONE = I80F48_ONE;
const READ_AT = 2_000n;
const SWITCHBOARD = 4;
const cache = { lastOraclePrice: ONE, lastOraclePriceTimestamp: READ_AT, priceMultiplier: ONE };
const bank = bankOf({ config: { oracleSetup: SWITCHBOARD }, cache });

/** A feed that says so many millionths of a dollar. */
function feedOf(micros: bigint, publishTime: bigint): LoadedOracle {
  const feed = { kind: 'switchboard', value: micros * 10n ** 12n, publishTime } as const;
  const parts = { feed, rawFeed: feed, multiplier: ONE };
  const stale = { staleError: 'SwitchboardStalePrice', isFeedStale: true, isVenueStale: false } as const;
  return { kind: 'loaded', ...parts, ...stale, isVenueInEmergency: false, isTokenRateStale: false };
}

const seen = { before: null, earlier: null, after: bank, now: READ_AT + 10n, unchangedSince: null };

describe('auditPrice', () => {
  it('compares exactly what is known to be of then: by its accounts, or by when it was published', () => {
    const off = feedOf(1_000_001n, READ_AT);
    expect(auditPrice({ ...seen, loaded: off, unchangedSince: READ_AT - 1n }).filter(differs)).toMatchObject([
      { field: 'cache.lastOraclePrice', bound: 0n },
    ]);
    // Written in that second: before the bank, or after.
    expect(auditPrice({ ...seen, loaded: off, unchangedSince: READ_AT }).filter(differs)).toEqual([]);
    const long = feedOf(1_000_001n, READ_AT - 30n);
    expect(auditPrice({ ...seen, loaded: long }).filter(differs)).toHaveLength(1);
    // Between two readings anybody may have posted it late.
    const before = bankOf({ config: { oracleSetup: SWITCHBOARD } });
    expect(auditPrice({ ...seen, before, loaded: long }).filter(differs)).toEqual([]);
    const equal = auditPrice({ ...seen, loaded: feedOf(1_000_000n, READ_AT - 30n) });
    expect(equal.map(({ field, bound }) => [field, bound])).toEqual([
      ['cache.lastOraclePrice', 0n],
      ['cache.lastOraclePriceConfidence', 0n],
      ['cache.priceMultiplier', 0n],
    ]);
    expect(equal.filter(differs)).toEqual([]);
  });

  it('allows for a tenth within a minute, and says nothing of an older price', () => {
    const at = (micros: bigint, now: bigint) =>
      auditPrice({ ...seen, loaded: feedOf(micros, now), now }).filter(({ field }) => field.endsWith('Price'));
    expect(at(1_100_000n, READ_AT + 60n).filter(differs)).toEqual([]);
    expect(at(1_120_000n, READ_AT + 60n).filter(differs)).toHaveLength(1);
    expect(at(1_120_000n, READ_AT + 61n)).toEqual([]);
  });

  it('compares a fixed price exactly, whenever it was cached', () => {
    const feed = { kind: 'fixed', price: ONE, publishTime: null } as const;
    const loaded: LoadedOracle = { ...(feedOf(0n, 0n) as LoadedOracle & { kind: 'loaded' }), feed, rawFeed: feed };
    const at = (lastOraclePrice: bigint) =>
      auditPrice({ ...seen, after: bankOf({ cache: { ...cache, lastOraclePrice } }), loaded, now: READ_AT + 9_999n });
    expect(at(ONE).filter(differs)).toEqual([]);
    expect(at(ONE + 1n).filter(differs)).toMatchObject([{ ours: ONE, theirs: ONE + 1n, bound: 0n }]);
  });

  it('takes a price where ours is refused for a difference, where both read the same bytes', () => {
    const loaded: LoadedOracle = { kind: 'refused', reason: 'feed_malformed', programError: null };
    const before = bankOf({ config: { oracleSetup: SWITCHBOARD } });
    expect(auditPrice({ ...seen, before, loaded, unchangedSince: READ_AT - 1n }).filter(differs)).toHaveLength(1);
    expect(auditPrice({ ...seen, before, loaded })).toEqual([]);
  });

  it('says nothing where no price was cached since, or under other settings', () => {
    const loaded = feedOf(2_000_000n, READ_AT);
    const known = { ...seen, loaded, unchangedSince: READ_AT - 1n };
    expect(auditPrice({ ...known, before: bank })).toEqual([]);
    expect(
      auditPrice({ ...known, before: bankOf({ config: { oracleSetup: SWITCHBOARD, oracleMaxConfidence: 1 } }) }),
    ).toEqual([]);
    expect(auditPrice({ ...known, after: bankOf({ config: { oracleSetup: SWITCHBOARD } }) })).toEqual([]);
  });
});
