import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { address, getAddressDecoder, getProgramDerivedAddress } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { findDerivedAddress } from './derived-address.ts';
import {
  DRIFT_PROGRAM,
  DRIFT_SIGNER,
  DRIFT_STATE,
  findDriftInsuranceVault,
  findDriftSpotMarket,
  findDriftSpotMarketVault,
  findDriftUser,
} from './drift/addresses.ts';
import { getAddressBytes } from './fixed-offset/address-codec.ts';
import { addressAt } from './fixed-offset/addresses.ts';
import {
  findJuplendFTokenMint,
  findJuplendLending,
  findJuplendLendingAdmin,
  findJuplendLiquidity,
  findJuplendRateModel,
  findJuplendRewardsRateModel,
  findJuplendTokenReserve,
  findJuplendUserSupplyPosition,
} from './juplend/addresses.ts';
import { findBankMetadata, findBankVault, findBankVaultAuthority, findFeeState } from './marginfi/addresses.ts';
import {
  findOracleStats,
  findQueueRewardVault,
  findSwitchboardState,
  SWITCHBOARD_MAINNET_QUEUE,
} from './switchboard/addresses.ts';
import { findAssociatedTokenAccount, TOKEN_2022_PROGRAM } from './token/addresses.ts';

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

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const FIXTURES = resolve(ROOT, process.env.FIXTURES_DIR ?? '../shared/fixtures');
const read = (path: string) => JSON.parse(readFileSync(resolve(FIXTURES, path), 'utf8'));

describe.skipIf(!existsSync(FIXTURES))('marginfi addresses (FIXTURES_DIR)', () => {
  it('finds the vaults of a real bank, and the bumps of their authorities', async () => {
    const bank = address(read('accounts/marginfi/bank-corvus-2026-04.json').address);
    const { decoded } = read('accounts/marginfi/bank-corvus-2026-04.expected.json');
    for (const vault of ['liquidity', 'insurance', 'fee'] as const) {
      expect(await findBankVault(vault, bank)).toEqual([decoded[`${vault}_vault`], decoded[`${vault}_vault_bump`]]);
      const [, bump] = await findBankVaultAuthority(vault, bank);
      expect(bump).toBe(decoded[`${vault}_vault_authority_bump`]);
    }
  });

  it('finds the metadata of every bank that has some', async () => {
    const known: { bankAddress: string; bankMetadataAddress: string }[] = read('mainnet/bank-metadata.json');
    expect(known.length).toBeGreaterThan(100);
    for (const { bankAddress, bankMetadataAddress } of known) {
      expect((await findBankMetadata(address(bankAddress)))[0]).toBe(bankMetadataAddress);
    }
  });

  it('finds the fee state', async () => {
    expect((await findFeeState())[0]).toBe(read('accounts/marginfi/feestate.json').address);
  });
});

const USDC = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');

/** What other projects published of mainnet's USDC pool. */
describe('JupLend addresses', () => {
  it('finds the accounts of the USDC pool', async () => {
    const [fTokenMint] = await findJuplendFTokenMint(USDC);
    expect(fTokenMint).toBe('9BEcn9aPEmhSPbPQeFGjidRiEKki46fVQDyPpSQXPA2D');
    const [lending] = await findJuplendLending(USDC, fTokenMint);
    expect(lending).toBe('2vVYHYM8VYnvZqQWpTJSj8o8DBf1wM8pVs3bsTgYZiqJ');
    const found = await Promise.all([
      findJuplendTokenReserve(USDC),
      findJuplendRateModel(USDC),
      findJuplendUserSupplyPosition(USDC, lending),
      findJuplendRewardsRateModel(USDC),
    ]);
    expect(found.map(([each]) => each)).toEqual([
      '94vK29npVbyRHXH63rRcTiSr26SFhrQTzbpNJuhQEDu',
      '5pjzT5dFTsXcwixoab1QDLvZQvpYJxJeBphkyfHGn688',
      'Hf9gtkM4dpVBahVSzEXSVCAPpKzBsBcns3s8As3z77oF',
      '5xSPBiD3TibamAnwHDhZABdB4z4F9dcj5PnbteroBTTd',
    ]);
  });

  it('finds the accounts that are there once', async () => {
    expect((await findJuplendLendingAdmin())[0]).toBe('5nmGjA4s7ATzpBQXC5RNceRpaJ7pYw2wKsNBWyuSAZV6');
    expect((await findJuplendLiquidity())[0]).toBe('7s1da8DduuBFqGra5bJBjpnvL5E9mGzCuMk1Qkh4or2Z');
  });
});

