import { formatI80F48, parseI80F48 } from '@lending/domain';
import { describe, expect, it } from 'vitest';
import { openDumps } from '#testing/account-dumps.ts';
import { BANK, FEED } from '#testing/made-bank.ts';
import { madePyth, madeSwitchboard } from '#testing/made-feeds.ts';
import { bankOfSetup } from '#testing/made-oracles.ts';
import type { AccountBytes } from '../account.ts';
import { type LoadedOracle, loadOracle } from './load-oracle.ts';
import { readPrice } from './read-price.ts';

const { isMissing, dumps } = openDumps(process.env.FIXTURES_DIR);
const NOW = 1_777_000_000n;
const PRICE = 15_000_000_000n;

/** A bank whose venue account is a real one, read at a moment. */
function load(setup: number, venue: AccountBytes, moment: { slot: bigint; unixTimestamp: bigint }) {
  const made = bankOfSetup(setup);
  const keys = [FEED, venue.address, BANK, BANK, BANK];
  const bank = {
    ...made,
    oracle: { ...made.oracle, keys, maxAgeSeconds: 1_000_000_000, fixedPrice: parseI80F48('1') },
  };
  const feed = [6, 9, 11].includes(setup) ? [madePyth(NOW)] : [7, 10, 12].includes(setup) ? [madeSwitchboard(NOW)] : [];
  const accounts = [...feed, venue];
  return { loaded: loadOracle(bank, accounts, moment), reading: readPrice(bank, accounts, moment) };
}

function loadedOf(loaded: LoadedOracle) {
  if (loaded.kind === 'refused') throw new Error(loaded.reason);
  return loaded;
}

/** The program's ratio, from another tool's numbers: both sides over 10^decimals in 48 bits, then one over the other. */
function ratioOf(liquidity: bigint, receipts: string, decimals: string | number): bigint {
  const scale = 10n ** BigInt(decimals);
  return ((liquidity / scale) << 48n) / ((BigInt(receipts) << 48n) / scale);
}

describe.skipIf(isMissing)('real klend reserves (FIXTURES_DIR)', () => {
  const reserves = dumps('klend', 'reserve');

  it('finds the dumps', () => {
    expect(reserves).toHaveLength(4);
  });

  it.each(reserves)('give $name the multiplier of its recorded numbers', ({ account, expected }) => {
    const { liquidity, collateral, lastUpdate } = expected.decoded;
    const sf = (field: string) => BigInt(liquidity[field]) >> 12n;
    const total =
      (BigInt(liquidity.totalAvailableAmount) << 48n) +
      sf('borrowedAmountSf') -
      sf('accumulatedProtocolFeesSf') -
      sf('accumulatedReferrerFeesSf') -
      sf('pendingReferrerFeesSf');
    const multiplier = ratioOf(total, collateral.mintTotalSupply, liquidity.mintDecimals);
    const slot = BigInt(lastUpdate.slot);
    const { loaded, reading } = load(6, account, { slot, unixTimestamp: NOW });
    expect(loaded).toMatchObject({ multiplier, staleError: null, feed: { price: (PRICE * multiplier) >> 48n } });
    expect(reading).toMatchObject({ priceUsd: '150', tokensPerUnit: multiplier, isVenueStale: false });
    expect(load(7, account, { slot, unixTimestamp: NOW }).loaded).toMatchObject({
      feed: { value: (2n * 10n ** 18n * multiplier) >> 48n },
    });
    expect(load(13, account, { slot, unixTimestamp: NOW }).loaded).toMatchObject({ feed: { price: multiplier } });
    expect(load(6, account, { slot: slot + 1n, unixTimestamp: NOW }).loaded).toMatchObject({
      staleError: 'ReserveStale',
    });
  });

  it.each(reserves)('agree on $name with the exchange rate of the official SDK', ({ account, math }) => {
    const { loaded } = load(6, account, { slot: BigInt(math.evaluatedAtSlot), unixTimestamp: NOW });
    const inverse = Number(formatI80F48(loadedOf(loaded).multiplier)) * Number(math.collateralExchangeRate);
    expect(Math.abs(inverse - 1)).toBeLessThan(1e-12);
  });
});

