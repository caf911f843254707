import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { inSpan } from '@lending/tracing';
import { SpanKind, trace } from '@opentelemetry/api';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { parseConfig } from './config.ts';
import { runWithLogFields } from './log-fields.ts';
import { createLogger } from './logger.ts';
import { createMetrics } from './metrics.ts';
import { createRecordingLogger } from './testing/recording-logger.ts';
import { startTracing, type Tracing } from './tracing.ts';
import { tracingSettings } from './tracing-settings.ts';

const PATIENCE = { timeout: 120_000, interval: 10 };

interface Export {
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly names: readonly string[];
  readonly resource: Readonly<Record<string, unknown>>;
}

interface OtlpJson {
  readonly resourceSpans: readonly {
    readonly resource: {
      readonly attributes: readonly { readonly key: string; readonly value: Record<string, unknown> }[];
    };
    readonly scopeSpans: readonly { readonly spans: readonly { readonly name: string }[] }[];
  }[];
}

const got: Export[] = [];
let status = 200;
const collector = createServer(async (request, response) => {
  const { resourceSpans } = JSON.parse(await text(request)) as OtlpJson;
  got.push({
    url: request.url,
    headers: request.headers,
    names: resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans.map(({ name }) => name))),
    resource: Object.fromEntries(
      resourceSpans.flatMap(({ resource }) =>
        resource.attributes.map(({ key, value }) => [key, Object.values(value)[0]]),
      ),
    ),
  });
  response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
});

async function start(env: Readonly<Record<string, string>>) {
  const { logger, lines } = createRecordingLogger();
  const metrics = createMetrics();
  const config = parseConfig(tracingSettings, env);
  const tracing = await startTracing({ config, name: 'api', instance: 'api-2', logger, metrics });
  return { tracing, lines, metrics };
}

const span = (name: string, kind: SpanKind = SpanKind.INTERNAL, links = {}) =>
  inSpan('test', { name, kind, ...links }, async (active) => active.isRecording());

let running: Tracing | null = null;
beforeEach(async () => {
  got.length = 0;
  status = 200;
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  await running?.stop();
  running = null;
  collector.closeAllConnections();
  await new Promise((resolve) => collector.close(resolve));
});
const endpoint = () => `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;

describe('startTracing', () => {
  it('loads nothing and records nothing without a collector', async () => {
    const loaded = vi.fn();
    vi.doMock('./tracing-sdk.ts', () => {
      loaded();
      return {};
    });
    const { tracing, lines } = await start({});
    vi.doUnmock('./tracing-sdk.ts');
    expect(tracing).toBeNull();
    expect(loaded).not.toHaveBeenCalled();
    expect(lines).toEqual([]);
    expect(await span('a')).toBe(false);
  });

  it('sends what ended with the headers of the settings, at the stop at the latest', async () => {
    const { tracing, metrics } = await start({
      OTEL_EXPORTER_OTLP_ENDPOINT: `${endpoint()}/otlp/`,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20b,x-other=c',
    });
    running = tracing;
    expect(await span('a')).toBe(true);
    await tracing?.stop();
    expect(got).toMatchObject([
      {
        url: '/otlp/v1/traces',
        headers: { 'content-type': 'application/json', 'x-key': 'a b', 'x-other': 'c' },
        names: ['a'],
        resource: {
          'service.name': 'api',
          'service.instance.id': 'api-2',
          'service.version': expect.stringMatching(/^\d+\.\d+\.\d+$/),
        },
      },
    ]);
    expect(await metrics.render()).toContain('trace_span_export_total 1');
    expect(await span('b')).toBe(false);
  });

  it('keeps the part of traces that the ratio says', async () => {
    running = (await start({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint(), OTEL_TRACES_SAMPLER_ARG: '0' })).tracing;
    expect(await span('a')).toBe(false);
    const context = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: 1 };
    expect(await span('a stranger links', SpanKind.SERVER, { links: [{ context }] })).toBe(false);
    expect(await span('read', SpanKind.CONSUMER, { links: [{ context }] })).toBe(true);
    expect(await span('read', SpanKind.CONSUMER, { links: [{ context: { ...context, traceFlags: 0 } }] })).toBe(false);
  });

  it('says once that the collector refuses, drops and counts what it refuses, and says that it is back', async () => {
    const { tracing, lines, metrics } = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint() });
    running = tracing;
    status = 400;
    await span('a');
    await vi.waitFor(() => expect(lines).toContain('warn trace.export.fail'), PATIENCE);
    await span('b');
    await vi.waitFor(() => expect(got).toHaveLength(2), PATIENCE);
    status = 200;
    await span('c');
    await vi.waitFor(() => expect(lines).toContain('info trace.export.resume'), PATIENCE);
    expect(lines).toEqual(['info trace.export.start', 'warn trace.export.fail', 'info trace.export.resume']);
    expect(await metrics.render()).toContain('trace_span_drop_total{reason="refused"} 2');
  });

  it('says so of itself, and not in the name of who ended a span', async () => {
    const written: string[] = [];
    const logger = createLogger({
      level: 'warn',
      name: 'api',
      destination: { write: (line) => void written.push(line) },
    });
    const config = parseConfig(tracingSettings, { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint() });
    running = await startTracing({ config, name: 'api', instance: 'api-2', logger, metrics: createMetrics() });
    status = 400;
    await runWithLogFields({ topic: 'rate.sampled.v1' }, () => span('a'));
    await vi.waitFor(() => expect(written).toHaveLength(1), PATIENCE);
    expect(Object.keys(JSON.parse(written[0] ?? '{}'))).toEqual(['level', 'time', 'name', 'reason', 'event']);
  });

  it('lets a few thousand spans wait for a collector that is away, and drops and counts the others', async () => {
    const { tracing, metrics } = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' });
    running = tracing;
    for (let n = 0; n < 10_000; n += 1) trace.getTracer('test').startSpan('many').end();
    const [, dropped] = /trace_span_drop_total\{reason="waiting"\} (\d+)/.exec(await metrics.render()) ?? [];
    expect(Number(dropped)).toBeGreaterThan(10_000 - 2 * 2_048);
    const before = performance.now();
    await tracing?.stop();
    expect(performance.now() - before).toBeLessThan(20_000);
  });
});