describe('addresses of Drift', () => {
  it.each([
    ['drift_state', DRIFT_STATE],
    ['drift_signer', DRIFT_SIGNER],
  ])('are those of %s', async (seed, expected) => {
    const [found] = await getProgramDerivedAddress({ programAddress: DRIFT_PROGRAM, seeds: [seed] });
    expect(found).toBe(expected);
  });

  /** Markets as their recorded accounts name themselves and their vaults (index 0 on 2024-09-30, index 1 a day before). */
  it.each([
    [findDriftSpotMarket(0), '6gMq3mRCKf8aP3ttTyYhuijVZ2LGi14oDsBbkgubfLB3'],
    [findDriftSpotMarket(1), '3x85u7SWkmmr7YQGYhtjARgxwegTLJgkSLRprfXod6rh'],
    [findDriftSpotMarketVault(0), 'GXWqPpjQpdz7KZw9p7f5PX2eGxHAhvpNXiviFkAB8zXg'],
    [findDriftSpotMarketVault(1), 'DfYCNezifxAEsQbAJ1b3j6PX3JVBe8fu11KBhxsbw5d2'],
    [findDriftInsuranceVault(0), '2CqkQvYxp9Mq4PqLvAQ1eryYxebUh4Liyn5YMDtXsYci'],
  ])('are found by market index', async (search, expected) => {
    expect((await search)[0]).toBe(expected);
  });

  /** Users as two recorded accounts name their authority and number. */
  it.each([
    ['qdaE9WK7Kso8xQVnsMWdcCBHBPUXcBLLAXKD8KLzqSR', undefined, '2P9H4U2VKpWNphX2BxyVFje5jP4HDmgRPE3NAhTQNJLG'],
    ['7F3EurWwTyzu43JLTZtWW1FNSVpxGPKsRGJLgUrFs4CF', 1, '9HT5verUMsWkeCFnhWyfwjBAfRHniPbjF673rAaxFW3i'],
  ])('are found by trader %s and number %s', async (trader, number, expected) => {
    expect((await findDriftUser(address(trader), number))[0]).toBe(expected);
  });
});

describe('Switchboard addresses', () => {
  it('are what web3.js derives from the seeds of the published SDK (3.10.4)', async () => {
    const oracle = address('So11111111111111111111111111111111111111112');
    const found = await Promise.all([
      findSwitchboardState(),
      findOracleStats(oracle),
      findQueueRewardVault(SWITCHBOARD_MAINNET_QUEUE),
    ]);
    expect(found.map(([derived]) => derived)).toEqual([
      '7Gs9n5FQMeC9XcEhg281bRZ6VHRrCvqp5Yq1j78HkvNa',
      'Dm23SgBNDwvqxxTgVUQWdPQC9mUULbSqP7njxUMzTLR4',
      '29JzK9Vwf1qBFVPtTK3fmFbREqgQg2bqFWVkUxnWemHb',
    ]);
  });
});

describe('findAssociatedTokenAccount', () => {
  it('finds what the token library finds, and another account under another token program', async () => {
    // From the tests of @solana/spl-token, `getAssociatedTokenAddress`.
    const owner = address('B8UwBUUnKwCyKuGMbFKWaG7exYdDk2ozZrPg72NyVbfj');
    const mint = address('7o36UsWR1JQLpZ9PE2gn9L4SQ69CNNiWAXd4Jt7rqz9Z');
    const [found] = await findAssociatedTokenAccount(owner, mint);
    expect(found).toBe('DShWnroshVbeUp28oopA3Pu7oFPDBtC1DBmPECXXAQ9n');
    expect((await findAssociatedTokenAccount(owner, mint, TOKEN_2022_PROGRAM))[0]).not.toBe(found);
  });
});

describe('addressAt', () => {
  /** Differs in one word from the address whose slot it shares, so that only the comparison tells them apart. */
  const sharing = (word: number, value: number) => {
    const words = new Int32Array(8).fill(7);
    words[word] = value;
    return new Uint8Array(words.buffer);
  };
  const read = (bytes: Uint8Array) => addressAt(new DataView(bytes.buffer), 0);

  it.each([0, 2, 3, 4, 5, 7])('tells apart two addresses that share a slot and differ in word %i', (word) => {
    for (const bytes of [sharing(word, 1), sharing(word, 2), sharing(word, 1)]) {
      expect(read(bytes)).toBe(getAddressDecoder().decode(bytes));
    }
  });

  it('gives the same text again', () => {
    expect(read(sharing(0, 3))).toBe(read(sharing(0, 3)));
  });

  it('reads the address of zeros', () => {
    expect(read(new Uint8Array(32))).toBe('11111111111111111111111111111111');
  });

  it('reads at a place that is not aligned', () => {
    const bytes = Uint8Array.from({ length: 40 }, (_, index) => index * 7);
    const expected = getAddressDecoder().decode(bytes, 5);
    expect(addressAt(new DataView(bytes.buffer), 5)).toBe(expected);
  });
});
