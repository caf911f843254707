import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatI80F48, I80F48_ONE, integerToI80F48, parseI80F48 } from '../i80f48.ts';
import { computeRequirement } from './requirement.ts';
import type { Requirement, RiskBalance, RiskPrice } from './risk-balance.ts';
import { anyAccount, anyBalance, collateral, debt, madeBank, madePrice } from './testing/made-balances.ts';

const FAILED: RiskPrice = { kind: 'failed', error: 'PythPushStalePrice' };
const TOO_WIDE: RiskPrice = {
  kind: 'loaded',
  spot: 'OracleMaxConfidenceExceeded',
  ema: 'OracleMaxConfidenceExceeded',
  hasBorrowingPower: true,
};

function totals(balances: readonly RiskBalance[], requirement: Requirement): readonly [number, number] {
  const outcome = computeRequirement(balances, requirement);
  if (outcome.kind === 'refused') throw new Error(`${outcome.error} at ${outcome.index}`);
  return [shown(outcome.assets), shown(outcome.liabilities)];
}

/** To nine digits after the point: what is cut off is rounding of the weights. */
function shown(value: bigint): number {
  return Number(Number(formatI80F48(value)).toFixed(9));
}

describe('computeRequirement', () => {
  const sol = { price: '100', interval: '2', emaPrice: '90', decimals: 9 } as const;
  const account = [collateral('10', sol), debt('400', { price: '1', interval: '0.01' })];

  it('values collateral low and debt high, at the average price for initial', () => {
    expect(totals(account, 'initial')).toEqual([10 * 88 * 0.8, 400 * 1.01 * 1.25]);
  });

  it('takes the price of the moment for maintenance', () => {
    expect(totals(account, 'maintenance')).toEqual([10 * 98 * 0.9, shown(parseI80F48('444.4'))]);
  });

  it('drops the weights but not the bias for equity', () => {
    expect(totals(account, 'equity')).toEqual([880, 404]);
  });

  it('says of each balance what it counted', () => {
    const [asset, liability] = [
      { side: 'asset', amount: integerToI80F48(10_000_000_000n), price: parseI80F48('88'), error: null },
      { side: 'liability', amount: integerToI80F48(400_000_000n), price: parseI80F48('1.01'), error: null },
    ];
    expect(computeRequirement(account, 'initial')).toMatchObject({ values: [asset, liability], firstError: null });
    expect(computeRequirement([collateral('5', { riskTier: 'Isolated' })], 'initial').values).toEqual([
      { side: 'asset', amount: 0n, price: 0n, weight: 0n, value: 0n, error: null },
    ]);
  });

  it('values a premium by itself beside its debt, at every requirement', () => {
    const premium = 196_646_897_187_935_506_849n;
    const owed = debt('85', { liabilityInit: '1.25', liabilityMaint: '1' });
    const of = (requirement: Requirement, balance: RiskBalance) => {
      const outcome = computeRequirement([balance], requirement);
      return outcome.kind === 'valued' ? outcome.liabilities : outcome.error;
    };
    const added = (requirement: Requirement) =>
      BigInt(of(requirement, { ...owed, premium })) - BigInt(of(requirement, owed));
    expect(added('initial')).toBe(245_808_621_484_919n);
    expect(added('maintenance')).toBe(196_646_897_187_935n);
    expect(added('equity')).toBe(196_646_897_187_935n);
    expect(computeRequirement([{ ...owed, premium }], 'equity').values).toMatchObject([
      { amount: 85_000_000n * I80F48_ONE + premium },
    ]);
  });

  it('takes collateral of a paused bank, and one behind a venue in an emergency, for nothing initially alone', () => {
    const unpowered = { ...collateral('5'), price: { ...madePrice('1'), hasBorrowingPower: false } as RiskPrice };
    for (const balance of [collateral('5', { operationalState: 'Paused' }), unpowered]) {
      expect(totals([balance], 'initial')).toEqual([0, 0]);
      expect(totals([balance], 'maintenance')).toEqual([4.5, 0]);
      expect(totals([balance], 'equity')).toEqual([5, 0]);
    }
  });

  it('counts a share and no less as a position', () => {
    const bank = madeBank({ decimals: 0 });
    const one = { bank, price: madePrice('1'), assetShares: I80F48_ONE, liabilityShares: 0n, premium: 0n };
    expect(totals([one], 'equity')).toEqual([1, 0]);
    expect(totals([{ ...one, assetShares: 0n, liabilityShares: I80F48_ONE }], 'equity')).toEqual([0, 1]);
  });

  it('multiplies by the weight before the price, cutting at each step', () => {
    const bank = madeBank({ decimals: 0 });
    const shares = I80F48_ONE + 1n;
    const weights = { ...bank.weights, assetInit: I80F48_ONE / 2n };
    const price = { spot: 3n * I80F48_ONE, low: 3n * I80F48_ONE, high: 3n * I80F48_ONE };
    const balance = {
      bank: { ...bank, weights },
      price: { kind: 'loaded', spot: price, ema: price, hasBorrowingPower: true },
      assetShares: shares,
      liabilityShares: 0n,
      premium: 0n,
    } as const;
    // (1 + 2^-48) / 2 is cut to 1/2, so 3/2: the other order would keep the last bit.
    expect(computeRequirement([balance], 'initial')).toMatchObject({ assets: (3n * I80F48_ONE) / 2n });
  });

  it('counts nine decimals in Drift banks, whatever the mint has', () => {
    const drift = collateral('1000', { assetTag: 4, decimals: 6 });
    expect(totals([drift], 'equity')).toEqual([1, 0]);
  });

  it('ignores less than one share, on either side', () => {
    const dust = I80F48_ONE - 1n;
    const bank = madeBank({ decimals: 0 });
    const balances = [
      { bank, price: FAILED, assetShares: dust, liabilityShares: 0n, premium: 0n },
      { bank, price: FAILED, assetShares: 0n, liabilityShares: dust, premium: 0n },
    ];
    expect(totals(balances, 'maintenance')).toEqual([0, 0]);
    expect(computeRequirement(balances, 'initial')).toMatchObject({ values: [{ side: null }, { side: null }] });
  });

  it('stops where the program panics on a balance with both sides', () => {
    const both = { ...debt('1'), assetShares: I80F48_ONE };
    expect(computeRequirement([collateral('1'), both], 'initial')).toMatchObject({
      kind: 'refused',
      index: 1,
      error: 'ProgramFailedToComplete',
    });
  });

  it('counts isolated collateral as nothing in every requirement, its oracle unread', () => {
    const isolated = { ...collateral('5', { riskTier: 'Isolated' }), price: FAILED };
    for (const requirement of ['initial', 'maintenance', 'equity'] as const)
      expect(computeRequirement([isolated], requirement)).toMatchObject({ assets: 0n, firstError: null });
  });

  it('counts collateral in a reduce-only bank as nothing for initial alone', () => {
    const closing = collateral('5', { operationalState: 'ReduceOnly' });
    expect(totals([closing], 'initial')).toEqual([0, 0]);
    expect(totals([closing], 'maintenance')).toEqual([4.5, 0]);
    const powerful = collateral('5', { operationalState: 'ReduceOnlyWithBorrowingPower' });
    expect(totals([powerful], 'initial')).toEqual([4, 0]);
  });

  it('counts collateral with a failed oracle as nothing for initial, and names the first', () => {
    const balances = [
      collateral('5'),
      { ...collateral('7'), price: FAILED },
      { ...collateral('7'), price: { kind: 'failed', error: 'SwitchboardStalePrice' } as const },
    ];
    expect(computeRequirement(balances, 'initial')).toMatchObject({
      kind: 'valued',
      values: [{ error: null }, { value: 0n }, { value: 0n, error: 'SwitchboardStalePrice' }],
      firstError: { index: 1, error: 'PythPushStalePrice' },
    });
    expect(totals(balances, 'initial')).toEqual([4, 0]);
  });

  it('fails maintenance and equity on collateral with a failed oracle', () => {
    for (const requirement of ['maintenance', 'equity'] as const)
      expect(computeRequirement([collateral('5'), { ...collateral('7'), price: FAILED }], requirement)).toMatchObject({
        kind: 'refused',
        index: 1,
        error: 'PythPushStalePrice',
        values: [{ side: 'asset' }],
      });
  });

  it('fails on debt with a failed oracle, with the error of its oracle', () => {
    for (const requirement of ['initial', 'maintenance', 'equity'] as const)
      expect(computeRequirement([{ ...debt('7'), price: FAILED }], requirement)).toMatchObject({
        kind: 'refused',
        error: 'PythPushStalePrice',
      });
  });

  it('fails on a band too wide, on either side and even at initial', () => {
    for (const balance of [collateral('1'), debt('1')])
      for (const requirement of ['initial', 'maintenance', 'equity'] as const)
        expect(computeRequirement([{ ...balance, price: TOO_WIDE }], requirement)).toMatchObject({
          kind: 'refused',
          error: 'OracleMaxConfidenceExceeded',
        });
  });

  it('fails only on the band that the requirement reads', () => {
    const price = madePrice('2');
    const noAverage = { ...collateral('1'), price: { ...price, ema: 'OracleMaxConfidenceExceeded' } as RiskPrice };
    expect(computeRequirement([noAverage], 'maintenance').kind).toBe('valued');
    expect(computeRequirement([noAverage], 'equity').kind).toBe('refused');
  });

  it('fails with whatever stands in place of the band, whichever the side', () => {
    for (const error of ['MathError', 'ProgramFailedToComplete'] as const)
      for (const balance of [collateral('1'), debt('1')])
        expect(
          computeRequirement(
            [{ ...balance, price: { kind: 'loaded', spot: error, ema: error, hasBorrowingPower: true } }],
            'initial',
          ),
        ).toMatchObject({
          kind: 'refused',
          error,
        });
  });

  it('keeps no error of an oracle whose bytes do not read, which has no number, but fails like with any other', () => {
    const price: RiskPrice = { kind: 'failed', error: 'BorshIoError' };
    const outcome = computeRequirement([{ ...collateral('1'), price }], 'initial');
    expect(outcome).toMatchObject({ kind: 'valued', assets: 0n, firstError: null });
    const refusal = { kind: 'refused', error: 'InternalLogicError' };
    expect(computeRequirement([{ ...collateral('1'), price }], 'maintenance')).toMatchObject(refusal);
    expect(computeRequirement([{ ...debt('1'), price }], 'initial')).toMatchObject(refusal);
  });

  it('stops dead at an oracle that aborts the program, even where the balance counts nothing', () => {
    const price: RiskPrice = { kind: 'failed', error: 'ProgramFailedToComplete' };
    const dust = { ...collateral('1'), assetShares: 1n };
    const isolated = { ...collateral('1'), bank: madeBank({ riskTier: 'Isolated' }) };
    for (const balance of [collateral('1'), dust, isolated])
      expect(computeRequirement([{ ...balance, price }], 'initial')).toMatchObject({
        kind: 'refused',
        error: 'ProgramFailedToComplete',
      });
  });

  it('discounts the initial weight above the USD limit of the bank, by the low average price', () => {
    // A million tokens at 90 − 10 are 80 million USD; a limit of 20 million leaves a quarter of the weight.
    const whale = { price: '100', emaPrice: '90', interval: '10', totalAssetValueInitLimitUsd: 20_000_000n };
    expect(totals([collateral('10', whale)], 'initial')).toEqual([10 * 80 * 0.8 * 0.25, 0]);
    expect(totals([collateral('10', whale)], 'maintenance')).toEqual([10 * 90 * 0.9, 0]);
  });

  it('leaves the weight alone up to exactly the USD limit', () => {
    const full = { totalAssetValueInitLimitUsd: 1_000_000n };
    expect(totals([collateral('10', full)], 'initial')).toEqual([8, 0]);
    const over = { totalAssetValueInitLimitUsd: 999_999n };
    expect(computeRequirement([collateral('10', over)], 'initial')).not.toMatchObject({ assets: parseI80F48('8') });
  });

  it('cuts the discount before it multiplies the weight', () => {
    const bank = madeBank({ decimals: 0, assetInit: '1', totalAssetValueInitLimitUsd: 1n });
    const shares = { ...bank.shares, totalAssetShares: integerToI80F48(3n) };
    const price = madePrice('1');
    const balance = {
      bank: { ...bank, shares },
      price,
      assetShares: integerToI80F48(3n),
      liabilityShares: 0n,
      premium: 0n,
    };
    expect(computeRequirement([balance], 'initial')).toMatchObject({ assets: (I80F48_ONE / 3n) * 3n });
  });

  it('raises the weight of collateral that every debt favours', () => {
    const favour = (init: string, maint: string) => ({
      tag: 0,
      entries: [{ collateralTag: 501, assetWeightInit: parseI80F48(init), assetWeightMaint: parseI80F48(maint) }],
    });
    const lst = collateral('100', { emode: { tag: 501, entries: [] } });
    const first = debt('1', { emode: favour('0.95', '0.96') });
    const second = debt('1', { emode: favour('0.9', '1.05') });
    expect(totals([lst], 'initial')[0]).toBe(80);
    expect(totals([lst, first], 'initial')[0]).toBe(95);
    expect(totals([lst, first, second], 'initial')[0]).toBe(90);
    expect(totals([lst, second], 'maintenance')[0]).toBe(105);
    expect(totals([lst, first, second, debt('1')], 'initial')[0]).toBe(80);
    expect(totals([lst, first], 'equity')[0]).toBe(100);
  });

  it('names a maths error where amounts or totals do not fit', () => {
    const huge = 2n ** 126n;
    const bank = madeBank({ decimals: 0, assetInit: '1' });
    const dear = madePrice('4');
    const tooMuch = { bank, price: dear, assetShares: huge, liabilityShares: 0n, premium: 0n };
    expect(computeRequirement([tooMuch], 'initial')).toMatchObject({ kind: 'refused', index: 0, error: 'MathError' });
    const half = { ...tooMuch, price: madePrice('1.5') };
    expect(computeRequirement([half, half], 'initial')).toMatchObject({
      kind: 'refused',
      index: 1,
      error: 'MathError',
    });
  });

  it('names the panic where amount times weight does not fit', () => {
    const bank = madeBank({ decimals: 0, assetInit: '1', liabilityInit: '1000' });
    const balance = { bank, price: madePrice('1'), assetShares: 0n, liabilityShares: 2n ** 126n, premium: 0n };
    expect(computeRequirement([balance], 'initial')).toMatchObject({
      kind: 'refused',
      index: 0,
      error: 'ProgramFailedToComplete',
    });
  });
});

