import { createBus } from '@lending/bus';
import type { KafkaBroker } from '@lending/testing';

/** The rate samples in a log, from its beginning on. */
export interface FollowedSamples {
  /** `address:slot` of every sample read so far; how often each came. */
  readonly counts: ReadonlyMap<string, number>;
  stop(): Promise<void>;
}

/** Reads the samples of a broker's log as one more consumer group. */
export async function followSamples(broker: KafkaBroker): Promise<FollowedSamples> {
  const counts = new Map<string, number>();
  const bus = await createBus({ kind: 'kafka', brokers: broker.brokers, clientId: 'e2e' });
  await bus.consume({
    group: 'e2e',
    topics: ['rate.sampled.v1'],
    startFrom: async () => new Map(),
    handle: async ({ messages }) => {
      for (const { message } of messages) {
        const id = `${message.key}:${message.slot}`;
        counts.set(id, (counts.get(id) ?? 0) + 1);
      }
    },
  });
  return { counts, stop: () => bus.close() };
}
