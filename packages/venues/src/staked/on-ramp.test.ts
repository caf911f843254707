import { type Address, address, getAddressEncoder, getProgramDerivedAddress } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { BANK, FEED, GROUP, VAULT } from '#testing/made-bank.ts';
import { bankOfSetup, ON_RAMP } from '#testing/made-oracles.ts';
import { onRampOf } from './on-ramp.ts';

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
