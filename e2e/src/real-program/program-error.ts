import type { ExecutionResult } from '@lending/localnet';
import { MARGINFI_PROGRAM, marginfiErrorName } from '@lending/programs';
import { LEADING_INSTRUCTIONS } from './chain.ts';

/** A refusal, told apart by the name of the program's error and not by its number, which changed between versions. */
export interface Refusal {
  /** Position among the instructions that were given. */
  readonly index: number;
  readonly name: string;
}

const ANCHOR_ERROR = /Error Code: (\w+)\. Error Number: (\d+)\./;
const FAILED = /^Program (\w+) failed/;

/** Why a transaction failed; null when it did not. */
export function refusalOf({ error, logs }: Pick<ExecutionResult, 'error' | 'logs'>): Refusal | null {
  if (error === null) return null;
  const failure = typeof error === 'string' ? undefined : error.InstructionError;
  if (!Array.isArray(failure)) return { index: -1, name: JSON.stringify(error) };
  const [index, reason] = failure as [number, string | { Custom: number }];
  return { index: index - LEADING_INSTRUCTIONS, name: nameOf(reason, logs) };
}

function nameOf(reason: string | { readonly Custom: number }, logs: readonly string[]): string {
  if (typeof reason === 'string') return reason;
  const program = logs.map((line) => FAILED.exec(line)?.[1]).find((found) => found !== undefined);
  if (program !== MARGINFI_PROGRAM) return `${program} ${reason.Custom}`;
  const named = logs.map((line) => ANCHOR_ERROR.exec(line)).findLast((found) => found !== null);
  if (named?.[2] === String(reason.Custom)) return named[1] as string;
  return marginfiErrorName(reason.Custom) ?? String(reason.Custom);
}
