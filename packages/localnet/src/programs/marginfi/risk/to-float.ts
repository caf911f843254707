import type { I80F48 } from '@lending/domain';

const SCALE = 2 ** 48;

/**
 * A fixed-point number as the double nearest to it, ties to even, as Rust's `to_num::<f64>` has it. For logs, events and the prices of
 * the health cache.
 */
export function toFloat(raw: I80F48): number {
  return Number(raw) / SCALE;
}
