import type { InvokeContext } from '#engine/program.ts';
import { check, err } from '../error-sites.ts';
import { fail } from '../marginfi-error.ts';

const SOURCE = 'ix_utils.rs';

/** @throws AnchorError NotAllowedInCPI when another program called this one. */
export function assertNotCalled(context: InvokeContext): void {
  if (context.stackHeight !== 1) fail(context, 'NotAllowedInCPI', check(SOURCE, 155));
}

/**
 * Where the running instruction stands in its transaction.
 * @throws AnchorError NotAllowedInCPI when the transaction calls another program there.
 */
export function requireOwnIndex(context: InvokeContext): number {
  const { instructions, currentIndex } = context.transaction;
  if (instructions[currentIndex]?.programId !== context.programId) fail(context, 'NotAllowedInCPI', err(SOURCE, 147));
  return currentIndex;
}
