import type { Bus } from '@lending/bus';
import type { Topic } from '@lending/events';
import { type Logger, type Metrics, runBeat } from '@lending/runtime';
import {
  type PartitionLag,
  readGroupPositions,
  readPartitionLags,
  type Store,
  writeConsumerLags,
} from '@lending/store';
import { createLagMeter, type LagMeter, positionAmong } from './lag-meter.ts';
import { PROJECTED_TOPICS, PROJECTION_GROUP } from './projector.ts';

export interface MeasureLagOptions {
  readonly bus: Pick<Bus, 'readExtents' | 'countDead'>;
  readonly store: Store;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Default: five seconds. */
  readonly everyMs?: number;
}

/** What was measured, by the clock of this process. */
interface Measured {
  readonly atMs: number;
  readonly lags: readonly PartitionLag[];
  /** Seconds that the oldest message waited when it was measured; of one partition. */
  readonly waitingSeconds: (lag: PartitionLag) => number;
  readonly dead: ReadonlyMap<Topic, bigint>;
}

const EVERY_MS = 5_000;
/** A reading that is older says nothing any more: its metrics have no series then. */
const BELIEVED_BEATS = 4;

/**
 * Measures on a beat what waits in the topics, of all partitions, whoever handles them: with several indexers each tells the same. Where
 * the group stands is read before and after where the log ends: what is handled meanwhile does not wait, and a group that stood past the
 * end before the log was asked stands in a log that was made anew. Resolves when the signal aborts.
 */
export async function runLagMeasuring(options: MeasureLagOptions, signal: AbortSignal): Promise<void> {
  const { everyMs = EVERY_MS, logger } = options;
  let newest: Measured | null = null;
  let meter: LagMeter | null = null;
  exposeLag(options.metrics, () =>
    newest !== null && performance.now() - newest.atMs <= everyMs * BELIEVED_BEATS ? newest : null,
  );
  await runBeat(
    everyMs,
    signal,
    async () => {
      meter ??= createLagMeter(await readPartitionLags(options.store.db, PROJECTION_GROUP));
      newest = await measure(options, meter);
    },
    // Who cannot be reached says so elsewhere: the projector reads from the log and writes to the tables all the time.
    { onError: (error) => logger.debug('bus.lag.wait', { error }), maxDelayMs: everyMs },
  );
}

async function measure({ bus, store: { db } }: MeasureLagOptions, meter: LagMeter): Promise<Measured> {
  const { readAt, positions } = await readGroupPositions(db, PROJECTION_GROUP);
  const atMs = performance.now();
  const [extents, dead] = await Promise.all([bus.readExtents(PROJECTED_TOPICS), bus.countDead(PROJECTED_TOPICS)]);
  const { positions: later } = await readGroupPositions(db, PROJECTION_GROUP);
  const lags = meter.measure(readAt.getTime(), extents, positionAmong(extents, positions, later));
  await writeConsumerLags(db, {
    group: PROJECTION_GROUP,
    measuredAt: readAt,
    lags,
    dead: [...dead].map(([topic, messages]) => ({ topic, messages })),
  });
  const waitingSeconds = ({ waitingSince }: PartitionLag): number =>
    waitingSince === null ? 0 : (readAt.getTime() - waitingSince.getTime()) / 1000;
  return { atMs, lags, waitingSeconds, dead };
}

/** What an autoscaler goes by. No series while nobody knows. */
function exposeLag(metrics: Metrics, newest: () => Measured | null): void {
  const each = (figure: (lag: PartitionLag, measured: Measured) => number) => () => {
    const measured = newest();
    return (measured?.lags ?? []).map((lag) => {
      const labels = { group: PROJECTION_GROUP, topic: lag.topic, partition: String(lag.partition) };
      return [labels, figure(lag, measured as Measured)] as const;
    });
  };
  const labels = ['group', 'topic', 'partition'] as const;
  metrics.gauge({
    name: 'bus.consumer.lag',
    help: 'Messages that wait to be handled, of every partition, whoever handles it',
    labels,
    collectEach: each(({ behind }) => Number(behind)),
  });
  metrics.gauge({
    name: 'bus.consumer.lag_seconds',
    help: 'Age of the oldest message that waits, to one beat; 0 where none does',
    labels,
    collectEach: each((lag, measured) => measured.waitingSeconds(lag)),
  });
  metrics.gauge({
    name: 'bus.dead.messages',
    help: 'Messages that lie on the dead topic of a topic',
    labels: ['topic'],
    collectEach: () => [...(newest()?.dead ?? [])].map(([topic, messages]) => [{ topic }, Number(messages)] as const),
  });
}
