import { describe, expect, it } from 'vitest';
import { parseI80F48 } from '../i80f48.ts';
import {
  findAssetTagViolation,
  findIsolatedViolation,
  findSlotViolation,
  type HeldSlot,
  VENUE_LIMIT,
} from './account-rules.ts';
import { findUnpricedCollateral, owesPremium, premiumRatesAfter, weighCollateral } from './premium-refresh.ts';
import type { RiskBalance, RiskPrice } from './risk-balance.ts';
import { collateral, debt, madePrice } from './testing/made-balances.ts';

const slots = (...tags: readonly number[]): readonly HeldSlot[] =>
  tags.map((assetTag, index) => ({ bank: `bank ${index}`, assetTag }));
const repeat = (tag: number, times: number) => Array.from({ length: times }, () => tag);

describe('findIsolatedViolation', () => {
  const isolated = debt('1', { riskTier: 'Isolated' });

  it('allows an isolated debt alone, whatever the collateral', () => {
    expect(findIsolatedViolation([collateral('1'), isolated, collateral('1', { riskTier: 'Isolated' })])).toBeNull();
  });

  it('refuses an isolated debt beside any other debt', () => {
    expect(findIsolatedViolation([isolated, debt('1')])).toBe('IsolatedAccountIllegalState');
    expect(findIsolatedViolation([isolated, isolated])).toBe('IsolatedAccountIllegalState');
  });

  it('does not count dust as a debt', () => {
    expect(findIsolatedViolation([isolated, { ...debt('1'), liabilityShares: 1n }])).toBeNull();
    expect(findIsolatedViolation([debt('1'), debt('1')])).toBeNull();
  });
});

describe('findAssetTagViolation', () => {
  it.each([0, 3, 4, 5, 6])('keeps tag %i away from staked collateral, both ways', (tag) => {
    expect(findAssetTagViolation(slots(1, 2), tag)).toBe('AssetTagMismatch');
    expect(findAssetTagViolation(slots(1, tag), 2)).toBe('AssetTagMismatch');
    expect(findAssetTagViolation(slots(0, 1, 3, 4, 5, 6), tag)).toBeNull();
  });

  it('lets SOL mix with anything, and staked with staked', () => {
    expect(findAssetTagViolation(slots(2), 1)).toBeNull();
    expect(findAssetTagViolation(slots(0, 3), 1)).toBeNull();
    expect(findAssetTagViolation(slots(1, 2), 2)).toBeNull();
  });

  it('panics with the program on a held tag it does not know', () => {
    expect(findAssetTagViolation(slots(7), 1)).toBe('ProgramFailedToComplete');
    expect(findAssetTagViolation(slots(0, 2), 7)).toBeNull();
  });
});

describe('findSlotViolation', () => {
  const wanted = (assetTag: number) => ({ bank: 'new bank', assetTag });

  it('has room for sixteen balances', () => {
    expect(findSlotViolation(slots(...repeat(0, 15)), wanted(0))).toBeNull();
    expect(findSlotViolation(slots(...repeat(0, 16)), wanted(0))).toBe('LendingAccountBalanceSlotsFull');
  });

  it('has room for four balances on venues and in staked banks together', () => {
    expect(findSlotViolation(slots(3, 4, 6), wanted(2))).toBeNull();
    for (const tag of [2, 3, 4, 5, 6]) {
      expect(findSlotViolation(slots(2, 3, 4, 5), wanted(tag))).toBe('CostlyPositionLimitExceeded');
    }
    expect(findSlotViolation(slots(2, 3, 4, 5), wanted(0))).toBeNull();
    expect(findSlotViolation(slots(2, 3, 4, 5), wanted(1))).toBeNull();
  });

  it('had room for eight on venues up to 0.1.11, and did not count staked ones', () => {
    const upTo0111 = (held: readonly HeldSlot[], tag: number) => findSlotViolation(held, wanted(tag), VENUE_LIMIT);
    expect(upTo0111(slots(2, 2, 3, 3, 4, 4, 5, 5, 6), 6)).toBeNull();
    expect(upTo0111(slots(3, 3, 4, 4, 5, 5, 6, 6), 3)).toBe('CostlyPositionLimitExceeded');
    expect(upTo0111(slots(3, 3, 4, 4, 5, 5, 6, 6), 2)).toBeNull();
  });

  it('names the limit of the costly ones first when both are reached', () => {
    const full = slots(...repeat(3, 4), ...repeat(0, 12));
    expect(findSlotViolation(full, wanted(4))).toBe('CostlyPositionLimitExceeded');
  });

  it('needs no slot for a bank that is held', () => {
    expect(findSlotViolation(slots(...repeat(3, 16)), { bank: 'bank 9', assetTag: 3 })).toBeNull();
  });
});

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
