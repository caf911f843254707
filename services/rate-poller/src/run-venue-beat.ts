import type { Venue } from '@lending/domain';
import { createOutage, type Logger, type Metrics, type Readiness, runBeat } from '@lending/runtime';
import { inSpan, keepTrace } from '@lending/tracing';
import type { Leadership } from './leadership.ts';
import type { Outbox } from './outbox.ts';
import type { Round } from './p0-round.ts';

export interface VenueBeatOptions {
  readonly venue: Venue;
  readonly beatMs: number;
  readonly round: Round;
  readonly leadership: Leadership;
  readonly outbox: Outbox;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly readiness: Readiness;
}

/** A node that is back is read within this time, however long it was away and however seldom the venue is sampled. */
const LONGEST_PAUSE_MS = 10_000;

/**
 * Runs one venue's rounds on a beat of their own while this process leads, until the signal aborts. A round that fails is tried again
 * after a pause that grows up to ten seconds; what one venue does holds up no other.
 */
export async function runVenueBeat(options: VenueBeatOptions, signal: AbortSignal): Promise<void> {
  const { venue, beatMs, round, leadership, outbox, metrics, readiness } = options;
  const outage = createOutage({
    component: readiness.component(venue === 'p0' ? 'rate-poller' : `rate-poller ${venue}`),
    logger: options.logger.child({ venue }),
    failEvent: 'rate.sample.fail',
    resumeEvent: 'rate.sample.resume',
  });
  const duration = metrics.histogram({
    name: 'rate.round.duration',
    help: 'How long it took to read all of a venue',
    unit: 'seconds',
    labels: ['venue'],
  });

  async function beat(): Promise<void> {
    await leadership.untilLeading(signal);
    await inSpan(
      'lending.rate-poller',
      { name: `sample ${venue}`, attributes: { 'lending.venue': venue } },
      async () => {
        const end = duration.startTimer({ venue });
        const messages = await round(signal);
        keepTrace(messages);
        outbox.put(messages);
        end();
        outage.recovered();
      },
    );
  }

  await runBeat(beatMs, signal, beat, {
    maxDelayMs: LONGEST_PAUSE_MS,
    onError: (error) => outage.failed(error),
  });
}
