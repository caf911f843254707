import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { setTracing } from '#in-span.ts';

/** Spans of a test, of everything that runs in its process. */
export interface RecordedSpans {
  /** Those that ended, in that order. */
  get(): readonly ReadableSpan[];
  stop(): void;
}

/** Switches tracing on until it is stopped, and keeps all that ends. */
export function recordSpans(): RecordedSpans {
  const exporter = new InMemorySpanExporter();
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  setTracing(true);
  trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }));
  return {
    get: () => exporter.getFinishedSpans(),
    stop() {
      setTracing(false);
      trace.disable();
      context.disable();
      propagation.disable();
    },
  };
}
