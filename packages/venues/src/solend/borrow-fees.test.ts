import { describe, expect, it } from 'vitest';
import { computeBorrowFees } from './borrow-fees.ts';
import { madeReserve } from './testing/made-reserve.ts';
import { WAD } from './wads.ts';

const charging = (borrowFeeWad: bigint, hostFeePercentage: number) =>
  madeReserve({ config: { fees: { borrowFeeWad, flashLoanFeeWad: 0n, hostFeePercentage } } });
/** A tenth of a percent, a fifth of it the host's. */
const usual = charging(WAD / 1_000n, 20);

describe('computeBorrowFees', () => {
  it('adds its share to what is received, or takes it out of what is borrowed', () => {
    expect(computeBorrowFees(usual, 1_000_000n * WAD, 'added')).toEqual({
      feeWads: 1_000n * WAD,
      borrowFee: 1_000n,
      hostFee: 200n,
    });
    expect(computeBorrowFees(usual, 1_001_000n * WAD, 'included')).toMatchObject({ borrowFee: 1_000n, hostFee: 200n });
  });

  it('rounds to the nearest unit, and charges one for either who takes part', () => {
    expect(computeBorrowFees(usual, 2_400n * WAD, 'added')).toMatchObject({ borrowFee: 2n, hostFee: 1n });
    expect(computeBorrowFees(usual, 2_500n * WAD, 'added')).toMatchObject({ borrowFee: 3n, hostFee: 1n });
    expect(computeBorrowFees(usual, 10n * WAD, 'added')).toMatchObject({ borrowFee: 2n, hostFee: 1n });
    expect(computeBorrowFees(charging(1n, 0), 10n * WAD, 'added')).toMatchObject({ borrowFee: 1n, hostFee: 0n });
  });

  it('charges nothing for nothing, and nothing where there is no fee', () => {
    const nothing = { feeWads: 0n, borrowFee: 0n, hostFee: 0n };
    expect(computeBorrowFees(usual, 0n, 'added')).toEqual(nothing);
    expect(computeBorrowFees(charging(0n, 20), 10n * WAD, 'added')).toEqual(nothing);
  });
});
