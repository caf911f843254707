import { KLEND_ERRORS, type KlendErrorName } from '@lending/programs';
import { InstructionError } from '#engine/instruction-error.ts';
import type { InvokeContext } from '#engine/program.ts';
import { AnchorError } from '#programs/anchor/anchor-error.ts';

/** Ends the instruction with an error of the program's own. @throws AnchorError, always */
export function fail(name: KlendErrorName): never {
  throw new AnchorError(name, KLEND_ERRORS[name]);
}

/** @throws AnchorError when it does not hold. */
export function check(holds: boolean, name: KlendErrorName): asserts holds {
  if (!holds) fail(name);
}

/** What Rust's panic leaves: the program does not end in an error of its own. */
export function panic(context: InvokeContext, message: string): never {
  context.log(`panicked: ${message}`);
  throw new InstructionError('ProgramFailedToComplete');
}
