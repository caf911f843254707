import { address, getProgramDerivedAddress } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import {
  DRIFT_PROGRAM,
  DRIFT_SIGNER,
  DRIFT_STATE,
  findDriftInsuranceVault,
  findDriftSpotMarket,
  findDriftSpotMarketVault,
  findDriftUser,
} from './addresses.ts';

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
