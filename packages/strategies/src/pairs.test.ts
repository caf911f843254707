import type { LeveragePair, RiskBank } from '@lending/domain';
import { describe, expect, it } from 'vitest';
import { byScore } from './by-score.ts';
import { kindOf, typeOf } from './kind.ts';
import { termsOf } from './pair-terms.ts';
import { listPairs } from './pairs.ts';
import type { StrategyBank } from './strategy-bank.ts';
import { type MadeBank, madeBank, madeLst, madeSol } from './testing/made-banks.ts';

const supply = (made: MadeBank = {}) => madeBank({ address: 'Supply', lendsOut: false, ...made });
const debt = (made: MadeBank = {}) => madeBank({ address: 'Debt', takesDeposits: false, ...made });
const isPaired = (one: MadeBank, other: MadeBank = {}) => listPairs([supply(one), debt(other)]).length === 1;
const tagged = (assetTag: number): { risk: Partial<RiskBank> } => ({ risk: { assetTag } });

describe('listPairs', () => {
  it('pairs every bank that takes deposits with every other that lends', () => {
    const banks = [
      madeBank({ address: 'A' }),
      madeBank({ address: 'B' }),
      madeBank({ address: 'C', lendsOut: false, venue: 'kamino' }),
    ];
    expect(listPairs(banks).map((pair) => `${pair.supply.address}${pair.borrow.address}`)).toEqual([
      'AB',
      'BA',
      'CA',
      'CB',
    ]);
  });

  it('asks nothing of rates, rooms or prices', () => {
    const nothing = { interestDeposit: null, totalBorrow: null, native: null, emissionsDeposit: null };
    const dark: MadeBank = { now: nothing, depositRoomUsd: 0n, borrowRoomUsd: 0n, blockedBy: 'paused_group' };
    expect(isPaired(dark, { ...dark, liquidityUsd: null })).toBe(true);
  });

  it('leaves out what configuration closes, and debts of other venues', () => {
    expect(isPaired({ takesDeposits: false })).toBe(false);
    expect(isPaired({}, { lendsOut: false })).toBe(false);
    expect(isPaired({ venue: 'kamino', ...tagged(3) })).toBe(true);
    expect(isPaired({}, { venue: 'kamino' })).toBe(false);
  });

  it('stays within a group', () => {
    expect(isPaired({}, { group: 'Other' })).toBe(false);
  });

  it('does not pair a bank with itself', () => {
    expect(listPairs([madeBank()])).toEqual([]);
  });

  it('supplies nothing isolated, but owes it alone', () => {
    expect(isPaired({ risk: { riskTier: 'Isolated' } })).toBe(false);
    expect(isPaired({}, { risk: { riskTier: 'Isolated' } })).toBe(true);
  });

  it('mixes staked collateral with SOL and staked only', () => {
    const [plain, sol, staked, kamino, unheardOf] = [0, 1, 2, 3, 99].map(tagged) as [
      MadeBank,
      MadeBank,
      MadeBank,
      MadeBank,
      MadeBank,
    ];
    expect([isPaired(staked, sol), isPaired(sol, staked), isPaired(staked, staked)]).toEqual([true, true, true]);
    expect([isPaired(staked, plain), isPaired(plain, staked), isPaired(kamino, staked)]).toEqual([false, false, false]);
    expect([isPaired(plain, sol), isPaired(sol, plain), isPaired(kamino, sol)]).toEqual([true, true, true]);
    expect(isPaired(unheardOf, plain)).toBe(false);
  });

  it('leaves out what does not lever', () => {
    expect(isPaired({ assetInit: '0', assetMaint: '0' })).toBe(false);
  });
});

const pairOf = (supply: MadeBank, borrow: MadeBank = {}): LeveragePair => {
  const [collateral, debt] = [madeBank(supply), madeBank(borrow)];
  return { collateral: collateral.risk, debt: debt.risk, originationFee: debt.originationFee };
};

