import type { ServerResponse } from 'node:http';
import { runWithLogFields } from '@lending/runtime';
import { isTracing, linkOf } from '@lending/tracing';
import { context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Runs something as a part of a request: its lines carry the id, and what it does is in the request's trace. */
type InRequest = <T>(run: () => T) => T;

declare module 'fastify' {
  interface FastifyRequest {
    /** Null before there is one: what the framework refuses at once has none. */
    scope: InRequest | null;
  }
}

/** What operators' machines ask all day long, and what nobody wants to see in traces. */
const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

/**
 * Makes all that is done for a request part of it, however deep: lines of the log carry its id, and where traces are kept it is the first span of
 * one. Register it right after what gives requests their visitors.
 *
 * A caller's `traceparent` is pointed at and not gone on with: whoever sends one would choose which of our traces are kept, and join what he has
 * no part in. Nothing of a trace leaves in the answer either, whose `x-request-id` is in the trace and in the log.
 */
export function addRequestScope(app: FastifyInstance): void {
  app.decorateRequest('scope', null);
  app.addHook('onRequest', (request, { raw }, done) => {
    const fields = { request_id: request.visitor.requestId };
    if (isTracing() && !PROBES.has(request.routeOptions.url ?? '')) {
      const active = trace.setSpan(ROOT_CONTEXT, begin(request, raw));
      request.scope = (run) => runWithLogFields(fields, () => context.with(active, run));
    } else request.scope = (run) => runWithLogFields(fields, run);
    request.scope(done);
  });
  // Whoever reads a body calls back from where the body came from.
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.body === undefined) done();
    else inRequest(request, done);
  });
}

/** Runs something as a part of a request that may have begun it elsewhere, such as a hook that is called when its socket is done. */
export function inRequest<T>(request: FastifyRequest, run: () => T): T {
  return request.scope == null ? run() : request.scope(run);
}

function begin({ method, routeOptions, headers, visitor }: FastifyRequest, raw: ServerResponse): Span {
  const { url: route } = routeOptions;
  const link = linkOf(headers.traceparent);
  const span = trace.getTracer('lending.api').startSpan(
    route === undefined ? method : `${method} ${route}`,
    {
      kind: SpanKind.SERVER,
      links: link === null ? [] : [link],
      attributes: {
        'http.request.method': method,
        ...(route !== undefined && { 'http.route': route }),
        'lending.request_id': visitor.requestId,
      },
    },
    ROOT_CONTEXT,
  );
  // Also of answers that were never sent, and of those that others than the framework send.
  if (span.isRecording()) raw.once('close', () => end(span, raw));
  return span;
}

function end(span: Span, { statusCode, writableFinished }: ServerResponse): void {
  span.setAttribute('http.response.status_code', statusCode);
  if (!writableFinished) span.setAttribute('error.type', 'unfinished');
  else if (statusCode >= 500)
    span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', String(statusCode));
  span.end();
}
