import {
  divideI80F48,
  type I80F48,
  I80F48_ONE,
  integerToI80F48,
  multiplyI80F48,
  type ProgramErrorName,
  wrapToI80F48,
} from '@lending/domain';
import { isLendingError } from '@lending/errors';
import { isSince, NEWEST_VERSION, type ProgramVersion } from '@lending/programs';
import type { AccountBytes } from '../account.ts';
import { loadVenueRate } from '../load-venue-rate.ts';
import type { Moment } from '../moment.ts';
import { readStakedMultiplier, stakedPricingOf } from '../staked/read-multiplier.ts';
import type { TokenRate } from '../token-rates/token-rate.ts';
import type { VenueMultiplier, VenueRate } from '../venue-rate.ts';
import type { P0Bank, P0Oracle } from './bank.ts';
import { loadPythPush } from './load-pyth-push.ts';
import { loadScope } from './load-scope.ts';
import { loadSwitchboardPull } from './load-switchboard-pull.ts';
import { OracleFreshness } from './oracle-freshness.ts';
import { OracleRefused } from './oracle-refused.ts';
import { type FeedKind, hasFeed, type PriceShape, shapeOfSetup, tokenRateKey } from './oracle-setups.ts';
import { scaleByTen } from './price-band.ts';
import type { PriceFeed } from './price-feed.ts';
import type { PriceUnavailableReason } from './price-reading.ts';
import { type IntegerFeed, scaleFeed, scaleStakedFeed, scaleStakedPriceOnly } from './scale-feed.ts';

/** A bank's oracle accounts in the order the program takes them (`oracleAccountsOf`); null is one that does not exist. */
export type OracleAccounts = readonly (AccountBytes | null)[];

export interface LoadOracleOptions {
  /**
   * Up to 0.1.8 a staked bank takes three accounts, has one way to be priced, and does not scale its intervals; setups came with 0.1.11 and
   * 0.1.12; up to 0.1.11 a bank priced by Pyth alone could leave the age to the program. Default: the newest known.
   */
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
      readonly isTokenRateStale: boolean;
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
  /** For one token, before a venue's rate. */
  readonly rawFeed: PriceFeed;
  /** What the bank's cache calls `price_multiplier`. */
  readonly multiplier: I80F48;
}

interface OracleRead {
  readonly bank: P0Bank;
  readonly accounts: OracleAccounts;
  readonly moment: Moment;
  readonly freshness: OracleFreshness;
  readonly version: ProgramVersion;
}

/** What 0 meant in `oracle_max_age` on a feed of Pyth's that nothing multiplies, up to 0.1.11; it is 0 seconds since, and always was on others. */
const PYTH_MAX_AGE_SECONDS = 60;

const LOADERS = { pyth: loadPythPush, switchboard: loadSwitchboardPull, scope: loadScope } as const;

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
    const parts = loadParts({ bank, accounts, moment, freshness, version });
    const { first: staleError, isFeedStale, isVenueStale, isVenueInEmergency, isTokenRateStale } = freshness;
    return { kind: 'loaded', ...parts, staleError, isFeedStale, isVenueStale, isVenueInEmergency, isTokenRateStale };
  } catch (error) {
    const { reason, programError } = toRefused(error);
    return { kind: 'refused', reason, programError: freshness.first ?? programError };
  }
}

function loadParts(read: OracleRead): OracleParts {
  const shape = shapeOfSetup(read.bank.oracle.setup, read.version);
  switch (shape.kind) {
    case 'price':
      return loadPrice(read, shape);
    case 'staked':
      return loadStaked(read);
    case 'unusable':
      throw new OracleRefused(shape.reason, shape.programError);
  }
}

function loadPrice(read: OracleRead, shape: PriceShape): OracleParts {
  const { base, venue, token } = shape;
  assertCount(read, tokenRateKey(shape) + Number(token !== null));
  if (hasFeed(base)) return loadFromFeed(read, shape, base);
  if (venue !== null) return loadFixedVenue(read, venue);
  const price = token === null ? fixedPriceOf(read.bank) : loadTokenRate(read, shape, token);
  return plain({ kind: 'fixed', price, publishTime: null });
}

