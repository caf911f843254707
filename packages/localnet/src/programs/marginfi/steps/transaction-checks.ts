import type { InvokeContext } from '#engine/program.ts';
import { SYSTEM_PROGRAM } from '#engine/runtime-addresses.ts';
import { check, err } from '../error-sites.ts';
import { fail } from '../marginfi-error.ts';

const SOURCE = 'ix_utils.rs';
/** The System program's `AdvanceNonceAccount`, which begins a transaction that may be signed long before it is sent. */
const ADVANCE_NONCE = 4;

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

/** @throws AnchorError DurableNonceNotAllowed */
export function refuseDurableNonce(context: InvokeContext): void {
  const [first] = context.transaction.instructions;
  if (first?.programId === SYSTEM_PROGRAM && first.data[0] === ADVANCE_NONCE) fail(context, 'DurableNonceNotAllowed');
}
