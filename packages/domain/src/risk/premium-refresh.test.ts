import { describe, expect, it } from 'vitest';
import { parseI80F48 } from '../i80f48.ts';
import { findUnpricedCollateral, owesPremium, premiumRatesAfter, weighCollateral } from './premium-refresh.ts';
import type { RiskBalance, RiskPrice } from './risk-balance.ts';
import { collateral, debt, madePrice } from './testing/made-balances.ts';

const BONK = 7;
const STABLE = 9;
const PAIRS = [{ collateralTag: BONK, liabilityTag: STABLE, rate: 42_949_672 }];
const tagged = (tag: number, isActive = false) => ({ premium: { tag, isActive, activatedAt: 0n } });
const owed = debt('1', tagged(STABLE, true));
const bonk = (changes: Parameters<typeof collateral>[1] = {}) => collateral('10', { ...tagged(BONK), ...changes });
const plain = collateral('10');
const stale = (balance: RiskBalance): RiskBalance => ({
  ...balance,
  price: { kind: 'failed', error: 'PythPushStalePrice' },
});
const rateOf = (balances: readonly RiskBalance[], at: 'initial' | 'maintenance' = 'initial', pairs = PAIRS) =>
  premiumRatesAfter([owed, ...balances], at, pairs)[0];

describe('premiumRatesAfter', () => {
  it('weighs by what collateral is worth without weights, untagged too', () => {
    expect(rateOf([bonk()])).toBe(42_949_671);
    expect(rateOf([bonk(), plain])).toBe(21_474_835);
    expect(rateOf([plain])).toBe(0);
    expect(rateOf([bonk({ assetInit: '0.1', assetMaint: '0.2' }), plain])).toBe(21_474_835);
  });

  it('takes the price of the pass, at its lower edge', () => {
    const fallen = { ...bonk(), price: madePrice('1', '0', '0.5') };
    const sure = { ...plain, price: madePrice('1') };
    expect(rateOf([fallen, sure])).toBe(14_316_557);
    expect(rateOf([fallen, sure], 'maintenance')).toBe(21_474_835);
    expect(weighCollateral([{ ...bonk(), price: madePrice('1', '0.25') }], 'initial', PAIRS).weights).toEqual([
      { index: 0, tag: BONK, usd: parseI80F48('7.5') },
    ]);
  });

  it('counts what backs no new debt, and neither isolated collateral nor what has no maintenance weight', () => {
    const unpowered = { ...bonk(), price: { ...madePrice('1'), hasBorrowingPower: false } as RiskPrice };
    for (const half of [bonk({ operationalState: 'ReduceOnly' }), bonk({ operationalState: 'Paused' }), unpowered]) {
      expect(rateOf([half, plain])).toBe(21_474_835);
    }
    for (const none of [bonk({ riskTier: 'Isolated' }), bonk({ assetInit: '0', assetMaint: '0' })]) {
      expect(rateOf([none, plain])).toBe(0);
    }
  });

  it('sets no rate while a price that counts is missing', () => {
    expect(rateOf([stale(bonk()), plain])).toBeNull();
    expect(rateOf([stale(plain)], 'initial', [])).toBeNull();
    const closing = bonk({ operationalState: 'ReduceOnly' });
    expect(rateOf([stale(closing), plain])).toBeNull();
    expect(rateOf([stale(closing), plain], 'initial', [])).toBe(0);
    expect(rateOf([stale(bonk({ riskTier: 'Isolated' })), plain])).toBe(0);
    expect(rateOf([stale(bonk({ operationalState: 'ReduceOnly', assetMaint: '0' })), plain])).toBe(0);
  });

  it('is for debts in banks that charge a premium alone', () => {
    const free = debt('1', tagged(STABLE));
    expect(premiumRatesAfter([bonk(), free, owed], 'initial', PAIRS)).toEqual([null, null, 42_949_671]);
    expect(owesPremium([bonk(), free])).toBe(false);
    expect(owesPremium([bonk(), owed])).toBe(true);
  });

  it('sets none where the risk engine refuses the account', () => {
    expect(premiumRatesAfter([bonk(), stale(owed)], 'initial', PAIRS)).toEqual([null, null]);
  });
});

describe('findUnpricedCollateral', () => {
  it('names the first deposit without a price, where a debt bears a premium', () => {
    const balances = [owed, bonk(), stale(plain), stale(bonk())];
    expect(findUnpricedCollateral(balances, PAIRS)).toBe(balances[2]);
    expect(findUnpricedCollateral([owed, bonk(), plain], PAIRS)).toBeNull();
    expect(findUnpricedCollateral([debt('1', tagged(STABLE)), stale(plain)], PAIRS)).toBeNull();
  });

  it('looks at what backs no new debt only where the group charges anything', () => {
    const closing = stale(bonk({ operationalState: 'ReduceOnly' }));
    expect(findUnpricedCollateral([owed, closing, plain], PAIRS)).toBe(closing);
    expect(findUnpricedCollateral([owed, closing, plain], [])).toBeNull();
  });
});
