import type { InstructionLayout, ProgramVersion } from '@lending/programs';
import type { InvokeContext } from '#engine/program.ts';

/** One instruction of the program: its layout, and what it does once its arguments are read. */
export interface ProgramInstruction {
  readonly layout: InstructionLayout<string, never>;
  /** The version of the program that brought it; missing where all that are modelled have it. */
  readonly since?: ProgramVersion;
  /** @throws InstructionError */
  readonly run: (context: InvokeContext, args: never) => void;
}

/** Compute units of a program's instructions, by the names in their layouts. */
export type InstructionUnits = Readonly<Record<string, bigint>>;

/** Keeps the arguments' type between layout and handler. */
export function defineProgramInstruction<TArgs>(instruction: {
  readonly layout: InstructionLayout<string, TArgs>;
  readonly since?: ProgramVersion;
  readonly run: (context: InvokeContext, args: TArgs) => void;
}): ProgramInstruction {
  return instruction as unknown as ProgramInstruction;
}
