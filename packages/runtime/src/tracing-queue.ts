import { AsyncLocalStorage } from 'node:async_hooks';
import { describeError } from '@lending/errors';
import { TraceFlags } from '@opentelemetry/api';
import { ExportResultCode } from '@opentelemetry/core';
import type { SpanExporter, SpanProcessor } from '@opentelemetry/sdk-trace';
import type { Logger } from './logger.ts';
import type { Metrics } from './metrics.ts';

export interface BoundQueueOptions {
  readonly exporter: SpanExporter;
  /** Spans that wait at most; more are dropped. */
  readonly capacity: number;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

export interface BoundQueue {
  /** Stands before the processor that batches: lets no more spans through than its exporter is to take. */
  readonly before: (batches: SpanProcessor) => SpanProcessor;
  /** What that processor sends by. */
  readonly exporter: SpanExporter;
}

/**
 * Counts what becomes of spans, and says of a collector that is away once that it is and once that it is back. The SDK drops spans without a word:
 * here they are counted before it would.
 */
export function boundQueue({ exporter, capacity, logger, metrics }: BoundQueueOptions): BoundQueue {
  const sent = metrics.counter({ name: 'trace.span.export', help: 'Spans that the collector took' });
  const dropped = metrics.counter({
    name: 'trace.span.drop',
    help: 'Spans that the collector never got: it refused them, or too many waited for it',
    labels: ['reason'],
  });
  // A batch is sent in the name of whoever ended its first span: what is said of the collector is not about him.
  const inOwnName = AsyncLocalStorage.snapshot();
  let waiting = 0;
  let isAway = false;

  function settle(count: number, error: unknown): void {
    if (error === undefined) {
      sent.inc(count);
      if (isAway) inOwnName(() => logger.info('trace.export.resume'));
      isAway = false;
      return;
    }
    dropped.inc({ reason: 'refused' }, count);
    if (!isAway)
      inOwnName(() => logger.warn('trace.export.fail', { reason: `No traces leave: ${describeError(error)}` }));
    isAway = true;
  }

  return {
    before: (batches) => ({
      onStart: (span, parent) => batches.onStart(span, parent),
      onEnd(span) {
        if ((span.spanContext().traceFlags & TraceFlags.SAMPLED) === 0) return;
        if (waiting >= capacity) return dropped.inc({ reason: 'waiting' });
        waiting += 1;
        batches.onEnd(span);
      },
      forceFlush: () => batches.forceFlush(),
      shutdown: () => batches.shutdown(),
    }),
    exporter: {
      export(spans, done) {
        waiting -= spans.length;
        exporter.export(spans, (result) => {
          settle(
            spans.length,
            result.code === ExportResultCode.SUCCESS ? undefined : (result.error ?? new Error('no reason given')),
          );
          done(result);
        });
      },
      forceFlush: async () => exporter.forceFlush?.(),
      shutdown: () => exporter.shutdown(),
    },
  };
}
