import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeError, LendingError } from '@lending/errors';
import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { afterEach, describe, expect, it } from 'vitest';
import { runWithLogFields } from './log-fields.ts';
import { createLogger, type LoggerOptions } from './logger.ts';
import { fromSystemError } from './system-error.ts';

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

describe('log fields', () => {
  function collect() {
    const lines: Record<string, unknown>[] = [];
    const logger = createLogger({
      level: 'debug',
      name: 'api',
      destination: { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
    });
    return { logger, lines };
  }

  describe('runWithLogFields', () => {
    it('gives its fields to every line written in it, however late and deep, and to none outside', async () => {
      const { logger, lines } = collect();
      const deep = async () => {
        await sleep(1);
        logger.child({ part: 'store' }).info('a.b.deep');
      };
      await Promise.all([
        runWithLogFields({ request_id: 'one' }, async () => {
          await deep();
          runWithLogFields({ topic: 'rate' }, () => logger.info('a.b.inner'));
        }),
        runWithLogFields({ request_id: 'two' }, () => deep()),
      ]);
      logger.info('a.b.outside');
      const said = lines.map(({ event, request_id, topic, part }) => ({ event, request_id, topic, part }));
      expect(said.toSorted((a, b) => `${a.event}${a.request_id}`.localeCompare(`${b.event}${b.request_id}`))).toEqual([
        { event: 'a.b.deep', request_id: 'one', topic: undefined, part: 'store' },
        { event: 'a.b.deep', request_id: 'two', topic: undefined, part: 'store' },
        { event: 'a.b.inner', request_id: 'one', topic: 'rate', part: undefined },
        { event: 'a.b.outside', request_id: undefined, topic: undefined, part: undefined },
      ]);
    });

    it('lets a line say otherwise', () => {
      const { logger, lines } = collect();
      runWithLogFields({ request_id: 'one' }, () => logger.info('a.b.c', { request_id: 'mine' }));
      expect(lines).toMatchObject([{ request_id: 'mine' }]);
    });
  });

  describe('a line written in a trace', () => {
    afterEach(() => context.disable());

    it.each([
      ['names trace and span where they are kept', 1, { trace_id: 'a'.repeat(32), span_id: 'b'.repeat(16) }],
      ['names neither where they are not', 0, { trace_id: undefined, span_id: undefined }],
    ])('%s', (_, traceFlags, named) => {
      context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
      const { logger, lines } = collect();
      const span = trace.wrapSpanContext({ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags });
      context.with(trace.setSpan(context.active(), span), () => logger.info('a.b.c'));
      expect(lines).toEqual([expect.objectContaining({ event: 'a.b.c' })]);
      expect({ trace_id: lines[0]?.trace_id, span_id: lines[0]?.span_id }).toEqual(named);
    });
  });
});

describe('fromSystemError', () => {
  it('names the taken port', async () => {
    const first = createServer();
    await new Promise<void>((resolve) => first.listen(0, '127.0.0.1', resolve));
    const { port } = first.address() as { port: number };
    const second = createServer();
    const failure = await new Promise((resolve) => second.once('error', resolve).listen(port, '127.0.0.1'));
    first.close();
    expect(fromSystemError(failure)).toMatchObject({
      code: 'RUNTIME__PORT_UNAVAILABLE',
      message: `Port ${port} on 127.0.0.1 is taken by another program; stop that program or choose another port`,
    });
  });

  it.each([
    [80, 'Port 80 on 127.0.0.1 is not open to this user; choose a port of 1024 or more'],
    [6000, 'Port 6000 on 127.0.0.1 is not open to this user; choose another port'],
  ])('says what to choose instead of port %i', (port, message) => {
    const refused = Object.assign(new Error('listen'), { code: 'EACCES', port, address: '127.0.0.1' });
    expect(fromSystemError(refused)).toMatchObject({ code: 'RUNTIME__PORT_UNAVAILABLE', message });
  });

  it('names the setting of an address that is not this machine', async () => {
    const server = createServer();
    const failure = await new Promise((resolve) => server.once('error', resolve).listen(0, '192.0.2.1'));
    expect(describeError(fromSystemError(failure, { name: 'API_HOST', value: '192.0.2.1' }))).toBe(
      'CONFIG__INVALID: API_HOST is "192.0.2.1"; allowed: an address of this machine, such as 127.0.0.1, or 0.0.0.0 for all of them',
    );
    expect(fromSystemError(failure)).toBe(failure);
  });

  it.each(['ENOTFOUND', 'EAI_AGAIN'])('names the setting of a host name that is unknown: %s', (code) => {
    const unknown = Object.assign(new Error('getaddrinfo'), { code, syscall: 'getaddrinfo' });
    expect(fromSystemError(unknown, { name: 'API_HOST', value: 'nope.invalid' })).toMatchObject({
      code: 'CONFIG__INVALID',
      message: expect.stringContaining('API_HOST is "nope.invalid"; allowed: an address of this machine'),
    });
  });

  it('names a full disk and the file', () => {
    const full = Object.assign(new Error('write'), { code: 'ENOSPC', path: '/data/x' });
    expect(fromSystemError(full)).toMatchObject({
      code: 'RUNTIME__DISK_EXCEEDED',
      message: expect.stringContaining('(writing /data/x)'),
    });
  });

  it.each([
    new Error('other'),
    Object.assign(new Error('file'), { code: 'EACCES', path: '/x' }),
    'text',
    null,
    undefined,
  ])('leaves anything else as it is', (other) => {
    expect(fromSystemError(other)).toBe(other);
  });
});
