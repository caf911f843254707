import { describe, expect, it } from 'vitest';
import { ERRORS } from './codes.ts';
import { describeError, isLendingError, LendingError } from './lending-error.ts';

describe('LendingError', () => {
  it('takes its message from the registry unless the case has a better one', () => {
    expect(new LendingError('BUS__UNAVAILABLE').message).toBe(ERRORS.BUS__UNAVAILABLE.message);
    expect(new LendingError('BUS__UNAVAILABLE', { message: 'kafka:9092 is down' }).message).toBe('kafka:9092 is down');
  });

  it('keeps its cause and knows whether waiting helps', () => {
    const cause = new Error('boom');
    expect(new LendingError('BUS__UNAVAILABLE', { cause })).toMatchObject({ cause, isRetryable: true });
    expect(new LendingError('CONFIG__INVALID').isRetryable).toBe(false);
  });
});

describe('isLendingError', () => {
  it('answers for any code or for one', () => {
    const error: unknown = new LendingError('BUS__UNAVAILABLE');
    expect(isLendingError(error)).toBe(true);
    expect(isLendingError(error, 'BUS__UNAVAILABLE')).toBe(true);
    expect(isLendingError(error, 'CONFIG__INVALID')).toBe(false);
    expect(isLendingError(new Error('x'))).toBe(false);
  });
});

describe('describeError', () => {
  it('gives one line with every code and cause', () => {
    const cause = Object.assign(new Error('connect\n  refused'), { code: 'ECONNREFUSED' });
    const error = new LendingError('STORE__UNAVAILABLE', { message: 'No database', cause });
    expect(describeError(error)).toBe('STORE__UNAVAILABLE: No database ← ECONNREFUSED: connect refused');
  });

  it('leaves out a cause that is an event or a bare object', () => {
    expect(describeError(new Error('lost', { cause: new Event('close') }))).toBe('lost');
    expect(describeError(new Error('lost', { cause: 'gone' }))).toBe('lost ← gone');
  });

  it('copes with what is not an error, an empty message and a cause that circles', () => {
    expect(describeError('just text')).toBe('just text');
    expect(describeError(new TypeError(''))).toBe('TypeError');
    const circle = new Error('again');
    circle.cause = circle;
    expect(describeError(circle).split(' ← ')).toHaveLength(5);
  });
});
