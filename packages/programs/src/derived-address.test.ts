import { address, getProgramDerivedAddress } from '@solana/kit';
import { expect, it } from 'vitest';
import { findDerivedAddress } from './derived-address.ts';
import { getAddressBytes } from './fixed-offset/address-codec.ts';

const programAddress = address('MFv2hWf31Z9kbCa1snEPYctwafyhdvnV7FZnsebVacA');
const key = getAddressBytes(address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'));

it.each([
  ['nothing', []],
  ['text', ['feestate']],
  ['bytes', [key]],
  ['both', ['vault', key]],
  ['text that is split otherwise', ['vau', 'lt', key]],
  ['text that is the bytes in base 64', [Buffer.from(key).toString('base64').slice(0, 32)]],
])('finds from %s what kit finds, and once', async (_, seeds) => {
  const found = findDerivedAddress({ programAddress, seeds });
  expect(await found).toEqual(await getProgramDerivedAddress({ programAddress, seeds }));
  expect(findDerivedAddress({ programAddress, seeds: [...seeds] })).toBe(found);
});

it('tells programs and seeds apart', async () => {
  const other = address('KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD');
  const all = await Promise.all([
    findDerivedAddress({ programAddress, seeds: ['a', 'b'] }),
    findDerivedAddress({ programAddress, seeds: ['a', 'c'] }),
    findDerivedAddress({ programAddress: other, seeds: ['a', 'b'] }),
  ]);
  expect(new Set(all.map(([found]) => found)).size).toBe(3);
});

it('fails as kit does', async () => {
  const seeds = [new Uint8Array(33)];
  const expected = await getProgramDerivedAddress({ programAddress, seeds }).catch(String);
  expect(await findDerivedAddress({ programAddress, seeds }).catch(String)).toBe(expected);
});
