import { LendingError } from '@lending/errors';

/** What the driver throws: errors of the server carry a SQLSTATE, errors of the connection a system code or only words. */
interface DriverError {
  readonly code?: string;
  readonly message: string;
}

const DISK_FULL = '53100';
const DISK_FULL_TEXT = /no space left on device|disk quota exceeded/i;

/**
 * SQLSTATE classes after which the same statement may work later: connection lost, transaction rolled back by the server
 * (serialisation, deadlock), out of resources, lock not available, operator intervention (shutdown, cancelled), system error;
 * and a login, database or right that is not there yet.
 */
const UNAVAILABLE_CLASSES = ['08', '25', '28', '3D', '40', '53', '55', '57', '58'];

/** Data exception and integrity violation: the row is at fault and will be tomorrow. */
const ROW_CLASSES = ['22', '23'];

/** Of the operating system; no SQLSTATE is all letters. */
const SYSTEM_CODE = /^E[A-Z]+$/;
const CONNECTION_TEXT =
  /connection terminated|connection ended|timeout exceeded|timeout expired|read timeout|not queryable/i;

/**
 * Says what an error of the database means for whoever asked: wait and try again, or set the row aside. An error that is
 * neither (a wrong statement) is returned as it came.
 *
 * The driver's words stay in `cause`: they can name hosts, and this message may reach a caller.
 */
export function toStoreFailure(error: unknown): unknown {
  if (error instanceof LendingError || !(error instanceof Error)) return error;
  const { code = '', message } = error as DriverError;
  const stateClass = code.slice(0, 2);
  // Before any look at the words: those of a bad row quote its values, which can say anything.
  if (code.length === 5 && ROW_CLASSES.includes(stateClass)) {
    return new LendingError('STORE__ROW_INVALID', { message: `The database refused a row: ${message}`, cause: error });
  }
  if (code === DISK_FULL || DISK_FULL_TEXT.test(message)) {
    return new LendingError('RUNTIME__DISK_EXCEEDED', { cause: error });
  }
  if (UNAVAILABLE_CLASSES.includes(stateClass) || isConnectionFailure(code, message)) {
    return new LendingError('STORE__UNAVAILABLE', { cause: error });
  }
  return error;
}

function isConnectionFailure(code: string, message: string): boolean {
  return SYSTEM_CODE.test(code) || CONNECTION_TEXT.test(message);
}
