import { createBus } from '@lending/bus';
import { isTopic, TOPICS } from '@lending/events';
import { runProjector } from '@lending/indexer';
import { createLogger, createMetrics, createReadiness } from '@lending/runtime';
import { createStore } from '@lending/store';
import type { KafkaBroker } from '@lending/testing';
import { eventually } from '../eventually.ts';
import { query, type Tables } from '../history/tables.ts';

/**
 * Projects what is in the topics and not in a database yet, as an indexer does to which nothing happens. It is the consumer group of the
 * services, so they have to have ended.
 */
export async function projectUndisturbed(broker: KafkaBroker, database: Tables): Promise<void> {
  const store = createStore({ connectionString: database.connectionString });
  const bus = await createBus({ kind: 'kafka', brokers: broker.brokers, clientId: 'undisturbed' });
  const stopping = new AbortController();
  const logger = createLogger({ level: 'silent', name: 'undisturbed' });
  const parts = { logger, metrics: createMetrics(), readiness: createReadiness() };
  // Nothing comes after the last message, which a tip that waits for others would wait for.
  const running = runProjector({ bus, store, ...parts, tipsAtOnce: true }, stopping.signal);
  try {
    const topics = await bus.readExtents(Object.keys(TOPICS).filter(isTopic));
    await eventually(async () => {
      const rows = await query<{ topic: string; partition: number; next: string }>(
        database,
        'select topic, partition, next_offset::text as next from consumer_offset',
      );
      const at = new Map(rows.map(({ topic, partition, next }) => [`${topic}/${partition}`, BigInt(next)]));
      const behind = topics.filter(
        ({ topic, partition, oldest, next }) => next > oldest && (at.get(`${topic}/${partition}`) ?? 0n) < next,
      );
      if (behind.length > 0) throw new Error(`not projected yet: ${behind.map(({ topic }) => topic).join(', ')}`);
    });
  } finally {
    stopping.abort();
    await running;
    await bus.close();
    await store.close();
  }
}
