import {
  divideI80F48,
  type I80F48,
  I80F48_ONE,
  integerToI80F48,
  type ProgramErrorName,
  wrapToI80F48,
} from '@lending/domain';
import { isLendingError } from '@lending/errors';
import { isSince, NEWEST_VERSION, type ProgramVersion } from '@lending/programs';
import type { AccountBytes } from '../account.ts';
import { loadVenueRate } from '../load-venue-rate.ts';
import type { Moment } from '../moment.ts';
import { readStakedMultiplier, stakedPricingOf } from '../staked/read-multiplier.ts';
import type { VenueMultiplier, VenueRate } from '../venue-rate.ts';
import type { P0Bank } from './bank.ts';
import { loadPythPush } from './load-pyth-push.ts';
import { loadSwitchboardPull } from './load-switchboard-pull.ts';
import { OracleFreshness } from './oracle-freshness.ts';
import { OracleRefused } from './oracle-refused.ts';
import { shapeOfSetup } from './oracle-setups.ts';
import type { PriceFeed } from './price-feed.ts';
import type { PriceUnavailableReason } from './price-reading.ts';
import { scaleFeed, scaleStakedFeed, scaleStakedPriceOnly } from './scale-feed.ts';

/** A bank's oracle accounts in the order the program takes them (`oracleAccountsOf`); null is one that does not exist. */
export type OracleAccounts = readonly (AccountBytes | null)[];

export interface LoadOracleOptions {
  /** Up to 0.1.8 a staked bank takes three accounts, has one way to be priced, and does not scale its intervals. Default: the newest known. */
  readonly version?: ProgramVersion;
}

/** What a bank's oracle accounts say at a moment. */
export type LoadedOracle =
  | ({
      readonly kind: 'loaded';
      /** The first thing found out of date: there the program stops. */
      readonly staleError: ProgramErrorName | null;
      readonly isFeedStale: boolean;
      readonly isVenueStale: boolean;
      readonly isVenueInEmergency: boolean;
    } & OracleParts)
  | {
      readonly kind: 'refused';
      readonly reason: PriceUnavailableReason;
      /** The program's first error in its order of checks; null where it aborts without one, or where we cannot tell. */
      readonly programError: ProgramErrorName | null;
    };

interface OracleParts {
  /** For one unit of the bank's balances: what the program values with. */
  readonly feed: PriceFeed;
  /** As the feed or the administrator has it, before any multiplier. */
  readonly rawFeed: PriceFeed;
  /** What the bank's cache calls `price_multiplier`. */
  readonly multiplier: I80F48;
}

interface OracleRead {
  readonly bank: P0Bank;
  readonly accounts: OracleAccounts;
  readonly moment: Moment;
  readonly freshness: OracleFreshness;
  readonly isBefore019: boolean;
}

/**
 * Reads a bank's oracle with the program's checks in their order: number of accounts, keys, owners, discriminators, freshness.
 * @see marginfi-v2 programs/marginfi/src/state/price.rs `load_oracle_context_with_max_age`
 */
export function loadOracle(
  bank: P0Bank,
  accounts: OracleAccounts,
  moment: Moment,
  { version = NEWEST_VERSION }: LoadOracleOptions = {},
): LoadedOracle {
  const freshness = new OracleFreshness();
  try {
    const parts = loadParts({ bank, accounts, moment, freshness, isBefore019: !isSince(version, '0.1.9') });
    const { first: staleError, isFeedStale, isVenueStale, isVenueInEmergency } = freshness;
    return { kind: 'loaded', ...parts, staleError, isFeedStale, isVenueStale, isVenueInEmergency };
  } catch (error) {
    const { reason, programError } = toRefused(error);
    return { kind: 'refused', reason, programError: freshness.first ?? programError };
  }
}

function loadParts(read: OracleRead): OracleParts {
  const shape = shapeOfSetup(read.bank.oracle.setup);
  switch (shape.kind) {
    case 'feed':
      return shape.rate === null ? loadPlain(read, shape.feed) : loadVenue(read, shape.feed, shape.rate);
    case 'staked':
      return loadStaked(read);
    case 'fixed':
      return shape.rate === null ? loadFixed(read) : loadFixedVenue(read, shape.rate);
    case 'unusable':
      throw new OracleRefused(shape.reason, shape.programError);
  }
}

function loadPlain(read: OracleRead, kind: 'pyth' | 'switchboard'): OracleParts {
  assertCount(read, 1);
  assertFeedKey(read);
  const feed = loadFeed(read, kind);
  return { feed, rawFeed: feed, multiplier: I80F48_ONE };
}

