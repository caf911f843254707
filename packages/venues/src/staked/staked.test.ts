import { type Address, address, getAddressEncoder, getProgramDerivedAddress } from '@solana/kit';
import { getSysvarRentEncoder, SYSVAR_RENT_ADDRESS } from '@solana/sysvars';
import { describe, expect, it } from 'vitest';
import { BANK, FEED, GROUP, VAULT } from '#testing/made-bank.ts';
import { bankOfSetup, ON_RAMP } from '#testing/made-oracles.ts';
import { onRampOf } from './on-ramp.ts';
import { readRentLamportsPerByte, rentSysvarOf } from './rent.ts';

const SINGLE_POOL: Address = address('SVSPxpvHdN29nkVg9rPapPNDddN5DipNLRUFhyjFThE');
const NO_KEY = address('11111111111111111111111111111111');

async function find(seed: string, key: Address): Promise<Address> {
  const seeds = [seed, getAddressEncoder().encode(key)];
  return (await getProgramDerivedAddress({ programAddress: SINGLE_POOL, seeds }))[0];
}

describe('onRampOf', () => {
  it.each([BANK, FEED, GROUP, VAULT])(
    'derives the same address from vote account %s as the library does',
    async (vote) => {
      const bank = bankOfSetup(5, {
        integrationAcc1: vote,
        config: { oracleKeys: [FEED, FEED, FEED, NO_KEY, NO_KEY] },
      });
      expect(onRampOf(bank)).toBe(await find('onramp', await find('pool', vote)));
    },
  );

  it('takes the one that is written in the bank first', () => {
    expect(onRampOf(bankOfSetup(5, { integrationAcc1: BANK }))).toBe(ON_RAMP);
  });
});

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
