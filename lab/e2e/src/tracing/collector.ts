import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { type Served, serve } from '../cluster/serve.ts';

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
export interface Collector extends Served {
  readonly spans: readonly CollectedSpan[];
  /** Bodies and heads as they came. */
  readonly received: readonly string[];
  /** The span and all that is below it in its trace. */
  below(span: CollectedSpan): readonly CollectedSpan[];
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
  const served = await serve(async (request, response) => {
    const sent = await buffer(request);
    const body = String(request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent);
    received.push(`${JSON.stringify(request.rawHeaders)}\n${body}`);
    if (request.url === '/v1/traces') spans.push(...spansOf(JSON.parse(body) as OtlpRequest));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  return {
    ...served,
    spans,
    received,
    below(top) {
      const inTrace = spans.filter(({ traceId }) => traceId === top.traceId);
      const found = [top];
      for (const { spanId } of found) found.push(...inTrace.filter(({ parentSpanId }) => parentSpanId === spanId));
      return found;
    },
  };
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
