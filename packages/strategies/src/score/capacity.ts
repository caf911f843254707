import type { I80F48 } from '@lending/domain';
import { onUsdScale } from './usd-scale.ts';

/** Of any size at all. It keeps every pair that can be entered above those that cannot, however poor it is otherwise: see `penalty.ts`. */
const SOME_CAPACITY = 0.2;

/** Of the own capital that fits; 0 where nothing does. */
export function capacityOf(sizeUsd: I80F48): number {
  return sizeUsd > 0n ? SOME_CAPACITY + (1 - SOME_CAPACITY) * onUsdScale(sizeUsd) : 0;
}
