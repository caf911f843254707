import { describe, expect, it } from 'vitest';
import { classifyThrown, parseRetryAfter } from './failure.ts';

describe('parseRetryAfter', () => {
  it.each([
    ['3', 3000],
    ['Thu, 01 Jan 2026 00:00:05 GMT', 5000],
    ['Thu, 01 Jan 2025 00:00:00 GMT', 0],
    ['soon', undefined],
    [null, undefined],
  ])('reads %s', (header, ms) => {
    expect(parseRetryAfter(header, Date.parse('2026-01-01T00:00:00Z'))).toBe(ms);
  });
});

describe('classifyThrown', () => {
  it("finds the network code behind fetch's own error, also among several addresses tried", () => {
    const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    const cause = Object.assign(new Error(''), { errors: [refused] });
    expect(classifyThrown(new TypeError('fetch failed', { cause }), 100)).toMatchObject({
      reason: 'ECONNREFUSED',
      undelivered: true,
      kind: 'passing',
    });
  });

  it('does not claim that a request was not delivered when its connection broke', () => {
    const reset = Object.assign(new Error('reset'), { code: 'ECONNRESET' });
    expect(classifyThrown(new TypeError('fetch failed', { cause: reset }), 100)).toMatchObject({ undelivered: false });
  });
});