describe.skipIf(isMissing)('a real Solend reserve (FIXTURES_DIR)', () => {
  const reserves = dumps('solend', 'reserve');

  it('finds the dump', () => {
    expect(reserves).toHaveLength(1);
  });

  it.each(reserves)('gives $name the multiplier of its recorded numbers', ({ account, expected: { decoded } }) => {
    const { liquidity, collateral, lastUpdate } = decoded;
    const wad = 10n ** 18n;
    const fixed = (wads: string) => ((BigInt(wads) / wad) << 48n) + ((BigInt(wads) % wad) << 48n) / wad;
    const total =
      (BigInt(liquidity.availableAmount) << 48n) +
      fixed(liquidity.borrowedAmountWads) -
      fixed(liquidity.accumulatedProtocolFeesWads);
    const multiplier = ratioOf(total, collateral.mintTotalSupply, liquidity.mintDecimals);
    const slot = BigInt(lastUpdate.slot);
    expect(load(11, account, { slot, unixTimestamp: NOW }).loaded).toMatchObject({
      multiplier,
      staleError: null,
      feed: { price: (PRICE * multiplier) >> 48n },
    });
    expect(load(12, account, { slot: slot + 1n, unixTimestamp: NOW }).loaded).toMatchObject({
      staleError: 'SolendReserveStale',
      feed: { value: (2n * 10n ** 18n * multiplier) >> 48n },
    });
    expect(Number(formatI80F48(multiplier))).toBeCloseTo(22_513_745_961_774.37 / 17_191_048_342_392, 9);
  });
});

describe.skipIf(isMissing)('real Drift spot markets (FIXTURES_DIR)', () => {
  const markets = dumps('drift', 'spot-market');

  it('finds the dumps', () => {
    expect(markets).toHaveLength(17);
  });

  it.each(markets)('price $name by its recorded interest', ({ account, expected: { essentials }, math }) => {
    const interest = BigInt(essentials.cumulativeDepositInterest);
    const unixTimestamp = BigInt(essentials.lastInterestTs);
    const { loaded } = load(9, account, { slot: 1n, unixTimestamp });
    expect(loaded).toMatchObject({
      multiplier: (interest << 48n) / 10n ** 10n,
      staleError: null,
      feed: { price: (PRICE * interest) / 10n ** 10n },
    });
    expect(load(10, account, { slot: 1n, unixTimestamp: unixTimestamp + 1n }).loaded).toMatchObject({
      staleError: 'DriftSpotMarketStale',
      feed: { value: (2n * 10n ** 18n * interest) / 10n ** 10n },
    });
    // What the official SDK says all scaled deposits are worth, from the multiplier and nine decimals.
    const tokens = (BigInt(essentials.depositBalance) * loadedOf(loaded).multiplier) >> 48n;
    const native = Number(tokens) / 10 ** (9 - essentials.decimals);
    expect(native / Number(math.depositTokenAmount)).toBeCloseTo(1, 9);
  });
});

describe.skipIf(isMissing)('real feeds (FIXTURES_DIR)', () => {
  const feeds = [...dumps('pyth-receiver'), ...dumps('drift-pyth-receiver')];

  it.each(feeds)('are checked for signatures before age: $name', ({ name, account, expected: { essentials } }) => {
    const made = bankOfSetup(3);
    const bank = { ...made, oracle: { ...made.oracle, keys: [account.address], maxAgeSeconds: 30 } };
    const published = BigInt(essentials.publishTime);
    const at = (unixTimestamp: bigint) => {
      const loaded = loadOracle(bank, [account], { slot: 1n, unixTimestamp });
      return loaded.kind === 'refused' ? loaded.programError : loaded.staleError;
    };
    const isPartial = name.startsWith('drift');
    expect(at(published + 30n)).toBe(isPartial ? 'PythPushInsufficientVerificationLevel' : null);
    expect(at(published + 31n)).toBe(isPartial ? 'PythPushInsufficientVerificationLevel' : 'PythPushStalePrice');
  });
});
