import { formatI80F48, I80F48_ONE, integerToI80F48, parseI80F48 } from '@lending/domain';
import { MARGINFI_PROGRAM } from '@lending/programs';
import { describe, expect, it } from 'vitest';
import { bankAccount } from '#testing/made-bank.ts';
import { decodeBank } from './decode-bank.ts';
import { sampleRates } from './sample-rates.ts';

const NOW = 1_777_000_000n;
const account = bankAccount({
  totalAssetShares: integerToI80F48(1000n),
  totalLiabilityShares: integerToI80F48(400n),
  lastUpdate: NOW - 86_400n,
});
const zero = decodeBank(account, MARGINFI_PROGRAM);
const bank = {
  ...zero,
  curve: {
    kind: 'legacy',
    optimalUtilization: parseI80F48('0.8'),
    plateauApr: parseI80F48('0.1'),
    maxApr: parseI80F48('3'),
  },
} as const;
const group = { programFee: null };
const feeGroup = { programFee: { rate: parseI80F48('0.1'), fixedApr: 0n } };
const near = (raw: bigint | null) => Number(formatI80F48(raw ?? -1n));

describe('sampleRates', () => {
  it('projects share values and totals to the asked time', () => {
    const later = sampleRates(bank, group, NOW, null);
    expect(near(later.assetShareValue)).toBeCloseTo(1 + (0.05 * 0.4) / 365, 12);
    expect(near(later.liabilityShareValue)).toBeCloseTo(1 + 0.05 / 365, 12);
    expect(sampleRates(bank, group, bank.shares.lastUpdate, null)).toMatchObject({
      assetShareValue: I80F48_ONE,
      totalAssetsBase: 1000n,
      totalLiabilitiesBase: 400n,
    });
  });

  it('shows the program fee inside the borrow rate and apart', () => {
    const [without, with_] = [
      sampleRates(bank, group, bank.shares.lastUpdate, null),
      sampleRates(bank, feeGroup, bank.shares.lastUpdate, null),
    ];
    expect(near(without.borrowApr)).toBeCloseTo(0.05, 12);
    expect(near(with_.borrowApr)).toBeCloseTo(0.055, 12);
    expect(with_.borrowApr).toBe((without.borrowApr ?? 0n) + (with_.programFeeApr ?? 0n));
    expect(with_.depositApr).toBe(without.depositApr);
  });

  it('knows no borrow rate and projects nothing when the group is not known', () => {
    const reading = sampleRates(bank, null, NOW, null);
    expect(reading).toMatchObject({ borrowApr: null, programFeeApr: null, liabilityShareValue: I80F48_ONE });
    expect(near(reading.depositApr)).toBeCloseTo(0.02, 12);
  });

  it('lends out no more than the vault holds, nor what is already lent', () => {
    const at = bank.shares.lastUpdate;
    expect(sampleRates(bank, group, at, 250n).availableLiquidityBase).toBe(250n);
    expect(sampleRates(bank, group, at, 9999n).availableLiquidityBase).toBe(600n);
    expect(sampleRates(bank, group, at, null).availableLiquidityBase).toBeNull();
  });

  it('has nothing to lend when more is owed than deposited', () => {
    const shares = { ...bank.shares, totalLiabilityShares: integerToI80F48(1001n) };
    expect(sampleRates({ ...bank, shares }, group, bank.shares.lastUpdate, 50n).availableLiquidityBase).toBe(0n);
  });

  it('knows sizes but no rates on a curve it has not heard of', () => {
    const reading = sampleRates({ ...bank, curve: { kind: 'unknown', curveType: 5 } }, group, NOW, 1n);
    expect(reading).toMatchObject({ baseApr: null, depositApr: null, borrowApr: null, totalAssetsBase: 1000n });
  });

  it('knows nothing but share values of a bank on another venue', () => {
    const kamino = sampleRates({ ...bank, venue: 'kamino' }, group, NOW, 7n);
    expect(kamino).toEqual({
      assetShareValue: I80F48_ONE,
      liabilityShareValue: I80F48_ONE,
      utilization: null,
      baseApr: null,
      depositApr: null,
      borrowApr: null,
      programFeeApr: null,
      totalAssetsBase: null,
      totalLiabilitiesBase: null,
      availableLiquidityBase: null,
    });
  });
});