describe('termsOf', () => {
  it('works out staked SOL of tier 1 against SOL', () => {
    const terms = termsOf({ collateral: madeLst().risk, debt: madeSol().risk, originationFee: 0n });
    // 1 ÷ (1 − 1.046 ÷ 1.14) = 12.1276…; with 1 % of cost 10.9132…; 1.21 ÷ (1.21 − 1.051) = 7.6100…, below 0.9 × 10.91.
    expect(terms).toMatchObject({ maxHundredths: 1091n, recommendedHundredths: 761n, emodeApplied: true });
    expect(terms?.theoreticalMax).toBeCloseTo(1.14 / 0.094, 9);
    // 7.61 × 1.051 against 6.61 × 1.1.
    expect(terms?.recommendedRisk.healthRatio).toBeCloseTo(7.99811 / 7.271, 9);
    expect(terms?.recommendedRisk.priceRatioDropPct).toBeCloseTo(100 * (1 - 7.271 / 7.99811), 9);
  });

  it('lists a pair from 1.01 on', () => {
    // 1 ÷ (1 − w × 0.99 ÷ 1.25) is 1.01 at w = 0.012501…
    expect(termsOf(pairOf({ assetInit: '0.0126' }))?.maxHundredths).toBe(101n);
    expect(termsOf(pairOf({ assetInit: '0.0124' }))).toBeNull();
  });

  it('recommends supplying alone where little can be levered', () => {
    const terms = termsOf(pairOf({ assetInit: '0.1', assetMaint: '0.1' }));
    expect(terms).toMatchObject({
      maxHundredths: 108n,
      recommendedHundredths: 100n,
      recommendedRisk: { healthRatio: null, priceRatioDropPct: null },
    });
  });

  it('caps what weights set no bound to at what a loop can be asked for', () => {
    const endless = termsOf(pairOf({ assetInit: '1.5', assetMaint: '1.6' }));
    expect(endless).toMatchObject({
      maxHundredths: 99_999_999_999n,
      theoreticalMax: null,
      recommendedHundredths: 89_999_999_999n,
    });
    // Bound by the margin for costs, to nothing that anybody could ask for.
    const nearly = termsOf(pairOf({ assetInit: '1.262626262626', assetMaint: '1.3' }));
    expect(nearly).toMatchObject({ maxHundredths: 99_999_999_999n, recommendedHundredths: 89_999_999_999n });
  });

  it('keeps the healthy leverage where only the maximum has no bound', () => {
    // 1.21 ÷ (1.21 − 1.05) = 7.5625
    const terms = termsOf(pairOf({ assetInit: '1.5', assetMaint: '1.05' }));
    expect(terms).toMatchObject({ maxHundredths: 99_999_999_999n, recommendedHundredths: 756n });
  });

  it('takes the origination fee off the maximum', () => {
    const [free, dear] = ['0', '0.02'].map((originationFee) => termsOf(pairOf({}, { originationFee }))?.maxHundredths);
    // 1 ÷ (1 − 0.64 × 0.99), and × 0.97
    expect([free, dear]).toEqual([272n, 263n]);
  });
});

const CLASSES = ['dollar', 'sol', 'other'] as const;
const side = (assetClass: StrategyBank['assetClass'], mint: string = assetClass) => ({ assetClass, mint });

describe('typeOf', () => {
  it('tells a loop from borrowing the very token', () => {
    expect(typeOf(side('dollar', 'a'), side('dollar', 'b'))).toBe('loop');
    expect(typeOf(side('dollar', 'a'), side('dollar', 'a'))).toBe('rate_arbitrage');
  });
});

describe('kindOf', () => {
  it('names what moves the worth', () => {
    const kinds = CLASSES.map((supply) => CLASSES.map((borrow) => kindOf(side(supply, 'a'), side(borrow, 'b'))));
    expect(kinds).toEqual([
      ['stable', 'directional_short', 'directional_short'],
      ['directional_long', 'sol_lst', 'other'],
      ['directional_long', 'other', 'other'],
    ]);
  });

  it('has a kind of its own for one token on both sides, whatever the token is', () => {
    expect(CLASSES.map((each) => kindOf(side(each), side(each)))).toEqual(CLASSES.map(() => 'rate_arbitrage'));
  });
});

const scored = (score: number, supply: string, borrow: string) => ({
  score,
  supply: { address: supply },
  borrow: { address: borrow },
});

describe('byScore', () => {
  it('has the best first, then goes by address', () => {
    const order = [
      scored(9, 'z', 'z'),
      scored(5, 'B', 'a'),
      scored(5, 'B', 'b'),
      scored(5, 'a', 'Z'),
      scored(1, 'A', 'A'),
    ];
    expect([...order].reverse().sort(byScore)).toEqual(order);
  });

  it('finds a pair equal to itself only', () => {
    expect(byScore(scored(5, 'a', 'b'), scored(5, 'a', 'b'))).toBe(0);
  });
});
