import { describe, expect, it } from 'vitest';
import { readBankFlags } from './bank-flags.ts';

describe('readBankFlags', () => {
  it.each([
    [2n, 'canSettleBadDebtPermissionlessly'],
    [3n, 'hasFrozenSettings'],
    [4n, 'canBeClosed'],
    [5n, 'allowsTokenlessRepayments'],
    [6n, 'hasCompletedTokenlessRepayments'],
    [7n, 'isToken2022'],
    [8n, 'isSeedKnown'],
    [9n, 'isStakedOracleDisabled'],
    [10n, 'usesStakedOnRamp'],
  ])('calls bit %i %s', (bit, name) => {
    expect(readBankFlags({ flags: 1n << bit })).toEqual({ ...readBankFlags({ flags: 0n }), [name]: true });
  });

  it('has no name for the emissions of old, or for what is to come', () => {
    expect(readBankFlags({ flags: 3n | (1n << 11n) })).toEqual(readBankFlags({ flags: 0n }));
  });
});
