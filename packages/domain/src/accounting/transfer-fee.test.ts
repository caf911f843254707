import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { U64_MAX } from '../integers.ts';
import { amountAfterFee, amountBeforeFee } from './transfer-fee.ts';

describe('amountBeforeFee', () => {
  it('adds nothing without a fee, and to nothing', () => {
    expect(amountBeforeFee(null, 500n)).toBe(500n);
    expect(amountBeforeFee({ basisPoints: 0, maximumFeeBase: 9n }, 500n)).toBe(500n);
    expect(amountBeforeFee({ basisPoints: 10_000, maximumFeeBase: 9n }, 0n)).toBe(0n);
  });

  it('rounds up, to the largest fee at most', () => {
    expect(amountBeforeFee({ basisPoints: 300, maximumFeeBase: 1000n }, 100n)).toBe(104n);
    expect(amountBeforeFee({ basisPoints: 300, maximumFeeBase: 2n }, 100n)).toBe(102n);
    expect(amountBeforeFee({ basisPoints: 10_000, maximumFeeBase: 7n }, 100n)).toBe(107n);
  });

  it('has no answer beyond a u64', () => {
    expect(amountBeforeFee({ basisPoints: 1, maximumFeeBase: U64_MAX }, U64_MAX)).toBeNull();
  });

  it('lets at least the wanted amount arrive', () => {
    const fee = fc.record({ basisPoints: fc.integer({ min: 0, max: 9999 }), maximumFeeBase: fc.bigInt(0n, 10n ** 9n) });
    fc.assert(
      fc.property(fee, fc.bigInt(0n, 10n ** 15n), (transferFee, wanted) => {
        const sent = amountBeforeFee(transferFee, wanted);
        expect(sent).not.toBeNull();
        expect(amountAfterFee(transferFee, sent ?? 0n)).toBeGreaterThanOrEqual(wanted);
      }),
    );
  });
});
