import { marginfiInstructionName } from '@lending/programs';
import type { ProgramCall } from './activity-calls.ts';

/** Whether some version of the program has the instruction a call ran; one that only the logs know of counts as known. */
export function isKnownInstruction({ instruction }: ProgramCall): boolean {
  return instruction === null || marginfiInstructionName(instruction.data) !== null;
}