function loadVenue(read: OracleRead, kind: 'pyth' | 'switchboard', rate: VenueRate): OracleParts {
  assertCount(read, 2);
  // Alone among its siblings this setup looks at the feed's key after the reserve.
  const isFeedKeyLast = read.bank.oracle.setup === 'SolendPythPull';
  if (!isFeedKeyLast) assertFeedKey(read);
  const multiplier = loadRate(read, rate, 1);
  if (multiplier === null) throw new OracleRefused('venue_without_receipts', 'MathError');
  const factor = toFactor(multiplier);
  if (isFeedKeyLast) assertFeedKey(read);
  const rawFeed = loadFeed(read, kind);
  return { feed: scaleFeed(rawFeed, multiplier), rawFeed, multiplier: factor };
}

function loadStaked(read: OracleRead): OracleParts {
  const { bank, accounts, moment, isBefore019 } = read;
  assertCount(read, isBefore019 ? 3 : 4);
  const [, mint = null, stake = null, onRamp = null] = accounts;
  const [, mintKey, stakeKey] = bank.oracle.keys;
  if ((mint !== null && mint.address !== mintKey) || (stake !== null && stake.address !== stakeKey))
    throw new OracleRefused('staked_pool_mismatch', 'WrongOracleAccountKeys');
  const pricing = isBefore019 ? 'delegated_stake' : stakedPricingOf(bank);
  const { poolLamports, supply } = readStakedMultiplier(bank, { mint, stake, onRamp }, moment, pricing);
  assertFeedKey(read);
  const rawFeed = loadFeed(read, 'pyth');
  const scale = isBefore019 ? scaleStakedPriceOnly : scaleStakedFeed;
  const multiplier = divideI80F48(integerToI80F48(poolLamports), integerToI80F48(supply));
  return { feed: scale(rawFeed, poolLamports, supply), rawFeed, multiplier };
}

function loadFixed(read: OracleRead): OracleParts {
  assertCount(read, 0);
  const feed = fixedFeed(read.bank);
  return { feed, rawFeed: feed, multiplier: I80F48_ONE };
}

function loadFixedVenue(read: OracleRead, rate: VenueRate): OracleParts {
  assertCount(read, 1);
  // A negative price is found after the venue account is checked, and before its supplies are divided.
  const multiplier = loadRate(read, rate, 0, () => fixedFeed(read.bank));
  const rawFeed = fixedFeed(read.bank);
  if (multiplier === null) return { feed: rawFeed, rawFeed, multiplier: I80F48_ONE };
  const price = rate.scaleFixed(rawFeed.price, multiplier);
  return { feed: { ...rawFeed, price }, rawFeed, multiplier: toFactor(multiplier) };
}

function loadRate(
  { bank, accounts, moment, freshness }: OracleRead,
  rate: VenueRate,
  index: number,
  beforeSupplies: () => void = () => {},
): VenueMultiplier | null {
  return loadVenueRate(rate, bank.oracle.keys[1], accounts[index] ?? null, moment, freshness, beforeSupplies);
}

function loadFeed({ bank, accounts, moment, freshness }: OracleRead, kind: 'pyth' | 'switchboard') {
  const load = kind === 'pyth' ? loadPythPush : loadSwitchboardPull;
  return load(bank.oracle, accounts[0] ?? null, moment, freshness);
}

function fixedFeed({ oracle }: P0Bank): PriceFeed & { readonly kind: 'fixed' } {
  if (oracle.fixedPrice < 0n) throw new OracleRefused('price_not_positive', 'FixedOraclePriceNegative');
  return { kind: 'fixed', price: oracle.fixedPrice, publishTime: null };
}

function assertCount({ accounts }: OracleRead, expected: number): void {
  if (accounts.length !== expected)
    throw new OracleRefused('oracle_accounts_wrong_number', 'WrongNumberOfOracleAccounts');
}

function assertFeedKey({ bank, accounts }: OracleRead): void {
  const feed = accounts[0] ?? null;
  if (feed !== null && feed.address !== bank.oracle.keys[0])
    throw new OracleRefused('feed_key_mismatch', 'WrongOracleAccountKeys');
}

function toFactor(multiplier: VenueMultiplier): I80F48 {
  if (multiplier.kind === 'factor') return multiplier.value;
  return divideI80F48(wrapToI80F48(multiplier.numerator), integerToI80F48(multiplier.denominator));
}

function toRefused(error: unknown): OracleRefused {
  if (error instanceof OracleRefused) return error;
  if (isLendingError(error, 'DECODE__VALUE_OUT_OF_RANGE')) return new OracleRefused('price_out_of_range', 'MathError');
  throw error;
}
