import {
  divideI80F48,
  type I80F48,
  integerToI80F48,
  multiplyI80F48,
  type PriceBand,
  parseI80F48,
} from '@lending/domain';
import type { P0Oracle } from './bank.ts';
import type { PriceFeed } from './price-feed.ts';

const U32_MAX = integerToI80F48(4_294_967_295n);
/**
 * However uncertain a feed says it is, a price is never moved by more than this.
 * @see marginfi-v2 type-crate/src/constants.rs `MAX_CONF_INTERVAL`
 */
const MAX_INTERVAL = parseI80F48('0.05');
/**
 * How many of Pyth's confidence intervals, and of Switchboard's standard deviations, the program takes for certain.
 * @see marginfi-v2 type-crate/src/constants.rs `CONF_INTERVAL_MULTIPLE`, `STD_DEV_MULTIPLE`
 */
const PYTH_INTERVALS = parseI80F48('2.12');
const SWITCHBOARD_DEVIATIONS = parseI80F48('1.96');
const SWITCHBOARD_SCALE = integerToI80F48(10n ** 18n);
/**
 * The program's table of powers of ten ends here, and it aborts beyond.
 * @see marginfi-v2 type-crate/src/constants.rs `EXP_10_I80F48`
 */
const MAX_EXPONENT = 23;

/** Which of a feed's two prices. A feed that has one gives it for both. */
export type PriceKind = 'spot' | 'ema';

/**
 * A feed's price with the edges the risk engine values it at: low for assets, high for debts.
 * @returns null when the interval is wider than the bank accepts, or negative: then the program fails rather than valuing at zero.
 * @throws DECODE__VALUE_OUT_OF_RANGE where the program fails with a maths error or aborts.
 * @see marginfi-v2 programs/marginfi/src/state/price.rs `get_confidence_interval`
 */
export function priceBand(oracle: P0Oracle, feed: PriceFeed, kind: PriceKind): PriceBand | null {
  switch (feed.kind) {
    case 'fixed':
      return { spot: feed.price, low: feed.price, high: feed.price };
    case 'switchboard': {
      const interval = multiplyI80F48(fromEighteenDecimals(feed.stdDev), SWITCHBOARD_DEVIATIONS);
      return bandAround(oracle, fromEighteenDecimals(feed.value), interval);
    }
    case 'pyth': {
      const [price, conf] = kind === 'spot' ? [feed.price, feed.conf] : [feed.emaPrice, feed.emaConf];
      const interval = multiplyI80F48(scale(conf, feed.exponent), PYTH_INTERVALS);
      return bandAround(oracle, scale(price, feed.exponent), interval);
    }
  }
}

/** Whether the program can raise ten to a Pyth feed's exponent. */
export function isExponentKnown(feed: PriceFeed): boolean {
  return feed.kind !== 'pyth' || Math.abs(feed.exponent) <= MAX_EXPONENT;
}

function bandAround(oracle: P0Oracle, spot: I80F48, interval: I80F48): PriceBand | null {
  const widest = divideI80F48(multiplyI80F48(spot, integerToI80F48(BigInt(oracle.maxConfidence))), U32_MAX);
  const cap = multiplyI80F48(spot, MAX_INTERVAL);
  if (interval > widest || interval < 0n || cap < 0n) return null;
  const half = interval < cap ? interval : cap;
  return { spot, low: spot - half, high: spot + half };
}

function fromEighteenDecimals(value: bigint): I80F48 {
  return divideI80F48(integerToI80F48(value), SWITCHBOARD_SCALE);
}

function scale(mantissa: bigint, exponent: number): I80F48 {
  const value = integerToI80F48(mantissa);
  if (exponent === 0) return value;
  const power = integerToI80F48(10n ** BigInt(Math.abs(exponent)));
  return exponent < 0 ? divideI80F48(value, power) : multiplyI80F48(value, power);
}
