import { describe, expect, it } from 'vitest';
import { integerToI80F48 } from '../i80f48.ts';
import { cautiousHealthFactor, computeHealth } from './health.ts';
import { healthFactorOf, healthStatusOf } from './health-status.ts';
import { toShownRatio, toShownUsd } from './ratio.ts';
import type { RiskPrice } from './risk-balance.ts';
import { collateral, debt, madePrice } from './testing/made-balances.ts';

const FAILED: RiskPrice = { kind: 'failed', error: 'PythPushStalePrice' };
const half = { assetInit: '0.5', assetMaint: '0.5', liabilityInit: '1', liabilityMaint: '1' };

describe('computeHealth', () => {
  const account = [
    collateral('10', { ...half, address: 'sol', price: '100', interval: '1', emaPrice: '90', decimals: 9 }),
    debt('300', { ...half, address: 'usdc' }),
  ];

  it('gives totals, ratio, factor and room at their own requirements', () => {
    const health = computeHealth(account);
    expect(health.maintenance).toEqual({ assets: integerToI80F48(495n), liabilities: integerToI80F48(300n) });
    expect(health.initial).toEqual({ assets: integerToI80F48(445n), liabilities: integerToI80F48(300n) });
    expect(health.equity).toEqual({ assets: integerToI80F48(890n), liabilities: integerToI80F48(300n) });
    expect(health.ratio).not.toBeNull();
    expect(toShownRatio(health.ratio ?? { numerator: 0n, denominator: 1n })).toBe(1.65);
    expect(toShownRatio(health.factor ?? { numerator: 0n, denominator: 1n })).toBeCloseTo(1 - 300 / 495, 15);
    expect(health.status).toBe('moderate');
    expect(toShownUsd(health.healthUsd ?? 0n)).toBe(195);
    expect(toShownUsd(health.freeCollateral ?? 0n)).toBe(145);
  });

  it('shows net worth without weights and bias, at the price of the moment', () => {
    const { worth, positions } = computeHealth(account);
    expect(worth).toEqual({
      assets: integerToI80F48(1000n),
      liabilities: integerToI80F48(300n),
      equity: integerToI80F48(700n),
      leverage: { numerator: integerToI80F48(1000n), denominator: integerToI80F48(700n) },
      loanToValue: { numerator: integerToI80F48(300n), denominator: integerToI80F48(1000n) },
    });
    expect(positions).toEqual([
      {
        bank: 'sol',
        side: 'asset',
        amount: integerToI80F48(10_000_000_000n),
        worth: integerToI80F48(1000n),
        weighted: { weight: 2n ** 47n, value: integerToI80F48(495n) },
      },
      {
        bank: 'usdc',
        side: 'liability',
        amount: integerToI80F48(300_000_000n),
        worth: integerToI80F48(300n),
        weighted: { weight: 2n ** 48n, value: integerToI80F48(300n) },
      },
    ]);
  });

  it('calls an account without debt, and an empty one, healthy', () => {
    for (const balances of [[], account.slice(0, 1)])
      expect(computeHealth(balances)).toMatchObject({
        status: 'healthy',
        ratio: null,
        factor: { numerator: 1n, denominator: 1n },
        oracleIssues: [],
      });
  });

  it('leaves no free collateral below zero', () => {
    expect(computeHealth([debt('5')]).freeCollateral).toBe(0n);
  });

  it('does not know an account with a stale collateral, names it, and still shows the rest', () => {
    const stale = { ...collateral('10', { ...half, address: 'jup' }), price: FAILED };
    const health = computeHealth([stale, ...account]);
    expect(health).toMatchObject({
      status: 'unknown',
      maintenance: null,
      equity: null,
      ratio: null,
      factor: null,
      healthUsd: null,
      worth: null,
      oracleIssues: [{ index: 0, bank: 'jup', side: 'asset', error: 'PythPushStalePrice' }],
    });
    expect(health.freeCollateral).toBe(integerToI80F48(145n));
    expect(health.positions.map(({ worth }) => worth)).toEqual([null, integerToI80F48(1000n), integerToI80F48(300n)]);
    expect(health.positions.map(({ weighted }) => weighted?.value ?? null)).toEqual([
      null,
      integerToI80F48(495n),
      integerToI80F48(300n),
    ]);
  });

  it('knows the factor without debt even where no price is known', () => {
    expect(computeHealth([{ ...collateral('10'), price: FAILED }])).toMatchObject({
      status: 'unknown',
      factor: { numerator: 1n, denominator: 1n },
    });
  });

  it('names a band too wide as an oracle issue, and keeps what does not need it', () => {
    const price = { ...madePrice('1'), ema: 'OracleMaxConfidenceExceeded' } as RiskPrice;
    const health = computeHealth([{ ...collateral('10', { ...half, address: 'x' }), price }]);
    expect(health).toMatchObject({ status: 'healthy', initial: null, freeCollateral: null });
    expect(health.oracleIssues).toEqual([{ index: 0, bank: 'x', side: 'asset', error: 'OracleMaxConfidenceExceeded' }]);
  });

  it('counts isolated collateral in the net worth only', () => {
    const health = computeHealth([collateral('10', { riskTier: 'Isolated' }), debt('4', half)]);
    expect(health.status).toBe('liquidatable');
    expect(health.worth?.equity).toBe(integerToI80F48(6n));
    expect(health.positions[0]?.weighted).toEqual({ weight: 0n, value: 0n });
  });
});

