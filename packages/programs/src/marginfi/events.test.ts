import { address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { anchorDiscriminator } from '#layout/anchor-discriminator.ts';
import { instruction } from '#layout/instruction.ts';
import { decodeEvent, encodeEvent } from '../layout/event.ts';
import { lendingAccountLiquidateEvent } from './events.ts';
import { marginfiInstructionName } from './instruction-names.ts';
import { BUILT_VERSIONS, NEWEST_VERSION, PROGRAM_VERSIONS, RELEASES, releaseOf } from './versions.ts';

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

describe('RELEASES', () => {
  it('end with the newest, and their known slots ascend', () => {
    expect(NEWEST_VERSION).toBe(PROGRAM_VERSIONS.at(-1));
    const slots = RELEASES.flatMap(({ deploySlot }) => deploySlot ?? []);
    expect(slots).toEqual(slots.toSorted((one, other) => (one < other ? -1 : 1)));
  });

  it('have, from the oldest that is built for, an instruction of their own that is known by name', () => {
    // Without one a chain that runs a release would be taken for the release before it.
    const names = BUILT_VERSIONS.map((version) => releaseOf(version).firstInstruction ?? '');
    expect(names.map((name) => marginfiInstructionName(anchorDiscriminator('global', name)))).toEqual(names);
    expect(new Set(names).size).toBe(names.length);
  });

  it('are what a list of accounts may name, and nothing else is', () => {
    expect(() => instruction('any', 'group since 0.1.31', {})).toThrow('No release 0.1.31');
    expect(instruction('any', 'group since 0.1.10', {}).accounts[0]?.since).toBe('0.1.10');
  });
});
