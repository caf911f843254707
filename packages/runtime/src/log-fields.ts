import { AsyncLocalStorage } from 'node:async_hooks';
import { isSpanContextValid, TraceFlags, trace } from '@opentelemetry/api';
import type { LogFields } from './logger.ts';

const fieldsOf = new AsyncLocalStorage<LogFields>();

/** Runs something whose lines carry these fields, whoever writes them and however deep: on top of those of what it runs in. */
export function runWithLogFields<T>(fields: LogFields, run: () => T): T {
  const outer = fieldsOf.getStore();
  return fieldsOf.run(outer === undefined ? fields : { ...outer, ...fields }, run);
}

/** Of the line that is written now: the fields of what it is written for, and the trace, where that is kept. */
export function currentLogFields(): Record<string, unknown> {
  const span = trace.getActiveSpan()?.spanContext();
  const fields = fieldsOf.getStore();
  if (span === undefined || !isSpanContextValid(span) || (span.traceFlags & TraceFlags.SAMPLED) === 0)
    return { ...fields };
  return { ...fields, trace_id: span.traceId, span_id: span.spanId };
}