describe('cautiousHealthFactor', () => {
  const stale = { ...collateral('100', half), price: FAILED };

  it('equals the factor where all prices are known', () => {
    expect(cautiousHealthFactor([collateral('8', half), debt('3', half)])).toEqual(
      computeHealth([collateral('8', half), debt('3', half)]).factor,
    );
  });

  it('counts stale collateral as nothing', () => {
    expect(toShownRatio(cautiousHealthFactor([stale, collateral('8', half), debt('3', half)]))).toBe(0.25);
    expect(toShownRatio(cautiousHealthFactor([stale, debt('3', half)]))).toBe(-1);
    expect(toShownRatio(cautiousHealthFactor([stale]))).toBe(1);
  });

  it('takes the worst for a debt without price', () => {
    expect(toShownRatio(cautiousHealthFactor([collateral('800', half), { ...debt('3'), price: FAILED }]))).toBe(-1);
  });
});

describe('healthStatusOf', () => {
  it.each([
    [2000n, 'healthy'],
    [1999n, 'moderate'],
    [1250n, 'moderate'],
    [1249n, 'warning'],
    [1100n, 'warning'],
    [1099n, 'critical'],
    [1001n, 'critical'],
    [1000n, 'liquidatable'],
    [0n, 'liquidatable'],
  ] as const)('calls %i against a thousand %s', (assets, status) => {
    expect(healthStatusOf({ assets, liabilities: 1000n })).toBe(status);
  });

  it('is healthy without debt, and with none but the smallest is not', () => {
    expect(healthStatusOf({ assets: 0n, liabilities: 0n })).toBe('healthy');
    expect(healthStatusOf({ assets: 0n, liabilities: 1n })).toBe('liquidatable');
  });
});

describe('healthFactorOf', () => {
  it('is zero on the line, and stops at −1', () => {
    expect(toShownRatio(healthFactorOf({ assets: 5n, liabilities: 5n }))).toBe(0);
    expect(toShownRatio(healthFactorOf({ assets: 100n, liabilities: 199n }))).toBe(-0.99);
    expect(toShownRatio(healthFactorOf({ assets: 100n, liabilities: 200n }))).toBe(-1);
    expect(toShownRatio(healthFactorOf({ assets: 0n, liabilities: 1n }))).toBe(-1);
    expect(toShownRatio(healthFactorOf({ assets: 0n, liabilities: 0n }))).toBe(1);
  });
});