const requirement = fc.constantFrom<Requirement>('initial', 'maintenance', 'equity');

describe('computeRequirement of any account', () => {
  it('totals what it says of each balance', () => {
    fc.assert(
      fc.property(anyAccount, requirement, (balances, at) => {
        const outcome = computeRequirement(balances, at);
        const sum = (side: 'asset' | 'liability') =>
          outcome.values.filter((value) => value.side === side).reduce((total, { value }) => total + value, 0n);
        expect(outcome).toMatchObject({ kind: 'valued', assets: sum('asset'), liabilities: sum('liability') });
        expect(outcome.values).toHaveLength(balances.length);
      }),
    );
  });

  const anyRaw = fc.bigInt(-(2n ** 127n), 2n ** 127n - 1n);
  const anyRawBand = fc.option(fc.record({ spot: anyRaw, low: anyRaw, high: anyRaw }), {
    nil: 'OracleMaxConfidenceExceeded' as const,
  });

  it('answers whatever the numbers are', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(anyBalance, anyRaw, anyRaw, anyRaw, anyRaw, anyRawBand, fc.nat(255)), { maxLength: 4 }),
        requirement,
        (parts, at) => {
          const balances = parts.map(([balance, shares, shareValue, weight, total, band, decimals], index) => ({
            ...balance,
            assetShares: index % 2 === 0 ? shares : 0n,
            liabilityShares: index % 2 === 0 ? 0n : shares,
            price: { kind: 'loaded', spot: band, ema: band, hasBorrowingPower: true } as const,
            bank: {
              ...balance.bank,
              decimals,
              weights: { assetInit: weight, assetMaint: weight, liabilityInit: weight, liabilityMaint: weight },
              shares: {
                ...balance.bank.shares,
                assetShareValue: shareValue,
                liabilityShareValue: shareValue,
                totalAssetShares: total,
              },
            },
          }));
          expect(['valued', 'refused']).toContain(computeRequirement(balances, at).kind);
        },
      ),
      { numRuns: 500 },
    );
  });
});
