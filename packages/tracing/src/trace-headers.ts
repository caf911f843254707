import { type Context, context, type Link, propagation, ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { isTraced } from './in-span.ts';

const TRACEPARENT = 'traceparent';

/** What was made in a trace, with that trace: it may be sent later, by whoever sends all that waits. */
const madeIn = new WeakMap<object, Context>();

/** Remembers of things in which trace they were made. Nothing where nobody records one. */
export function keepTrace(things: readonly object[]): void {
  if (!isTraced(context.active())) return;
  for (const thing of things) madeIn.set(thing, context.active());
}

/** Runs in the trace in which a thing was made; where none is known, in the one that is under way. */
export function inTraceOf<T>(thing: object | undefined, run: () => T): T {
  const made = thing === undefined ? undefined : madeIn.get(thing);
  return made === undefined ? run() : context.with(made, run);
}

/**
 * What a thing carries to whoever is told of it: `traceparent` of the trace in which it was made, or of the one under way, and nothing else; null where
 * nobody records one.
 */
export function traceHeaders(thing: object): Readonly<Record<string, string>> | null {
  const made = madeIn.get(thing) ?? context.active();
  if (!isTraced(made)) return null;
  const headers: Record<string, string> = {};
  propagation.inject(made, headers);
  const { [TRACEPARENT]: traceparent } = headers;
  return traceparent === undefined ? null : { [TRACEPARENT]: traceparent };
}

/** The span that a `traceparent` names, to be pointed at; null where it names none, or nobody traces. */
export function linkOf(traceparent: unknown): Link | null {
  if (typeof traceparent !== 'string') return null;
  const named = trace.getSpanContext(propagation.extract(ROOT_CONTEXT, { [TRACEPARENT]: traceparent }));
  return named === undefined ? null : { context: named };
}
