import { getSysvarRentEncoder, SYSVAR_RENT_ADDRESS } from '@solana/sysvars';
import { describe, expect, it } from 'vitest';
import { BANK } from '#testing/made-bank.ts';
import { bankOfSetup } from '#testing/made-oracles.ts';
import { readRentLamportsPerByte, rentSysvarOf } from './rent.ts';

const sysvar = (lamportsPerByteYear: bigint, exemptionThreshold: number) => ({
  address: SYSVAR_RENT_ADDRESS,
  owner: BANK,
  data: Uint8Array.from(
    getSysvarRentEncoder().encode({
      lamportsPerByteYear: lamportsPerByteYear as never,
      exemptionThreshold: exemptionThreshold as never,
      burnPercent: 50,
    }),
  ),
});

describe('rentSysvarOf', () => {
  it('is asked for by staked banks that count their on-ramp only', () => {
    expect(rentSysvarOf(bankOfSetup(5, { flags: 1n << 10n }))).toBe(SYSVAR_RENT_ADDRESS);
    expect(rentSysvarOf(bankOfSetup(5))).toBeNull();
    expect(rentSysvarOf(bankOfSetup(3, { flags: 1n << 10n }))).toBeNull();
  });
});

describe('readRentLamportsPerByte', () => {
  it('is the price of a year times the years that are asked for', () => {
    expect(readRentLamportsPerByte(sysvar(3_480n, 2))).toBe(6_960n);
    expect(readRentLamportsPerByte(sysvar(6_960n, 1))).toBe(6_960n);
  });

  it('is unknown where it is not said in whole lamports', () => {
    expect(readRentLamportsPerByte(null)).toBeUndefined();
    expect(readRentLamportsPerByte(sysvar(3_480n, 1.5))).toBeUndefined();
    const { data, ...rest } = sysvar(3_480n, 2);
    expect(readRentLamportsPerByte({ ...rest, data: data.subarray(0, 16) })).toBeUndefined();
  });
});
