import { ERRORS, type ErrorCode } from '@lending/errors';
import { MARGINFI_PROGRAM, marginfiErrorName, type ProgramVersion } from '@lending/programs';
import { frameworkErrorWords, isFrameworkError } from './framework-error-words.ts';
import { MARGINFI_ERROR_WORDS } from './marginfi-error-words.ts';
import { otherProgramWords, SWAP_PROGRAMS } from './other-program-words.ts';
import type { ErrorWords, RefusedAction } from './program-error-words.ts';
import { wronglyBuilt } from './program-error-words.ts';
import { findProgramFailure, type InstructionErrorPair, type ProgramFailure } from './program-failure.ts';
import { limitErrorWords, runtimeErrorWords } from './runtime-error-words.ts';

export interface ExplainOptions {
  readonly logs: readonly string[];
  /** The node's `InstructionError`; without it the logs alone decide. */
  readonly error?: InstructionErrorPair | null;
  /** The program of each of the transaction's own instructions, for when there are no logs. */
  readonly instructionPrograms?: readonly string[];
  /** What was asked for. Default: what the logs say was running. */
  readonly action?: RefusedAction;
  readonly programId?: string;
  /** Counts only where the program did not log its error's name. */
  readonly version?: ProgramVersion;
  /** Programs that swaps go through. Default: the aggregators of production. */
  readonly swapPrograms?: readonly string[];
}

export interface ExplainedError {
  /** What a `LendingError` of this refusal carries; its entry says what leaves the process, and whether waiting helps. */
  readonly code: ErrorCode;
  readonly isRetryable: boolean;
  /** What was wrong, and the next step with the field or tool that takes it. */
  readonly message: string;
  /** For `details`, whichever program refused. */
  readonly details: Readonly<Record<string, unknown>>;
  /** For `details.cause`: the program's own error. */
  readonly cause: {
    readonly program: string | null;
    readonly error: string | null;
    readonly number: number | null;
    readonly reason: string;
    readonly account: string | null;
    readonly instructionIndex: number | null;
  };
}

const UNEXPLAINED = wronglyBuilt('The program refused with an error that this build does not know');

/**
 * Why a transaction failed, in words an agent can act on. The program that refused first is blamed, not the one that called it: the
 * same number means something else in each.
 * @returns null where no program failed: the transaction was fine, or did not get that far.
 */
export function explainProgramError(options: ExplainOptions): ExplainedError | null {
  const programId = options.programId ?? MARGINFI_PROGRAM;
  const { logs, error = null, instructionPrograms = [] } = options;
  const failure = findProgramFailure(logs, error, instructionPrograms, programId);
  if (failure === null) return null;
  const name = nameOf(failure, programId, options.version);
  const found = wordsOf(failure, name, options);
  const action = options.action ?? actionOf(failure.instructionName);
  const code = (action === null ? undefined : found.byAction?.[action]) ?? found.code;
  return {
    code,
    isRetryable: ERRORS[code].retry === 'backoff',
    message: `${found.problem}. ${found.change}.`,
    details: found.details ?? {},
    cause: {
      program: failure.programId,
      error: name,
      number: failure.code,
      reason: failure.reason,
      account: failure.account,
      instructionIndex: failure.instructionIndex,
    },
  };
}

/** The program's own word for it goes before the number, whose meaning depends on the version. */
function nameOf(failure: ProgramFailure, programId: string, version?: ProgramVersion): string | null {
  if (failure.name !== null || failure.code === null || failure.programId !== programId) return failure.name;
  return marginfiErrorName(failure.code, version);
}

function wordsOf(
  failure: ProgramFailure,
  name: string | null,
  { logs, programId = MARGINFI_PROGRAM, swapPrograms = SWAP_PROGRAMS }: ExplainOptions,
): ErrorWords {
  const atLimit = failure.code === null ? limitErrorWords(failure.reason, logs) : null;
  if (atLimit !== null) return atLimit;
  const swap = failure.failedPrograms.find((each) => swapPrograms.includes(each));
  if (swap !== undefined)
    return otherProgramWords(swap, swap === failure.programId ? failure.code : null, swapPrograms);
  const runtime = failure.code === null ? runtimeErrorWords(failure.reason) : null;
  if (runtime !== null) return runtime;
  if (failure.programId === null) return UNEXPLAINED;
  if (failure.programId !== programId) return otherProgramWords(failure.programId, failure.code, swapPrograms);
  if (failure.code !== null && isFrameworkError(failure.code)) {
    return frameworkErrorWords(failure.code, failure.account) ?? UNEXPLAINED;
  }
  return isNamed(name) ? MARGINFI_ERROR_WORDS[name] : UNEXPLAINED;
}

function isNamed(name: string | null): name is keyof typeof MARGINFI_ERROR_WORDS {
  return name !== null && Object.hasOwn(MARGINFI_ERROR_WORDS, name);
}

/** `LendingAccountBorrow` is a borrow, `KaminoWithdraw` a withdrawal; the end of a flash loan is none of them. */
function actionOf(instructionName: string | null): RefusedAction | null {
  const ends = ['deposit', 'withdraw', 'borrow', 'repay'] as const;
  return ends.find((action) => instructionName?.toLowerCase().endsWith(action)) ?? null;
}
