import { describe, expect, it } from 'vitest';
import { ASSET_TAG } from '../asset-tag.ts';
import { formatI80F48, I80F48_ONE, integerToI80F48, multiplyI80F48, parseI80F48 } from '../i80f48.ts';
import { calcValue } from './calc-value.ts';
import { cautiousHealthFactor, computeHealth } from './health.ts';
import { healthFactorOf, healthStatusOf } from './health-status.ts';
import { amountOf, netWorthOf, worthOf } from './net-worth.ts';
import { MAX_INTERVAL, moveBand, movePriceByPercent } from './price-move.ts';
import { toShownRatio, toShownUsd } from './ratio.ts';
import type { PriceBand, RiskBank, RiskPrice } from './risk-balance.ts';
import { type SizeRooms, strategySize } from './strategy-size.ts';
import { stressHealth } from './stress.ts';
import { collateral, debt, madeBank, madePrice } from './testing/made-balances.ts';

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

const failed = { kind: 'failed', error: 'PythPushStalePrice' } as const;
const usd = integerToI80F48;

describe('amountOf', () => {
  it('reads the shares of its own side', () => {
    const shares = { ...madeBank().shares, assetShareValue: usd(2n), liabilityShareValue: usd(3n) };
    const bank = { ...madeBank(), shares };
    const balance = { bank, price: failed, assetShares: usd(5n), liabilityShares: 0n, premium: 0n };
    expect(amountOf(balance)).toBe(usd(10n));
    const owed = { ...balance, assetShares: 0n, liabilityShares: usd(5n) };
    expect(amountOf(owed)).toBe(usd(15n));
    expect(amountOf({ ...owed, premium: usd(2n) })).toBe(usd(17n));
  });

  it('is zero for dust and null where it does not fit', () => {
    expect(amountOf({ ...collateral('1'), assetShares: 1n })).toBe(0n);
    const shares = { ...madeBank().shares, assetShareValue: 2n ** 100n };
    expect(amountOf({ ...collateral('1', { shares }), assetShares: 2n ** 100n })).toBeNull();
  });
});

describe('worthOf', () => {
  it('takes the price of the moment without bias', () => {
    expect(worthOf(collateral('3', { price: '5', interval: '1', emaPrice: '7' }), usd(3_000_000n))).toBe(usd(15n));
  });

  it('is zero for nothing, even without a price', () => {
    expect(worthOf({ ...collateral('3'), price: failed }, 0n)).toBe(0n);
  });

  it('is null without a price, an amount, or a number that fits', () => {
    expect(worthOf({ ...collateral('3'), price: failed }, usd(1n))).toBeNull();
    expect(worthOf(collateral('3'), null)).toBeNull();
    expect(worthOf({ ...collateral('3'), price: madePrice('1000000') }, 2n ** 126n)).toBeNull();
    expect(worthOf(collateral('3', { decimals: 24 }), usd(1n))).toBeNull();
  });
});

describe('netWorthOf', () => {
  it('has no leverage without equity, and no loan to value without assets', () => {
    expect(netWorthOf([collateral('1'), debt('1')], [usd(7n), usd(7n)])).toMatchObject({ equity: 0n, leverage: null });
    expect(netWorthOf([], [])).toEqual({ assets: 0n, liabilities: 0n, equity: 0n, leverage: null, loanToValue: null });
    expect(netWorthOf([debt('1')], [usd(7n)])).toMatchObject({ equity: -usd(7n), leverage: null, loanToValue: null });
  });

  it('is unknown where a part of it is', () => {
    expect(netWorthOf([collateral('1'), debt('1')], [usd(7n), null])).toBeNull();
  });
});

const even = { assetMaint: '1', liabilityMaint: '1' };
const sol = { ...even, address: 'sol', price: '100' };
const usdc = { ...even, address: 'usdc' };
const notUsdc = (bank: RiskBank) => bank.address !== 'usdc';
const shown = (balances: Parameters<typeof stressHealth>[0]) =>
  stressHealth(balances, notUsdc).map(({ shockPercent, status, ratio }) => [
    shockPercent,
    status,
    ratio === null ? null : toShownRatio(ratio),
  ]);

describe('stressHealth', () => {
  it('lets the collateral fall by 5, 10, 20 and 30 per cent', () => {
    expect(shown([collateral('1', sol), debt('80', usdc)])).toEqual([
      [-5, 'warning', 1.1875],
      [-10, 'warning', 1.125],
      [-20, 'liquidatable', 1],
      [-30, 'liquidatable', 0.875],
    ]);
  });

  it('lets debt fall with its market: a short gains, a loop within one market stays', () => {
    expect(shown([collateral('150', usdc), debt('1', sol)]).at(-1)?.[1]).toBe('healthy');
    const loop = shown([collateral('1.2', sol), debt('1', { ...sol, address: 'sol 2' })]);
    expect(loop.map(([, status]) => status)).toEqual(['warning', 'warning', 'warning', 'warning']);
  });

  it('says what moved', () => {
    const [first] = stressHealth([collateral('1', sol), debt('80', usdc)], notUsdc);
    expect(first?.appliesTo).toEqual(['sol']);
    expect(stressHealth([debt('80', usdc)], notUsdc)[0]?.appliesTo).toEqual([]);
  });

  it('does not know an account it cannot value', () => {
    const failed = { ...collateral('1', sol), price: { kind: 'failed', error: 'PythPushStalePrice' } as const };
    expect(shown([failed])[0]).toEqual([-5, 'unknown', null]);
  });
});

