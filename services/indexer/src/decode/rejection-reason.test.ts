import { LendingError } from '@lending/errors';
import { describe, expect, it } from 'vitest';
import { rejectionReasonOf } from './rejection-reason.ts';

describe('rejectionReasonOf', () => {
  it('has a word for every way an account cannot be decoded', () => {
    expect(rejectionReasonOf(new LendingError('DECODE__ACCOUNT_MALFORMED'))).toBe('account_malformed');
    expect(rejectionReasonOf(new LendingError('DECODE__DISCRIMINATOR_MISMATCH'))).toBe('discriminator_mismatch');
    expect(rejectionReasonOf(new LendingError('DECODE__OWNER_MISMATCH'))).toBe('owner_mismatch');
    expect(rejectionReasonOf(new LendingError('DECODE__VALUE_OUT_OF_RANGE'))).toBe('value_out_of_range');
  });

  it('calls anything else unreadable, whatever it says', () => {
    expect(rejectionReasonOf(new LendingError('CHAIN__RPC_UNAVAILABLE'))).toBe('unreadable');
    expect(rejectionReasonOf(new RangeError('account_gone'))).toBe('unreadable');
  });
});
