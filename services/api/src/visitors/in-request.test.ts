import { createLogger } from '@lending/runtime';
import { type RecordedSpans, recordSpans } from '@lending/tracing/testing';
import { SpanKind, trace } from '@opentelemetry/api';
import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { addVisitors } from './add-visitors.ts';
import { addRequestScope } from './in-request.ts';

const PATIENCE = { timeout: 120_000, interval: 10 };

const STRANGER = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) };

/** Says so deep in its handler, after the body came. */
function createApp() {
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) };
  const logger = createLogger({ level: 'debug', name: 'test', destination });
  const app = fastify();
  addVisitors(app);
  addRequestScope(app);
  const say = async () => {
    await new Promise((resolve) => setTimeout(resolve, 1));
    logger.info('deep.thing.do');
    return { trace: trace.getActiveSpan()?.spanContext().traceId ?? null };
  };
  app.route({ method: ['GET', 'POST'], url: '/v1/things/:thing', handler: say });
  app.get('/readyz', say);
  app.get('/v1/fail', (_request, reply) => reply.code(503).send({}));
  app.get('/v1/never', (request) => {
    request.raw.socket.destroy();
    return new Promise(() => undefined);
  });
  return { app, lines };
}

let app: FastifyInstance;
let lines: Record<string, unknown>[];
beforeEach(() => {
  ({ app, lines } = createApp());
});
afterEach(() => app.close());

describe('a request', () => {
  it.each([
    ['without a body', {}],
    ['with one', { method: 'POST', payload: { a: 1 } }],
  ] as const)('%s gives its id to what is logged for it, and to nothing else', async (_, how) => {
    const ask = (id: string) => app.inject({ url: '/v1/things/x', headers: { 'x-request-id': id }, ...how });
    await Promise.all([ask('one'), ask('two')]);
    expect(lines.map(({ request_id }) => request_id).toSorted()).toEqual(['one', 'two']);
    expect(lines.every((line) => !('trace_id' in line))).toBe(true);
  });
});

describe('a request that is traced', () => {
  let recorded: RecordedSpans;
  beforeEach(() => {
    recorded = recordSpans();
  });
  afterEach(() => recorded.stop());

  it('is one span by its route, which its lines name, and points at what its caller named', async () => {
    const traceparent = `00-${STRANGER.traceId}-${STRANGER.spanId}-01`;
    const headers = { 'x-request-id': 'one', traceparent };
    const answer = await app.inject({
      method: 'POST',
      url: '/v1/things/x?key=secret',
      headers,
      payload: { a: 'secret' },
    });
    const [span, ...others] = recorded.get();
    expect(others).toEqual([]);
    expect(span).toMatchObject({
      name: 'POST /v1/things/:thing',
      kind: SpanKind.SERVER,
      parentSpanContext: undefined,
      links: [{ context: STRANGER }],
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/v1/things/:thing',
        'http.response.status_code': 200,
        'lending.request_id': 'one',
      },
    });
    const { traceId, spanId } = span?.spanContext() ?? {};
    expect(traceId).not.toBe(STRANGER.traceId);
    expect(answer.json()).toEqual({ trace: traceId });
    expect(lines).toMatchObject([{ request_id: 'one', trace_id: traceId, span_id: spanId }]);
    expect(JSON.stringify([span?.name, span?.attributes])).not.toContain('secret');
    expect(answer.headers).not.toHaveProperty('traceparent');
  });

  it('is none where it is a probe', async () => {
    expect((await app.inject('/readyz')).json()).toEqual({ trace: null });
    expect(recorded.get()).toEqual([]);
  });

  it('says where we failed, and that its caller went away', async () => {
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    await (await fetch(`${url}/v1/fail`)).text();
    await expect(fetch(`${url}/v1/never`)).rejects.toThrow();
    await vi.waitFor(() => expect(recorded.get()).toHaveLength(2), PATIENCE);
    expect(recorded.get().map(({ attributes }) => attributes['error.type'])).toEqual(['503', 'unfinished']);
  });
});
