import { address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { decodeEvent, encodeEvent } from '../layout/event.ts';
import { lendingAccountLiquidateEvent } from './events.ts';

const someone = address('MFv2hWf31Z9kbCa1snEPYctwafyhdvnV7FZnsebVacA');
const head = {
  header: { signer: null, marginfiAccount: someone, marginfiAccountAuthority: someone, marginfiGroup: someone },
  liquidateeMarginfiAccount: someone,
  liquidateeMarginfiAccountAuthority: someone,
  assetBank: someone,
  assetMint: someone,
  liabilityBank: someone,
  liabilityMint: someone,
  liquidateePreHealth: -1.5,
  liquidateePostHealth: 0.5,
};
const four = (first: number) => ({
  liquidateeAssetBalance: first,
  liquidateeLiabilityBalance: first + 1,
  liquidatorAssetBalance: first + 2,
  liquidatorLiabilityBalance: first + 3,
});
const five = (first: number) => ({ ...four(first), liquidatorLiabilityBankAssetBalance: first + 4 });

describe('lendingAccountLiquidateEvent', () => {
  it.each([
    ['four balances, as until 0.1.9', { ...head, preBalances: four(1), postBalances: four(10) }],
    ['five, as since 0.1.10', { ...head, preBalances: five(1), postBalances: five(10) }],
    [
      'a signer',
      { ...head, header: { ...head.header, signer: someone }, preBalances: five(1), postBalances: five(10) },
    ],
  ])('comes back as it was written with %s', (_what, value) => {
    expect(decodeEvent(lendingAccountLiquidateEvent, encodeEvent(lendingAccountLiquidateEvent, value))).toEqual(value);
  });

  it('is as long as the program of either version writes it', () => {
    const sizeOf = (value: Parameters<typeof lendingAccountLiquidateEvent.fields.encode>[0]) =>
      encodeEvent(lendingAccountLiquidateEvent, value).length;
    const [until, since] = [
      sizeOf({ ...head, preBalances: four(1), postBalances: four(10) }),
      sizeOf({ ...head, preBalances: five(1), postBalances: five(10) }),
    ];
    expect([until, since]).toEqual([8 + 97 + 6 * 32 + 10 * 8, 8 + 97 + 6 * 32 + 12 * 8]);
  });
});
