import type { MarginfiErrorName } from '@lending/programs';
import type { InvokeContext } from '#engine/program.ts';
import { marginfiError, panic } from '../marginfi-error.ts';

/** The rounding of a venue may differ from the program's by this much. */
const TOLERANCE = 1n;

/** @throws AnchorError @see marginfi-v2 programs/marginfi/src/utils/kamino.rs `assert_within_one_token` */
export function assertWithinOne(
  context: InvokeContext,
  actual: bigint,
  expected: bigint,
  error: MarginfiErrorName,
): void {
  const difference = actual > expected ? actual - expected : expected - actual;
  if (difference <= TOLERANCE) return;
  context.log(`amount of a venue: ${actual}, expected: ${expected}, difference: ${difference}`);
  throw marginfiError(error);
}

/** An unsigned difference, whose overflow the program does not survive. */
export function differenceOf(context: InvokeContext, more: bigint, less: bigint): bigint {
  return more < less ? panic(context, 'an amount below zero') : more - less;
}
