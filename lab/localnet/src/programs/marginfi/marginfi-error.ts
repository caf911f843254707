import { FOREIGN_ERROR_NAMES, type ForeignErrorName, type ProgramErrorName } from '@lending/domain';
import { MARGINFI_ERRORS, type MarginfiErrorName } from '@lending/programs';
import { InstructionError } from '#engine/instruction-error.ts';
import type { InvokeContext } from '#engine/program.ts';
import { AnchorError, type ErrorDetails } from '#programs/anchor/anchor-error.ts';

/** An error of the program, by its name. */
export function marginfiError(name: MarginfiErrorName, details?: ErrorDetails): AnchorError {
  return new AnchorError(name, MARGINFI_ERRORS[name], details);
}

/** The number of an error; one that has none is the program's `InternalLogicError`. */
export function numberOfError(name: ProgramErrorName): number {
  return MARGINFI_ERRORS[isForeign(name) ? 'InternalLogicError' : name];
}

/** Ends the instruction with an error. @throws AnchorError, always, but where the program itself stops */
export function fail(name: MarginfiErrorName | ProgramErrorName, details?: ErrorDetails): never {
  if (name === 'ProgramFailedToComplete') throw new InstructionError(name);
  throw marginfiError(isForeign(name) ? 'InternalLogicError' : name, details);
}

/** `require_eq!`, `require_gte!`: the same with the two numbers that were compared. @throws AnchorError, always */
export function failCompared(name: MarginfiErrorName, values: readonly [found: bigint, wanted: bigint]): never {
  throw marginfiError(name, { values });
}

/** What Rust's panic leaves: the program does not end in an error of its own. */
export function panic(context: InvokeContext, message: string): never {
  context.log(`panicked: ${message}`);
  throw new InstructionError('ProgramFailedToComplete');
}

function isForeign(name: MarginfiErrorName | ProgramErrorName): name is ForeignErrorName {
  return FOREIGN_ERROR_NAMES.some((foreign) => foreign === name);
}