function loadFromFeed(read: OracleRead, shape: PriceShape, base: FeedKind): OracleParts {
  const { venue, token } = shape;
  // Alone among its siblings this setup looks at the feed's key after the reserve.
  const isFeedKeyLast = read.bank.oracle.setup === 'SolendPythPull';
  if (!isFeedKeyLast) assertFeedKey(read);
  const receipt = venue === null ? null : loadReceiptRate(read, venue);
  const tokenRate = token === null ? null : loadTokenRate(read, shape, token);
  if (isFeedKeyLast) assertFeedKey(read);
  const feed = LOADERS[base](oracleOf(read), read.accounts[0] ?? null, read.moment, read.freshness);
  if (feed.kind === 'scope') {
    if (receipt === null) return plain(feed);
    const price = multiplyI80F48(scaleByTen(feed.value, feed.exponent), receipt.factor);
    return { feed: { kind: 'fixed', price, publishTime: feed.publishTime }, rawFeed: feed, multiplier: receipt.factor };
  }
  if (tokenRate === null) return receipt === null ? plain(feed) : scaled(feed, receipt.multiplier, receipt.factor);
  const rawFeed = scaleFeed(feed, asFactor(tokenRate));
  // Here the program divides the venue's integers first, whichever venue it is.
  return receipt === null ? plain(rawFeed) : scaled(rawFeed, asFactor(receipt.factor), receipt.factor);
}

function oracleOf({ bank: { oracle }, version }: OracleRead): P0Oracle {
  return isSince(version, '0.1.12') ? oracle : withFormerMaxAge(oracle);
}

/** An oracle with what 0 in its `oracle_max_age` meant up to 0.1.11. */
export function withFormerMaxAge(oracle: P0Oracle): P0Oracle {
  const isLeftOpen = oracle.setup === 'PythPushOracle' && oracle.maxAgeSeconds === 0;
  return isLeftOpen ? { ...oracle, maxAgeSeconds: PYTH_MAX_AGE_SECONDS } : oracle;
}

function loadReceiptRate(read: OracleRead, venue: VenueRate) {
  const multiplier = loadVenue(read, venue, 1);
  if (multiplier === null) throw new OracleRefused('venue_without_receipts', 'MathError');
  return { multiplier, factor: toFactor(multiplier) };
}

function loadTokenRate({ bank, accounts, moment, freshness }: OracleRead, shape: PriceShape, token: TokenRate): I80F48 {
  const key = tokenRateKey(shape);
  return token.load({ oracle: bank.oracle, key, account: accounts[key] ?? null, moment, freshness });
}

function loadStaked(read: OracleRead): OracleParts {
  const { bank, accounts, moment } = read;
  const isBefore019 = !isSince(read.version, '0.1.9');
  assertCount(read, isBefore019 ? 3 : 4);
  const [, mint = null, stake = null, onRamp = null] = accounts;
  const [, mintKey, stakeKey] = bank.oracle.keys;
  if ((mint !== null && mint.address !== mintKey) || (stake !== null && stake.address !== stakeKey))
    throw new OracleRefused('staked_pool_mismatch', 'WrongOracleAccountKeys');
  const pricing = isBefore019 ? 'delegated_stake' : stakedPricingOf(bank);
  const { poolLamports, supply } = readStakedMultiplier(bank, { mint, stake, onRamp }, moment, pricing);
  assertFeedKey(read);
  const rawFeed = loadPythPush(bank.oracle, accounts[0] ?? null, moment, read.freshness);
  const scale = isBefore019 ? scaleStakedPriceOnly : scaleStakedFeed;
  const multiplier = divideI80F48(integerToI80F48(poolLamports), integerToI80F48(supply));
  return { feed: scale(rawFeed, poolLamports, supply), rawFeed, multiplier };
}

function loadFixedVenue(read: OracleRead, venue: VenueRate): OracleParts {
  // A negative price is found after the venue account is checked, and before its supplies are divided.
  const multiplier = loadVenue(read, venue, 0, () => fixedPriceOf(read.bank));
  const rawFeed = { kind: 'fixed', price: fixedPriceOf(read.bank), publishTime: null } as const;
  if (multiplier === null) return plain(rawFeed);
  const price = venue.scaleFixed(rawFeed.price, multiplier);
  return { feed: { ...rawFeed, price }, rawFeed, multiplier: toFactor(multiplier) };
}

function loadVenue(
  { bank, accounts, moment, freshness }: OracleRead,
  venue: VenueRate,
  index: number,
  beforeSupplies: () => void = () => {},
): VenueMultiplier | null {
  return loadVenueRate(venue, bank.oracle.keys[1], accounts[index] ?? null, moment, freshness, beforeSupplies);
}

function fixedPriceOf({ oracle }: P0Bank): I80F48 {
  if (oracle.fixedPrice < 0n) throw new OracleRefused('price_not_positive', 'FixedOraclePriceNegative');
  return oracle.fixedPrice;
}

/** A price that the program takes as it is. */
function plain(feed: PriceFeed): OracleParts {
  return { feed, rawFeed: feed, multiplier: I80F48_ONE };
}

function scaled(rawFeed: IntegerFeed, by: VenueMultiplier, multiplier: I80F48): OracleParts {
  return { feed: scaleFeed(rawFeed, by), rawFeed, multiplier };
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

function asFactor(value: I80F48): VenueMultiplier {
  return { kind: 'factor', value };
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
