import { floorI80F48, type I80F48, integerToI80F48, multiplyI80F48 } from '@lending/domain';
import type { VenueMultiplier } from '../venue-rate.ts';
import { OracleRefused } from './oracle-refused.ts';
import type { PriceFeed } from './price-feed.ts';

/** One that the program keeps in integers. */
export type IntegerFeed = Extract<PriceFeed, { kind: 'pyth' | 'switchboard' }>;

/** Bounds of the integers in which the program keeps a feed. */
const I64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n };
const U64 = { min: 0n, max: 2n ** 64n - 1n };
const I128 = { min: -(2n ** 127n), max: 2n ** 127n - 1n };
const U128_MAX = 2n ** 128n - 1n;

/**
 * A feed for one token made a feed for one receipt. Its integers are multiplied, price, average and intervals alike, each cut to
 * an integer again before anything is divided by its decimals.
 * @throws OracleRefused with MathError where a product does not fit, or a ratio meets a negative price.
 * @see marginfi-v2 type-crate/src/types/price.rs `mul_i64_by_i80f48`, `mul_div_i64`
 */
export function scaleFeed(feed: IntegerFeed, multiplier: VenueMultiplier): IntegerFeed {
  const scale = multiplier.kind === 'factor' ? byFactor(multiplier.value) : byRatio(multiplier);
  return mapFeed(feed, scale, scale);
}

/**
 * The same for a staked bank, which takes negative prices too.
 * @see marginfi-v2 programs/marginfi/src/state/price.rs `StakedWithPythPush`
 */
export function scaleStakedFeed(feed: IntegerFeed, numerator: bigint, denominator: bigint): IntegerFeed {
  const scale = byRatio({ numerator, denominator });
  return mapFeed(feed, (value) => (value * numerator) / denominator, scale);
}

/** The program up to 0.1.8 left a staked bank's intervals as the feed has them. */
export function scaleStakedPriceOnly(feed: IntegerFeed, numerator: bigint, denominator: bigint): IntegerFeed {
  return mapFeed(
    feed,
    (value) => (value * numerator) / denominator,
    (value) => value,
  );
}

type Scale = (value: bigint) => bigint;

function mapFeed(feed: IntegerFeed, price: Scale, interval: Scale): IntegerFeed {
  if (feed.kind === 'switchboard') return { ...feed, value: within(I128, price(feed.value)) };
  return {
    ...feed,
    price: within(I64, price(feed.price)),
    emaPrice: within(I64, price(feed.emaPrice)),
    conf: within(U64, interval(feed.conf)),
    emaConf: within(U64, interval(feed.emaConf)),
  };
}

function byFactor(factor: I80F48): Scale {
  return (value) => floorI80F48(multiplyI80F48(integerToI80F48(value), factor));
}

function byRatio({ numerator, denominator }: { readonly numerator: bigint; readonly denominator: bigint }): Scale {
  return (value) => {
    const product = value * numerator;
    if (value < 0n || product > U128_MAX) throw mathError();
    return product / denominator;
  };
}

function within(bounds: { readonly min: bigint; readonly max: bigint }, value: bigint): bigint {
  if (value < bounds.min || value > bounds.max) throw mathError();
  return value;
}

function mathError(): OracleRefused {
  return new OracleRefused('price_out_of_range', 'MathError');
}
