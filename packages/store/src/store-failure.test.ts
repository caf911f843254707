import { isLendingError, LendingError } from '@lending/errors';
import { describe, expect, it } from 'vitest';
import { toStoreFailure } from './store-failure.ts';

function driverError(code: string | undefined, message = 'as the server says'): Error {
  return Object.assign(new Error(message), code === undefined ? {} : { code });
}

describe('toStoreFailure', () => {
  it.each(['08006', '53300', '57P01', '57014', '40001', '40P01', '55P03', '25006', '28P01', '3D000'])(
    'takes SQLSTATE %s for a database that may answer later',
    (code) => expect(isLendingError(toStoreFailure(driverError(code)), 'STORE__UNAVAILABLE')).toBe(true),
  );

  it.each(['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EPIPE', 'ENOTFOUND'])('takes %s for a lost connection', (code) =>
    expect(isLendingError(toStoreFailure(driverError(code)), 'STORE__UNAVAILABLE')).toBe(true),
  );

  it.each([
    'Connection terminated unexpectedly',
    'timeout exceeded when trying to connect',
    'Query read timeout',
    'Client has encountered a connection error and is not queryable',
  ])('takes "%s" for a lost connection', (message) =>
    expect(isLendingError(toStoreFailure(driverError(undefined, message)), 'STORE__UNAVAILABLE')).toBe(true),
  );

  it.each(['22003', '22021', '22P02', '23502', '23505', '23514'])('blames the row for SQLSTATE %s', (code) =>
    expect(isLendingError(toStoreFailure(driverError(code)), 'STORE__ROW_INVALID')).toBe(true),
  );

  it('is not fooled by what the values of a bad row say', () => {
    for (const words of ['connection terminated', 'No space left on device']) {
      const refused = driverError('22P02', `invalid input syntax for type numeric: "${words}"`);
      expect(isLendingError(toStoreFailure(refused), 'STORE__ROW_INVALID')).toBe(true);
    }
  });

  it('knows a full disk by its SQLSTATE and by its words', () => {
    expect(isLendingError(toStoreFailure(driverError('53100')), 'RUNTIME__DISK_EXCEEDED')).toBe(true);
    const io = driverError('58030', 'could not write to file "base/1": No space left on device');
    expect(isLendingError(toStoreFailure(io), 'RUNTIME__DISK_EXCEEDED')).toBe(true);
  });

  it('keeps hosts out of the message a caller may see', () => {
    const failure = toStoreFailure(driverError('ECONNREFUSED', 'connect ECONNREFUSED 10.1.2.3:5432')) as LendingError;
    expect(failure.message).not.toContain('10.1.2.3');
    expect((failure.cause as Error).message).toContain('10.1.2.3');
  });

  it('returns a wrong statement, our own errors and anything else as they came', () => {
    const ours = new LendingError('BUS__OFFSET_MISMATCH');
    const syntax = driverError('42601');
    const plain = new TypeError('not of the database');
    for (const error of [ours, syntax, plain, 'text']) expect(toStoreFailure(error)).toBe(error);
  });
});
