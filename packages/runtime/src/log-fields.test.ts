import { setTimeout as sleep } from 'node:timers/promises';
import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { afterEach, describe, expect, it } from 'vitest';
import { runWithLogFields } from './log-fields.ts';
import { createLogger } from './logger.ts';

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
