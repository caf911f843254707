import type { Kafka } from 'kafkajs';
import { describe, expect, it, vi } from 'vitest';
import { LOG_DEFAULTS } from '#bus-options.ts';
import { KafkaConsumer, type KafkaConsumerContext } from './kafka-consumer.ts';

/** A group that was joined, and brokers that say nothing any more. */
function silentGroup(): Pick<Kafka, 'consumer'> {
  const silence = new Promise<never>(() => undefined);
  const listeners = new Map<string, (event: unknown) => void>();
  const consumer = {
    events: { GROUP_JOIN: 'join', CRASH: 'crash' },
    on: (event: string, listener: (event: unknown) => void) => void listeners.set(event, listener),
    connect: async () => undefined,
    subscribe: async () => undefined,
    run: async () => listeners.get('join')?.({ payload: { memberAssignment: {} } }),
    resume: () => undefined,
    disconnect: () => silence,
  };
  return { consumer: () => consumer } as unknown as Kafka;
}

describe('KafkaConsumer', () => {
  it('stops though the brokers do not let it go', async () => {
    vi.useFakeTimers();
    try {
      const consumer = new KafkaConsumer(
        { kafka: silentGroup(), settings: LOG_DEFAULTS, partitionCount: 1 } as unknown as KafkaConsumerContext,
        {
          options: {
            group: 'g',
            topics: ['rate.sampled.v1'],
            startFrom: async () => new Map(),
            handle: async () => undefined,
          },
          bury: async () => undefined,
        },
      );
      await consumer.start();
      const onStopped = vi.fn();
      void consumer.stop().then(onStopped);
      await vi.advanceTimersByTimeAsync(5_000);
      expect(onStopped).toHaveBeenCalled();
    } finally {
      vi.useRealTimers();
    }
  });
});
