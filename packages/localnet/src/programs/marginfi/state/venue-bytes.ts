import { InstructionError } from '#engine/instruction-error.ts';

/** Another program's account as the program maps it: one that is too short ends it where it stands. */
export function ofSize(data: Uint8Array, size: number): Uint8Array {
  if (data.length < size) throw new InstructionError('ProgramFailedToComplete');
  return data;
}
