import { I80F48_ONE } from '@lending/domain';
import { describe, expect, it } from 'vitest';
import { auditBank } from './audit-bank.ts';
import { differs } from './comparison.ts';
import { bankOf, NO_GROUP } from './testing/made-states.ts';

/** A quarter of the way from 10 % to 30 %, of which depositors get a quarter; u32::MAX is 1000 %. */
const RATES = { baseRate: 64_424_508, lendingRate: 16_106_127, borrowingRate: 64_424_508 };
const YEAR = 31_536_000n;
const SECONDS = 1_000n;
const ONE = I80F48_ONE;
const before = bankOf();
const fieldsOf = (list: ReturnType<typeof auditBank>) => list.map(({ field }) => field);
const cached = (fields: Parameters<typeof bankOf>[0] = {}) =>
  bankOf({ ...fields, cache: { ...RATES, ...fields.cache } });

/** The bank after an accrual, with the values that ours comes to. */
function accrued(fields: Parameters<typeof bankOf>[0] = {}) {
  const until = { lastUpdate: 1_000n + SECONDS, cache: { interestAccumulatedFor: Number(SECONDS) } };
  const [debts, toDepositors, deposits] = auditBank(before, bankOf(until), NO_GROUP).map(({ ours }) => ours);
  return bankOf({
    ...until,
    liabilityShareValue: debts as bigint,
    assetShareValue: deposits as bigint,
    ...fields,
    cache: { ...until.cache, accumulatedSinceLastUpdate: toDepositors as bigint, ...fields.cache },
  });
}

