import { describe, expect, it } from 'vitest';
import { toShownRatio } from './ratio.ts';
import type { RiskBank } from './risk-balance.ts';
import { stressHealth } from './stress.ts';
import { collateral, debt } from './testing/made-balances.ts';

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