function band(price: string, interval: string): PriceBand {
  const made = madePrice(price, interval);
  if (made.kind === 'failed' || typeof made.spot === 'string') throw new Error('a made price has a band');
  return made.spot;
}

describe('moveBand', () => {
  it('keeps the interval of the feed in USD', () => {
    expect(moveBand(band('100', '1'), parseI80F48('64'))).toEqual(band('64', '1'));
    expect(moveBand(band('100', '1'), parseI80F48('128'))).toEqual(band('128', '1'));
  });

  it('caps the interval at 5 % of the new price', () => {
    expect(Number(formatI80F48(moveBand(band('100', '4'), parseI80F48('40')).low))).toBeCloseTo(38, 9);
  });

  it('leaves a capped band capped in both directions', () => {
    const half = multiplyI80F48(parseI80F48('100'), MAX_INTERVAL);
    const capped = { spot: parseI80F48('100'), low: parseI80F48('100') - half, high: parseI80F48('100') + half };
    expect(Number(formatI80F48(moveBand(capped, parseI80F48('200')).high))).toBeCloseTo(210, 9);
    expect(Number(formatI80F48(moveBand(capped, parseI80F48('20')).low))).toBeCloseTo(19, 9);
  });
});

describe('movePriceByPercent', () => {
  it('moves both prices of a bank', () => {
    expect(movePriceByPercent(madePrice('100', '1', '200', '1'), -25)).toEqual(madePrice('75', '1', '150', '1'));
  });

  it('has nothing to move where there is no price', () => {
    const failed = { kind: 'failed', error: 'PythPushStalePrice' } as const;
    expect(movePriceByPercent(failed, -10)).toBe(failed);
    const unusable = { kind: 'loaded', spot: 'MathError', ema: 'MathError', hasBorrowingPower: false } as const;
    expect(movePriceByPercent(unusable, -10)).toEqual(unusable);
  });
});

const NO_LIMIT: SizeRooms = {
  deposit_cap: null,
  borrow_cap: null,
  liquidity: null,
  rate_limit: null,
  swap_depth: null,
};

describe('strategySize', () => {
  it('divides deposit room by the leverage, the rest by one less', () => {
    expect(strategySize({ ...NO_LIMIT, deposit_cap: usd(900n) }, 300n)).toEqual({
      size: usd(300n),
      limitedBy: 'deposit_cap',
    });
    expect(strategySize({ ...NO_LIMIT, liquidity: usd(900n) }, 300n)).toEqual({
      size: usd(450n),
      limitedBy: 'liquidity',
    });
  });

  it('names the tightest', () => {
    const rooms = { ...NO_LIMIT, deposit_cap: usd(900n), borrow_cap: usd(500n), swap_depth: usd(550n) };
    expect(strategySize(rooms, 300n)).toEqual({ size: usd(250n), limitedBy: 'borrow_cap' });
  });

  it('needs nothing to borrow at a leverage of 1', () => {
    expect(strategySize({ ...NO_LIMIT, borrow_cap: 0n }, 100n)).toBeNull();
    expect(strategySize({ ...NO_LIMIT, borrow_cap: 0n, deposit_cap: usd(5n) }, 100n)?.size).toBe(usd(5n));
  });

  it('has no size where a room is overdrawn', () => {
    expect(strategySize({ ...NO_LIMIT, deposit_cap: -1n }, 200n)).toEqual({ size: 0n, limitedBy: 'deposit_cap' });
  });
});

describe('calcValue', () => {
  it('divides by the powers of ten of the balance', () => {
    expect(calcValue(integerToI80F48(2_500_000n), integerToI80F48(4n), null, madeBank())).toBe(integerToI80F48(10n));
    expect(calcValue(integerToI80F48(2_500_000n), integerToI80F48(4n), I80F48_ONE / 2n, madeBank())).toBe(
      integerToI80F48(5n),
    );
    expect(
      calcValue(integerToI80F48(2_500_000_000n), integerToI80F48(4n), null, madeBank({ assetTag: ASSET_TAG.drift })),
    ).toBe(integerToI80F48(10n));
  });

  it('rounds down twice and then toward zero', () => {
    expect(calcValue(3n, I80F48_ONE / 2n, I80F48_ONE / 2n, madeBank({ decimals: 0 }))).toBe(0n);
    expect(calcValue(parseI80F48('19'), I80F48_ONE, null, madeBank({ decimals: 1 }))).toBe((19n * I80F48_ONE) / 10n);
    expect(calcValue(-1n, I80F48_ONE / 2n, null, madeBank({ decimals: 1 }))).toBe(0n);
  });

  it('panics past twenty-three decimals, but not on nothing', () => {
    expect(() => calcValue(1n, I80F48_ONE, null, madeBank({ decimals: 24 }))).toThrow('decimals');
    expect(calcValue(I80F48_ONE, integerToI80F48(10n), null, madeBank({ decimals: 1 }))).toBe(I80F48_ONE);
    expect(calcValue(0n, I80F48_ONE, null, madeBank({ decimals: 24 }))).toBe(0n);
    expect(calcValue(1n, I80F48_ONE, null, madeBank({ decimals: 23 }))).toBe(0n);
  });
});
