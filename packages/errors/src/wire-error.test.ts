import { describe, expect, it } from 'vitest';
import { ERRORS, type ErrorCode } from './codes.ts';
import { LendingError } from './lending-error.ts';
import { isForOperator, toWireError, wireStatus } from './wire-error.ts';

const SECRET = 'https://rpc.example.com/key-123';
const codes = Object.keys(ERRORS) as ErrorCode[];

function errorOf(code: ErrorCode): LendingError {
  return new LendingError(code, { message: `at ${SECRET}`, context: { url: SECRET }, cause: new Error(SECRET) });
}

describe('toWireError', () => {
  it.each(codes.filter((code) => ERRORS[code].audience === 'operator'))('tells a caller nothing of %s', (code) => {
    const wire = toWireError(errorOf(code));
    expect(JSON.stringify(wire)).not.toContain('key-123');
    expect(JSON.stringify(wire)).not.toContain(code);
    expect(wire.details).toEqual({});
    const mayPass = ERRORS[code].retry === 'backoff';
    expect(wire.code).toBe(mayPass ? 'UPSTREAM_UNAVAILABLE' : 'INTERNAL');
    expect([wire.retryable, /try again/.test(wire.error)]).toEqual([mayPass, mayPass]);
  });

  it.each([new Error(SECRET), SECRET, undefined, { code: 'BANK_NOT_FOUND' }])('hides a surprise', (surprise) => {
    const wire = toWireError(surprise);
    expect(wire).toMatchObject({ code: 'INTERNAL', details: {}, retryable: true });
    expect(JSON.stringify(wire)).not.toContain('key-123');
  });

  it('tells a caller what was wrong, with details but without the cause', () => {
    const error = new LendingError('READ__BANK_NOT_FOUND', {
      message: 'No bank has the address abc',
      context: { bank: 'abc' },
      cause: new Error(SECRET),
    });
    expect(toWireError(error)).toEqual({
      error: 'No bank has the address abc',
      code: 'BANK_NOT_FOUND',
      details: { bank: 'abc' },
      retryable: false,
      docs: 'svc://errors/BANK_NOT_FOUND',
    });
    expect(toWireError(error, 'https://host/v1/docs/').docs).toBe('https://host/v1/docs/BANK_NOT_FOUND');
    expect(wireStatus('BANK_NOT_FOUND')).toBe(404);
  });

  it('says that waiting helps exactly when the registry does', () => {
    expect(toWireError(new LendingError('DATA__NOT_READY')).retryable).toBe(true);
    expect(toWireError(new LendingError('TOOL__INPUT_INVALID')).retryable).toBe(false);
  });

  it.each([
    [undefined, 5],
    [12, 12],
    [0.2, 1],
    [3.01, 4],
    [-1, 5],
    ['7', 5],
    [Number.NaN, 5],
  ])('waits for as long as whoever made it wait said (%s), else for what the code says', (told, seconds) => {
    const error = new LendingError('SWAP__UNAVAILABLE', { context: { retry_after_s: told } });
    expect(toWireError(error)).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', retry_after_s: seconds });
  });
});

describe('isForOperator', () => {
  it('is true of surprises and of what operators are told, and of nothing that a caller did', () => {
    expect(isForOperator(new Error('surprise'))).toBe(true);
    expect(isForOperator(errorOf('STORE__UNAVAILABLE'))).toBe(true);
    expect(isForOperator(errorOf('READ__BANK_NOT_FOUND'))).toBe(false);
  });
});
