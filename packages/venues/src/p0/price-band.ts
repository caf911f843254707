import {
  divideI80F48,
  type I80F48,
  I80F48_ZERO,
  integerToI80F48,
  MAX_INTERVAL,
  multiplyI80F48,
  type PriceBand,
  type PriceKind,
  type ProgramErrorName,
  parseI80F48,
  wrapToI80F48,
} from '@lending/domain';
import { isLendingError } from '@lending/errors';
import type { P0Oracle } from './bank.ts';
import type { PriceFeed } from './price-feed.ts';

const U32_MAX = integerToI80F48(4_294_967_295n);
/**
 * How many of Pyth's confidence intervals the program takes for certain.
 * @see marginfi-v2 type-crate/src/constants.rs `CONF_INTERVAL_MULTIPLE`
 */
const PYTH_INTERVALS = parseI80F48('2.12');
/** What 0 means in `oracle_max_confidence` on a feed of Pyth: 10 %. */
const PYTH_MAX_CONFIDENCE = 429_496_729;
const SWITCHBOARD_SCALE = integerToI80F48(10n ** 18n);
/**
 * The program's table of powers of ten ends here, and it aborts beyond.
 * @see marginfi-v2 type-crate/src/constants.rs `EXP_10_I80F48`
 */
const MAX_EXPONENT = 23;

/** How the runtime reports a program that aborts without an error of its own. */
const ABORTED: ProgramErrorName = 'ProgramFailedToComplete';

/**
 * A feed's price with the edges the risk engine values it at: low for assets, high for debts. A feed that has one price gives it for
 * both kinds.
 * @returns the error that the program fails with, rather than valuing at zero, in place of a band that it would not use.
 * @see marginfi-v2 programs/marginfi/src/state/price.rs `get_price_of_type`, `get_confidence_interval`
 */
export function priceBand(oracle: P0Oracle, feed: PriceFeed, kind: PriceKind): PriceBand | ProgramErrorName {
  try {
    return computeBand(oracle, feed, kind);
  } catch (error) {
    if (isLendingError(error, 'DECODE__VALUE_OUT_OF_RANGE')) return 'MathError';
    throw error;
  }
}

function computeBand(oracle: P0Oracle, feed: PriceFeed, kind: PriceKind): PriceBand | ProgramErrorName {
  switch (feed.kind) {
    case 'fixed':
      return bandOf(feed.price, I80F48_ZERO);
    case 'scope':
      return bandOf(scaleByTen(feed.value, feed.exponent), I80F48_ZERO);
    case 'switchboard': {
      // What the feed deviates by counts nothing: the bank says how far from the median a price may lie.
      const spot = fromEighteenDecimals(feed.value);
      return bandOf(spot, lesser(partOf(spot, oracle.maxConfidence), multiplyI80F48(spot, MAX_INTERVAL)));
    }
    case 'pyth': {
      if (Math.abs(feed.exponent) > MAX_EXPONENT) return ABORTED;
      const [price, conf] = kind === 'spot' ? [feed.price, feed.conf] : [feed.emaPrice, feed.emaConf];
      const interval = multiplyI80F48(scaleByTen(conf, feed.exponent), PYTH_INTERVALS);
      return bandAround(oracle, scaleByTen(price, feed.exponent), interval);
    }
  }
}

function bandAround(oracle: P0Oracle, spot: I80F48, interval: I80F48): PriceBand | ProgramErrorName {
  const cap = multiplyI80F48(spot, MAX_INTERVAL);
  if (interval > partOf(spot, oracle.maxConfidence || PYTH_MAX_CONFIDENCE)) return 'OracleMaxConfidenceExceeded';
  if (interval < 0n || cap < 0n) return ABORTED;
  return bandOf(spot, lesser(interval, cap));
}

/** Of u32::MAX parts. */
function partOf(price: I80F48, parts: number): I80F48 {
  return divideI80F48(multiplyI80F48(price, integerToI80F48(BigInt(parts))), U32_MAX);
}

function lesser(one: I80F48, other: I80F48): I80F48 {
  return one < other ? one : other;
}

function bandOf(spot: I80F48, half: I80F48): PriceBand {
  return { spot, low: spot - half, high: spot + half };
}

/** What does not fit in 79 bits is cut off unseen. */
function fromEighteenDecimals(value: bigint): I80F48 {
  return divideI80F48(wrapToI80F48(value), SWITCHBOARD_SCALE);
}

/** `mantissa × 10^exponent`. */
export function scaleByTen(mantissa: bigint, exponent: number): I80F48 {
  const value = integerToI80F48(mantissa);
  if (exponent === 0) return value;
  const power = integerToI80F48(10n ** BigInt(Math.abs(exponent)));
  return exponent < 0 ? divideI80F48(value, power) : multiplyI80F48(value, power);
}
