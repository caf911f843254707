import { type ErrorCode, LendingError } from '@lending/errors';
import { DatabaseError } from 'pg';

/** SQLSTATE of a full disk. */
const DISK_FULL = '53100';
/** What pg says when `query_timeout` passes; it has no code. */
const QUERY_TIMED_OUT = 'Query read timeout';
/** Classes that waiting does not heal: data, permission, syntax and missing tables. */
const LASTING_CLASSES = ['22', '23', '28', '42'];

/** Whether the same statement may succeed once the server is back or less busy. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return true;
  const state = error.code ?? '';
  return state !== DISK_FULL && !LASTING_CLASSES.includes(state.slice(0, 2));
}

/** Our error for a failed statement. */
export function logFailure(error: unknown, what: string): LendingError {
  if (error instanceof LendingError) return error;
  return new LendingError(codeOf(error), {
    message: `${what}: ${error instanceof Error ? error.message || error.name : String(error)}`,
    cause: error,
  });
}

function codeOf(error: unknown): ErrorCode {
  if (error instanceof DatabaseError && error.code === DISK_FULL) return 'RUNTIME__DISK_EXCEEDED';
  return error instanceof Error && error.message === QUERY_TIMED_OUT ? 'BUS__PUBLISH_TIMED_OUT' : 'BUS__UNAVAILABLE';
}
