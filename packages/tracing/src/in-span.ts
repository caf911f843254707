import { isLendingError } from '@lending/errors';
import {
  type Context,
  context,
  INVALID_SPAN_CONTEXT,
  type Span,
  type SpanOptions,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';

/** A span that is not begun yet. Names are few: what tells one call from another are attributes, and no argument is one. */
export interface NewSpan extends SpanOptions {
  readonly name: string;
}

let isOn = false;

/** For whoever switches tracing on and off for the process. */
export function setTracing(on: boolean): void {
  isOn = on;
}

/** Whether anybody may keep a trace: where every request asks, what would be said of it is not even put together. */
export function isTracing(): boolean {
  return isOn;
}

/** Takes what is said of it and keeps nothing. */
const NOBODY_RECORDS = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);

/**
 * Runs in a span, below the one that is under way or as the first of a trace; it ends with the run. Costs next to nothing where nobody traces.
 * `scope` is the package that says so.
 */
export function inSpan<T>(scope: string, span: NewSpan, run: (span: Span) => Promise<T>): Promise<T> {
  return trace.getTracer(scope).startActiveSpan(span.name, span, async (active) => {
    try {
      return await run(active);
    } catch (error) {
      failSpan(active, error);
      throw error;
    } finally {
      active.end();
    }
  });
}

/**
 * The same of what is a part of something: what no trace was begun for is not traced, so that a statement of a background task is no trace of its own.
 * What the span is called is only asked where it is kept.
 */
export function inChildSpan<T>(scope: string, describe: () => NewSpan, run: (span: Span) => Promise<T>): Promise<T> {
  return isTraced(context.active()) ? inSpan(scope, describe(), run) : run(NOBODY_RECORDS);
}

/** Whether a trace that is kept is under way: also one whose beginning has ended, since what it began may go on. */
export function isTraced(at: Context): boolean {
  const span = trace.getSpanContext(at);
  return span !== undefined && (span.traceFlags & TraceFlags.SAMPLED) !== 0;
}

/** Says which error it was, and none of its words: those may hold what a caller wrote, or a secret. The log has them, with the trace's id. */
function failSpan(span: Span, error: unknown): void {
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.setAttribute('error.type', typeOf(error));
}

function typeOf(error: unknown): string {
  if (isLendingError(error)) return error.code;
  return error instanceof Error ? error.name : 'unknown';
}
