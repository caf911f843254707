import { LendingError } from '@lending/errors';
import type { ProgramVersion } from '@lending/programs';
import { type CompiledTransaction, isLookupFailure, type SimulationOutcome } from '@lending/transactions';
import { cleanText, explainProgramError, type RefusedAction } from '@lending/venues';

/** As many of a failed transaction's last lines are shown, each cut. */
const MAX_LINES = 20;
const MAX_LINE_LENGTH = 200;

type Failed = Extract<SimulationOutcome, { readonly kind: 'failed' }>;

/** Reasons of the runtime that say the wallet cannot pay: for fees, or to keep an account it opens. */
const CANNOT_PAY = /InsufficientFundsFor(Fee|Rent)|^AccountNotFound/;

/**
 * What a caller is told of a simulation that failed: the same code as a check before it would have given, the program's own error as
 * `details.cause`, and the last lines of the log.
 */
export function explainFailure(
  failed: Failed,
  transactions: readonly CompiledTransaction[],
  action: RefusedAction | null,
  {
    program,
    version,
    swapPrograms,
  }: { readonly program: string; readonly version?: ProgramVersion; readonly swapPrograms?: readonly string[] },
): LendingError {
  const transaction = transactions[failed.index];
  const context = {
    transaction_index: failed.index,
    transaction_type: transaction?.type ?? null,
    logs: shownLogs(failed.logs),
  };
  const explained = explainProgramError({
    logs: failed.logs,
    error: failed.error,
    instructionPrograms: [],
    programId: program,
    ...(version === undefined ? {} : { version }),
    ...(action === null ? {} : { action }),
    ...(swapPrograms === undefined ? {} : { swapPrograms }),
  });
  if (explained !== null) {
    return new LendingError(explained.code, {
      message: explained.message,
      context: { ...explained.details, cause: explained.cause, ...context },
    });
  }
  const reason = cleanText(failed.reason, MAX_LINE_LENGTH);
  if (CANNOT_PAY.test(failed.reason)) {
    return new LendingError('ACTION__BALANCE_EXCEEDED', {
      message:
        'The wallet holds too little SOL for the fees and for the accounts that the transaction opens — allowed: a wallet with more SOL, as details.cause.reason says — fund authority and make the same call again',
      context: { cause: { program: null, error: null, number: null, reason }, ...context },
    });
  }
  if (isLookupFailure(failed)) {
    return new LendingError('ACTION__SIMULATION_STALE', {
      message:
        'A lookup table that the transaction names was closed or changed since it was read. Make the same call again: tables that fail are left out',
      context: { cause: { program: null, error: null, number: null, reason }, ...context },
    });
  }
  return new LendingError('ACTION__SIMULATION_INVALID', {
    message: `The node does not run the transaction (${reason}) — allowed: transactions that the svc_ tools build on the chain as it is now — make the same call again; if it fails likewise, report it to the operator`,
    context: { cause: { program: null, error: null, number: null, reason }, ...context },
  });
}

/** The end of a log, as `details.logs` shows it. */
export function shownLogs(logs: readonly string[]): readonly string[] {
  return logs.slice(-MAX_LINES).map((line) => cleanText(line, MAX_LINE_LENGTH) ?? '');
}
