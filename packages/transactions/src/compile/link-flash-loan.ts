import {
  lendingAccountEndFlashloan as END,
  isInstructionOf,
  lendingAccountStartFlashloan as START,
} from '@lending/programs';
import type { Instruction } from '@solana/kit';

/**
 * Writes into the start of a flash loan where its end stands, which is counted from the first instruction of the whole message: the
 * compute budget in version 0, and whatever stands before the loan. A message without one is left as it is.
 */
export function linkFlashLoan<TMessage extends { readonly instructions: readonly Instruction[] }>(
  message: TMessage,
): TMessage {
  const { instructions } = message;
  const start = instructions.find((each) => isInstructionOf(START, each.data ?? []));
  if (start === undefined) return message;
  const endIndex = instructions.findLastIndex(
    (each) => each.programAddress === start.programAddress && isInstructionOf(END, each.data ?? []),
  );
  if (endIndex < 0) throw new RangeError('A flash loan was to be compiled without its end');
  const data = Uint8Array.from([...START.discriminator, ...START.args.encode({ endIndex: BigInt(endIndex) })]);
  return { ...message, instructions: instructions.map((each) => (each === start ? { ...each, data } : each)) };
}
