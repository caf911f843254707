import type { Bus } from '@lending/bus';
import type { Message, RateSampled } from '@lending/events';
import { createOutage, type Logger, type Metrics, type Readiness } from '@lending/runtime';
import { createOutbox, type Outbox } from './outbox.ts';
import { tell } from './tell-outage.ts';

export interface OpenOutboxOptions {
  readonly bus: Bus;
  readonly outboxCapacity: number;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly readiness: Readiness;
}

/** An outbox that counts what it sends, and says when the log is down. */
export function openOutbox({ bus, outboxCapacity: capacity, logger, metrics, readiness }: OpenOutboxOptions): Outbox {
  const samples = metrics.counter({ name: 'rate.sample.publish', help: 'Rate samples published', labels: ['venue'] });
  const outage = createOutage({
    component: readiness.component('rate-poller log'),
    logger,
    failEvent: 'rate.publish.fail',
    resumeEvent: 'rate.publish.resume',
  });
  const onSent = (sent: readonly Message[]): void => {
    for (const { type, payload } of sent)
      if (type === 'rate.sampled.v1') samples.inc({ venue: (payload as RateSampled).venue });
  };
  const onLeft = (messages: number): void => logger.warn('rate.outbox.abandon', { messages });
  const outbox = createOutbox({ bus, capacity, onSent, onState: tell(outage), onLeft });
  metrics.gauge({ name: 'rate.outbox.wait', help: 'Messages waiting for the log', collect: () => outbox.size });
  metrics.gauge({
    name: 'rate.outbox.drop',
    help: 'Messages given up because too many waited for the log',
    collect: () => outbox.dropped,
  });
  return outbox;
}
