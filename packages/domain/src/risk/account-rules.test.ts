import { describe, expect, it } from 'vitest';
import {
  findAssetTagViolation,
  findIsolatedViolation,
  findSlotViolation,
  type HeldSlot,
  VENUE_LIMIT,
} from './account-rules.ts';
import { collateral, debt } from './testing/made-balances.ts';

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