describe('auditBank', () => {
  it('compares the rates of a bank that is seen for the first time', () => {
    const found = auditBank(null, cached(), NO_GROUP);
    expect(found.map(({ field, ours, theirs, bound }) => [field, ours, theirs, bound])).toEqual(
      Object.entries(RATES).map(([field, rate]) => [`cache.${field}`, BigInt(rate), BigInt(rate), 0n]),
    );
    const group = { ...NO_GROUP, programFee: { rate: ONE / 100n, fixedApr: 0n } };
    expect(
      auditBank(null, cached(), group)
        .filter(differs)
        .map(({ field }) => field),
    ).toEqual(['cache.borrowingRate']);
  });

  it('says nothing of rates that were never written, or that may be of other totals', () => {
    expect(auditBank(null, bankOf(), NO_GROUP)).toEqual([]);
    expect(auditBank(null, cached({ cache: { liqCacheFlags: 1 } }), NO_GROUP)).toEqual([]);
    expect(auditBank(null, cached({ cache: { liquidationPriceRt: 1n } }), NO_GROUP)).toEqual([]);
  });

  it('compares rates where an instruction wrote them, and where it should have', () => {
    expect(auditBank(cached(), cached(), NO_GROUP)).toEqual([]);
    const more = { totalAssetShares: 4_100_000_000n * ONE };
    const stale = auditBank(cached(), cached(more), NO_GROUP);
    expect(fieldsOf(stale.filter(differs))).toEqual(Object.keys(RATES).map((name) => `cache.${name}`));
    expect(fieldsOf(auditBank(cached(), cached({ cache: { baseRate: 1 } }), NO_GROUP).filter(differs))).toEqual([
      'cache.baseRate',
    ]);
  });

  it('says nothing of rates that a liquidation, an administrator or the end of a bank leaves as they are', () => {
    const more = { totalAssetShares: 4_100_000_000n * ONE };
    const locked = { liquidationPriceRt: 1n };
    expect(auditBank(cached(), cached({ ...more, cache: locked }), NO_GROUP)).toEqual([]);
    expect(auditBank(cached({ cache: locked }), cached({ ...more, cache: locked }), NO_GROUP)).toEqual([]);
    expect(auditBank(cached(), cached({ ...more, config: { riskTier: 1 } }), NO_GROUP)).toEqual([]);
    expect(auditBank(cached(), cached({ ...more, flags: 1n << 6n }), NO_GROUP)).toEqual([]);
    expect(auditBank(cached(), cached({ ...more, config: curved(1) }), NO_GROUP)).toEqual([]);
  });

  it('takes a curve that it refuses for a difference where the program has just used it', () => {
    const config = curved(0);
    const [was, is] = [cached({ config }), cached({ config, totalAssetShares: ONE })];
    expect(auditBank(was, is, NO_GROUP).every(differs)).toBe(true);
    expect(auditBank(was, is, NO_GROUP)).toHaveLength(3);
    expect(auditBank(null, is, NO_GROUP)).toEqual([]);
  });

  it('compares what an accrual made of the share values', () => {
    const after = accrued();
    const found = auditBank(before, after, NO_GROUP);
    expect(fieldsOf(found)).toEqual(['liabilityShareValue', 'cache.accumulatedSinceLastUpdate', 'assetShareValue']);
    expect(found.filter(differs)).toEqual([]);
    // 15 % on the debts for 1,000 seconds, to a billionth.
    const grown = Number(after.shares.liabilityShareValue - ONE) / Number(ONE);
    expect(grown / ((0.15 * Number(SECONDS)) / Number(YEAR))).toBeCloseTo(1, 6);
    const off = accrued({ liabilityShareValue: after.shares.liabilityShareValue + 1n });
    expect(fieldsOf(auditBank(before, off, NO_GROUP).filter(differs))).toEqual(['liabilityShareValue']);
  });

  it('leaves out the seconds of a halt, and sees where the program left out fewer', () => {
    const halted = {
      flags: 1n << 11n,
      cbHaltStartedAt: 1_100n,
      cbHaltEndedAt: 1_500n,
      cbFrozenSecondsPending: 100n,
    };
    const until = (interestAccumulatedFor: number) =>
      bankOf({ ...halted, lastUpdate: 2_000n, liabilityShareValue: ONE + 1n, cache: { interestAccumulatedFor } });
    expect(fieldsOf(auditBank(bankOf(halted), until(500), NO_GROUP))).toContain('liabilityShareValue');
    const [found, ...others] = auditBank(bankOf(halted), until(1_000), NO_GROUP);
    expect(found).toMatchObject({ field: 'cache.interestAccumulatedFor', ours: 500n, theirs: 1_000n });
    expect(others).toEqual([]);
    expect(auditBank(bankOf(halted), until(400), NO_GROUP)).toEqual([]);
  });

  it('compares no interest where a state was missed, no time passed or nothing was lent', () => {
    const missed = bankOf({ lastUpdate: 2_000n, cache: { interestAccumulatedFor: 400 } });
    expect(auditBank(before, missed, NO_GROUP)).toEqual([]);
    expect(auditBank(before, bankOf(), NO_GROUP)).toEqual([]);
    const unlent = { totalLiabilityShares: 0n };
    const after = bankOf({ ...unlent, lastUpdate: 2_000n, cache: { interestAccumulatedFor: 1_000 } });
    expect(auditBank(bankOf(unlent), after, NO_GROUP)).toEqual([]);
  });

  it('tells a bad debt that was spread, and tokens that were given, from a difference', () => {
    const { assetShareValue } = accrued().shares;
    const debts = 1_000_000_000n;
    const comparedValue = (fields: Parameters<typeof bankOf>[0]) =>
      auditBank(before, accrued(fields), NO_GROUP).find(({ field }) => field === 'assetShareValue');
    const lost = { assetShareValue: assetShareValue - ONE / 1_000n };
    expect(comparedValue(lost)).toMatchObject({ theirs: lost.assetShareValue });
    // A bad debt writes off debts; a loan in the same slot may hide by how much.
    for (const changed of [-4_100_000n, 5n]) {
      expect(comparedValue({ ...lost, totalLiabilityShares: (debts + changed) * ONE })).toBeUndefined();
    }
    // Anybody may give tokens to the depositors, also beside a deposit.
    for (const given of [1n, 7n * 2n ** 20n]) {
      const raised = { assetShareValue: assetShareValue + given };
      expect(comparedValue(raised)).toBeUndefined();
      expect(comparedValue({ ...raised, totalAssetShares: 4_000_000_001n * ONE })).toBeUndefined();
    }
  });
});

/** A bank's settings with another curve. */
function curved(curveType: number) {
  const none = { util: 0, rate: 0 };
  const interestRateConfig = {
    ...{ optimalUtilizationRate: ONE / 2n, plateauInterestRate: ONE, maxInterestRate: ONE },
    ...{ insuranceFeeFixedApr: 0n, insuranceIrFee: 0n, protocolFixedFeeApr: 0n, protocolIrFee: 0n },
    ...{ protocolOriginationFee: 0n, zeroUtilRate: 1, hundredUtilRate: 2, points: [none, none, none, none, none] },
    ...{ curveType, _pad0: new Uint8Array(7), _padding1: new Uint8Array(32), _padding2: new Uint8Array(16) },
    _padding3: new Uint8Array(8),
  };
  return { interestRateConfig };
}
