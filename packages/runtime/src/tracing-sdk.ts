import { hostname } from 'node:os';
import { setTracing } from '@lending/tracing';
import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import packageJson from '../package.json' with { type: 'json' };
import type { Tracing, TracingOptions } from './tracing.ts';
import { boundQueue } from './tracing-queue.ts';
import { createSampler } from './tracing-sampler.ts';
import { withinMs } from './within.ts';

export interface SdkOptions extends Omit<TracingOptions, 'config'> {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly ratio: number;
}

/** Spans that wait for their batch at most, some 2 MB of them. */
const QUEUE_SPANS = 2_048;
const BATCH_SPANS = 512;
/** A trace is seen so long after it happened at the latest. */
const BATCH_EVERY_MS = 2_000;
const EXPORT_TIMEOUT_MS = 10_000;
/** Of the process's end, which others wait in, too. */
const STOP_MS = 2_000;
/** Attributes are names, figures and words of our own; a statement is the longest. */
const ATTRIBUTE_LENGTH = 2_048;

/** Begins to keep and send spans. @see startTracing, which alone loads this file. */
export function startSdk({ url, headers, ratio, name, instance, logger, metrics }: SdkOptions): Tracing {
  const exporter = new OTLPTraceExporter({
    url,
    headers: { ...headers },
    timeoutMillis: EXPORT_TIMEOUT_MS,
    concurrencyLimit: 8,
  });
  const queue = boundQueue({ exporter, capacity: QUEUE_SPANS, logger, metrics });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': name,
      'service.version': packageJson.version,
      'service.instance.id': instance,
      'host.name': hostname(),
      'process.pid': process.pid,
    }),
    sampler: createSampler(ratio),
    spanLimits: { attributeValueLengthLimit: ATTRIBUTE_LENGTH },
    spanProcessors: [
      queue.before(
        new BatchSpanProcessor({
          exporter: queue.exporter,
          maxQueueSize: QUEUE_SPANS,
          maxExportBatchSize: BATCH_SPANS,
          scheduledDelayMillis: BATCH_EVERY_MS,
          exportTimeoutMillis: EXPORT_TIMEOUT_MS + 1_000,
        }),
      ),
    ],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  setTracing(true);
  logger.info('trace.export.start', { host: new URL(url).host, ratio });
  let stopped: Promise<void> | undefined;
  const stopOnce = async () => {
    await withinMs(STOP_MS, provider.shutdown()).catch((error: unknown) =>
      logger.debug('trace.export.stop', { error }),
    );
    setTracing(false);
    trace.disable();
    context.disable();
    propagation.disable();
  };
  return {
    stop() {
      stopped ??= stopOnce();
      return stopped;
    },
  };
}
