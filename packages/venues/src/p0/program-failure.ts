import { walkLogs } from '../walk-logs.ts';

/** Why an instruction failed as RPC says it: `{ Custom: 6009 }`, or the runtime's own name. */
export type InstructionFailure = string | { readonly Custom: number | bigint };

/** A failed instruction of a transaction: its index, and why. */
export type InstructionErrorPair = readonly [index: number | bigint, failure: InstructionFailure];

/** The program that refused, and what it said. */
export interface ProgramFailure {
  /** Null where neither logs nor the list of instructions name it. */
  readonly programId: string | null;
  /** Index of the transaction's own instruction; null where the node did not say. */
  readonly instructionIndex: number | null;
  /** The program's own number; null where the runtime ended it. */
  readonly code: number | null;
  /** The name that the failing program itself gave the error; null where it logged none. */
  readonly name: string | null;
  /** The account of the instruction that its framework complained about. */
  readonly account: string | null;
  /** The runtime's words. */
  readonly reason: string;
  /** Programs that failed because of it, itself first. */
  readonly failedPrograms: readonly string[];
  /** The instruction that the program asked about was running, as it names it in the logs. */
  readonly instructionName: string | null;
}

/** Enough for the runtime's words; a program cannot write into them, but a node might. */
const REASON_LENGTH = 120;

/**
 * Finds who refused: the deepest program that failed, by the logs; without them the one that the failed instruction called.
 * @returns null where nothing says that a program failed.
 */
export function findProgramFailure(
  logs: readonly string[],
  error: InstructionErrorPair | null,
  instructionPrograms: readonly string[],
  programId: string,
): ProgramFailure | null {
  const { lines } = walkLogs(logs);
  const at = lines.findIndex((line) => line.kind === 'failed');
  const instructionIndex = error === null ? null : Number(error[0]);
  if (at < 0) return error === null ? null : fromError(error, instructionPrograms);
  const failed = lines.filter((line) => line.kind === 'failed');
  const [deepest] = failed;
  if (deepest === undefined) return null;
  const told = lines.slice(0, at).filter((line) => line.kind === 'log');
  const own = told.filter((line) => line.programId === deepest.programId && line.started === deepest.started);
  return {
    programId: deepest.programId,
    instructionIndex,
    ...parseReason(deepest.text),
    ...parseAnchorLine(own.findLast((line) => line.text.startsWith('AnchorError '))?.text ?? ''),
    failedPrograms: failed.map((line) => line.programId),
    instructionName:
      told.findLast((line) => line.programId === programId && INSTRUCTION.test(line.text))?.text.slice(13) ?? null,
  };
}

const INSTRUCTION = /^Instruction: \w{1,64}$/;

function fromError([index, failure]: InstructionErrorPair, instructionPrograms: readonly string[]): ProgramFailure {
  const programId = instructionPrograms[Number(index)] ?? null;
  const code = typeof failure === 'string' ? null : Number(failure.Custom);
  const reason =
    typeof failure === 'string' ? failure : `custom program error: 0x${Number(failure.Custom).toString(16)}`;
  return {
    programId,
    instructionIndex: Number(index),
    code,
    name: null,
    account: null,
    reason: reason.slice(0, REASON_LENGTH),
    failedPrograms: programId === null ? [] : [programId],
    instructionName: null,
  };
}

function parseReason(text: string): Pick<ProgramFailure, 'code' | 'reason'> {
  const custom = /^custom program error: 0x([0-9a-f]{1,8})$/i.exec(text)?.[1];
  return {
    code: custom === undefined ? null : Number.parseInt(custom, 16),
    reason: text.replaceAll(/[^\x20-\x7e]/g, ' ').slice(0, REASON_LENGTH),
  };
}

/** Anchor's line: `AnchorError caused by account: bank. Error Code: ConstraintMut. Error Number: 2000. …`. */
function parseAnchorLine(text: string): Pick<ProgramFailure, 'name' | 'account'> {
  return {
    name: /Error Code: (\w{1,64})\./.exec(text)?.[1] ?? null,
    account: /^AnchorError caused by account: (\w{1,64})\./.exec(text)?.[1] ?? null,
  };
}
