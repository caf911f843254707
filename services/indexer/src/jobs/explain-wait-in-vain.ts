import { isLendingError, LendingError } from '@lending/errors';
import { JOB_PATIENCE_MS } from './config.ts';

const WAITED = `${JOB_PATIENCE_MS / 1_000} s`;

/** By the class of the SQLSTATE: what passes while a server is set up, and what to do where it does not. */
const WHAT_TO_DO: Readonly<Record<string, string>> = {
  28: 'Postgres rejects the user or the password of DATABASE_URL and PGPASSWORD. It keeps the password of its first start: give that one, or change it there with ALTER ROLE',
  55: 'A table is in use by a backup or a replay, or another migration runs: run this again when that is over',
  '3D': 'The database that DATABASE_URL names does not exist. Create it; where the first start of Postgres was interrupted, remove its data and start it again',
};

/** @returns the last error of a wait for Postgres or Kafka that was given up, with what an operator can do; any other as it is. */
export function explainWaitInVain(error: unknown): unknown {
  if (isLendingError(error, 'BUS__UNAVAILABLE') || isLendingError(error, 'BUS__PUBLISH_TIMED_OUT')) {
    const message = `${error.message}. Kafka was not ready for ${WAITED}: its log says why; or correct KAFKA_BROKERS`;
    return new LendingError(error.code, { message, cause: error.cause });
  }
  if (!isLendingError(error, 'STORE__UNAVAILABLE')) return error;
  const { code = '' } = (error.cause ?? {}) as { readonly code?: string };
  const message =
    WHAT_TO_DO[code.slice(0, 2)] ?? `Postgres was not ready for ${WAITED}: its log says why; or correct DATABASE_URL`;
  return new LendingError('STORE__UNAVAILABLE', { message, cause: error.cause });
}
