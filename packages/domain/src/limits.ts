import { U64_MAX } from './integers.ts';

/** A stored deposit or borrow limit in base units; null is "no cap". Zero is a cap: nothing may be added. */
export function limitFromU64(value: bigint): bigint | null {
  return value === U64_MAX ? null : value;
}

/**
 * How much may still be added under a limit, in base units; null when there is no cap.
 * The program wants the total strictly below the limit, so the last unit is never free.
 */
export function remainingCapacity(limitBase: bigint | null, totalBase: bigint): bigint | null {
  if (limitBase === null) return null;
  const remaining = limitBase - totalBase - 1n;
  return remaining > 0n ? remaining : 0n;
}
