import { LendingError } from '@lending/errors';
import { describe, expect, it } from 'vitest';
import { createLogger, type LoggerOptions } from './logger.ts';

function collect(options: Partial<LoggerOptions> = {}) {
  const lines: string[] = [];
  const logger = createLogger({
    level: 'info',
    name: 'api',
    ...options,
    destination: { write: (line) => void lines.push(line) },
  });
  return { logger, lines, parsed: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

describe('createLogger', () => {
  it('writes one JSON line with event, level, program and fields', () => {
    const { logger, lines, parsed } = collect();
    logger.info('rate.sample.publish', { bank: 'abc', slot: 12n });
    expect(lines).toHaveLength(1);
    expect(parsed()[0]).toMatchObject({
      event: 'rate.sample.publish',
      level: 'info',
      name: 'api',
      bank: 'abc',
      slot: '12',
    });
  });

  it('keeps quiet below its level', () => {
    const { logger, lines } = collect({ level: 'warn' });
    logger.info('a.b.c');
    logger.debug('a.b.c');
    logger.warn('a.b.c');
    expect(lines).toHaveLength(1);
  });

  it('gives a child the fields that all its lines carry', () => {
    const { logger, parsed } = collect();
    logger.child({ service: 'indexer', slot: 1n }).error('a.b.c', { x: 1 });
    expect(parsed()[0]).toMatchObject({ service: 'indexer', slot: '1', x: 1, level: 'error' });
  });

  it('says a known error in one line and keeps the stack of a surprise', () => {
    const { logger, parsed } = collect();
    logger.warn('a.b.c', { error: new LendingError('BUS__UNAVAILABLE', { cause: new Error('refused') }) });
    logger.warn('a.b.c', { error: new TypeError('oops') });
    const [known, surprise] = parsed();
    expect(known?.error).toEqual({
      code: 'BUS__UNAVAILABLE',
      message: 'BUS__UNAVAILABLE: The log cannot be reached ← refused',
    });
    expect(surprise?.error).toMatchObject({ message: 'oops', stack: expect.stringContaining('logger.test.ts') });
  });

  it('hides fields that hold secrets', () => {
    const { logger, lines } = collect();
    logger.info('a.b.c', { apiKey: 'key-123', headers: { authorization: 'Bearer key-123', 'x-api-key': 'key-123' } });
    expect(lines[0]).not.toContain('key-123');
    expect(lines[0]).toContain('"apiKey":"(hidden)"');
  });

  it.each([false, true])('hides known secrets wherever they appear (pretty: %s)', (pretty) => {
    const secret = 'https://rpc.example.com/"key-123"';
    const { logger, lines } = collect({ secrets: [secret, 'abc'], pretty });
    logger.error('a.b.c', {
      deep: { text: [`at ${secret}`] },
      error: new Error(`fetch ${secret} failed`),
      word: 'abc',
    });
    expect(lines.join('')).not.toContain('key-123');
    expect(lines.join('')).toContain('abc');
  });

  it('writes lines for people when told to', () => {
    const { logger, lines } = collect({ pretty: true });
    logger.info('api.server.listen', { port: 8080 });
    expect(lines.join('')).toMatch(/INFO.*api\.server\.listen.*8080/);
  });
});
