import {
  divideI80F48,
  type I80F48,
  integerToI80F48,
  multiplyI80F48,
  type PriceBand,
  parseI80F48,
} from '@lending/domain';
import type { P0Oracle } from './bank.ts';

const U32_MAX = integerToI80F48(4_294_967_295n);
/**
 * However uncertain a feed says it is, a price is never moved by more than this.
 * @see marginfi-v2 type-crate/src/constants.rs `MAX_CONF_INTERVAL`
 */
const MAX_INTERVAL = parseI80F48('0.05');

/**
 * A price with the edges the risk engine values it at: low for assets, high for debts.
 * @returns null when the interval is wider than the bank accepts; then the program fails rather than valuing at zero.
 * @see marginfi-v2 programs/marginfi/src/state/price.rs `get_confidence_interval`
 */
export function priceBand(oracle: P0Oracle, spot: I80F48, interval: I80F48): PriceBand | null {
  const widest = divideI80F48(multiplyI80F48(spot, integerToI80F48(BigInt(oracle.maxConfidence))), U32_MAX);
  if (interval > widest) return null;
  const cap = multiplyI80F48(spot, MAX_INTERVAL);
  const half = interval < cap ? interval : cap;
  return { spot, low: spot - half, high: spot + half };
}
