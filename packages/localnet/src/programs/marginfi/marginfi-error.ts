import { FOREIGN_ERROR_NAMES, type ForeignErrorName, type ProgramErrorName } from '@lending/domain';
import { MARGINFI_ERRORS, type MarginfiErrorName } from '@lending/programs';
import { InstructionError } from '#engine/instruction-error.ts';
import type { InvokeContext } from '#engine/program.ts';
import { AnchorError, type ErrorDetails, toWords } from '#programs/anchor/anchor-error.ts';
import { type ErrorSite, findErrorSite } from './error-sites.ts';

/** An error of the program, by its name. */
export function marginfiError(name: MarginfiErrorName, details?: ErrorDetails): AnchorError {
  return new AnchorError(name, MARGINFI_ERRORS[name], details);
}

/** The number of an error; one that has none is the program's `InternalLogicError`. */
export function numberOfError(name: ProgramErrorName): number {
  return MARGINFI_ERRORS[isForeign(name) ? 'InternalLogicError' : name];
}

/**
 * Ends the instruction with an error, logged the way the program logs it: with the line of its source where the error knows it.
 * `givenSite` says where, for errors that more than one place raises.
 * @throws AnchorError, always
 */
export function fail(context: InvokeContext, name: MarginfiErrorName | ProgramErrorName, givenSite?: ErrorSite): never {
  if (name === 'ProgramFailedToComplete') return panic(context, 'the program stopped');
  if (isForeign(name)) throw marginfiError('InternalLogicError');
  const site = givenSite ?? findErrorSite(name);
  if (site === undefined) throw marginfiError(name);
  const file = `programs/marginfi/src/${site.file}`;
  if (site.raisedBy === 'err') throw marginfiError(name, { origin: { kind: 'source', file, line: site.line } });
  context.log(`Error "${toWords(name)}" thrown at ${file}:${site.line}`);
  throw marginfiError(name);
}

/** `require_eq!`, `require_gte!`: the same with the two numbers that were compared. @throws AnchorError, always */
export function failCompared(
  name: MarginfiErrorName,
  { file, line }: Pick<ErrorSite, 'file' | 'line'>,
  values: readonly [found: bigint, wanted: bigint],
): never {
  throw marginfiError(name, { origin: { kind: 'source', file: `programs/marginfi/src/${file}`, line }, values });
}

/** What Rust's panic leaves: the program does not end in an error of its own. */
export function panic(context: InvokeContext, message: string): never {
  context.log(`panicked: ${message}`);
  throw new InstructionError('ProgramFailedToComplete');
}

function isForeign(name: MarginfiErrorName | ProgramErrorName): name is ForeignErrorName {
  return FOREIGN_ERROR_NAMES.some((foreign) => foreign === name);
}
