import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';

/** A span as OTLP has it in JSON. */
export interface CollectedSpan {
  readonly service: string;
  readonly scope: string;
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty where it is the first of its trace. */
  readonly parentSpanId: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly events: readonly string[];
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
}

/** Takes traces by OTLP over HTTP, as JSON, and keeps all that it was sent. */
export interface Collector {
  readonly url: string;
  readonly spans: readonly CollectedSpan[];
  /** Bodies and heads as they came. */
  readonly received: readonly string[];
  /** The span and all that is below it in its trace. */
  below(span: CollectedSpan): readonly CollectedSpan[];
  stop(): Promise<void>;
}

interface KeyValue {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface OtlpSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes?: readonly KeyValue[];
  readonly events?: readonly { readonly name: string }[];
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
}

interface OtlpRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly KeyValue[] };
    readonly scopeSpans: readonly { readonly scope: { readonly name: string }; readonly spans: readonly OtlpSpan[] }[];
  }[];
}

export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const received: string[] = [];
  const server = createServer(async (request, response) => {
    const body = request.headers['content-encoding'] === 'gzip' ? await unzipped(request) : await text(request);
    received.push(`${JSON.stringify(request.rawHeaders)}\n${body}`);
    if (request.url === '/v1/traces') spans.push(...spansOf(JSON.parse(body) as OtlpRequest));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    received,
    below(top) {
      const inTrace = spans.filter(({ traceId }) => traceId === top.traceId);
      const found = [top];
      for (const { spanId } of found) found.push(...inTrace.filter(({ parentSpanId }) => parentSpanId === spanId));
      return found;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function unzipped(request: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return gunzipSync(Buffer.concat(chunks)).toString();
}

function spansOf({ resourceSpans }: OtlpRequest): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ scope, spans }) =>
      spans.map((span) => ({
        service: String(valuesOf(resource.attributes)['service.name']),
        scope: scope.name,
        name: span.name,
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentSpanId ?? '',
        attributes: valuesOf(span.attributes ?? []),
        events: (span.events ?? []).map(({ name }) => name),
        links: span.links ?? [],
      })),
    ),
  );
}

function valuesOf(pairs: readonly KeyValue[]): Record<string, unknown> {
  return Object.fromEntries(pairs.map(({ key, value }) => [key, Object.values(value)[0]]));
}
