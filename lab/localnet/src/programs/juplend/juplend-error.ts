import { isLendingError } from '@lending/errors';
import { JUPLEND_EARN_ERRORS, JUPLEND_LIBRARY_ERRORS, JUPLEND_LIQUIDITY_ERRORS } from '@lending/programs';
import type { JuplendFailure } from '@lending/venues';
import { InstructionError } from '#engine/instruction-error.ts';
import { AnchorError } from '#programs/anchor/anchor-error.ts';
import type { ProgramInstruction } from '#programs/anchor/program-instruction.ts';

const ERRORS = { ...JUPLEND_LIBRARY_ERRORS, ...JUPLEND_EARN_ERRORS, ...JUPLEND_LIQUIDITY_ERRORS } as const;

export type JuplendErrorName = keyof typeof ERRORS;

/** Ends the instruction with an error of the programs. @throws AnchorError, always */
export function fail(name: JuplendErrorName): never {
  throw juplendError(name);
}

export function juplendError(
  name: JuplendErrorName,
  details?: ConstructorParameters<typeof AnchorError>[2],
): AnchorError {
  return new AnchorError(name, ERRORS[name], details);
}

/** Ends what nothing on this chain sends. @throws InstructionError, always */
export function notModelled(what: string): never {
  throw new InstructionError('ProgramFailedToComplete', `the model has no ${what}`);
}

/** Where the arithmetic that the model shares with the reading of pools refuses figures, the program ends with its own error. */
export function endRefusedFigures({ layout, run }: ProgramInstruction): ProgramInstruction {
  return {
    layout,
    run(context, args) {
      try {
        run(context, args);
      } catch (error) {
        if (isLendingError(error, 'DECODE__VALUE_OUT_OF_RANGE') && typeof error.context.failure === 'string') {
          fail(error.context.failure as JuplendFailure);
        }
        throw error;
      }
    },
  };
}
