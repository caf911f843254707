import type { ConsumerRunConfig, EachBatchPayload } from 'kafkajs';
import { describe, expect, it, vi } from 'vitest';
import { LOG_DEFAULTS } from '#bus-options.ts';
import { KafkaConsumer, type KafkaConsumerContext } from './kafka-consumer.ts';

type Handlers = Pick<ConsumerRunConfig, 'eachBatch'>;

/** A group that is joined with what `memberAssignment` says, and has `parts` besides. */
function groupWith(memberAssignment: Readonly<Record<string, readonly number[]>>, parts: object) {
  const listeners = new Map<string, (event: unknown) => void>();
  let handlers: Handlers = {};
  const consumer = {
    events: { GROUP_JOIN: 'join', CRASH: 'crash' },
    on: (event: string, listener: (event: unknown) => void) => void listeners.set(event, listener),
    connect: async () => undefined,
    subscribe: async () => undefined,
    run: async (given: Handlers) => {
      handlers = given;
      listeners.get('join')?.({ payload: { memberAssignment } });
    },
    resume: () => undefined,
    seek: () => undefined,
    disconnect: async () => undefined,
    ...parts,
  };
  const admin = { fetchTopicOffsets: async () => [{ partition: 0, low: '0', high: '1' }] };
  const context = { kafka: { consumer: () => consumer }, admin, settings: LOG_DEFAULTS, partitionCount: 1 };
  return {
    context: context as unknown as KafkaConsumerContext,
    crash: (error: Error) => listeners.get('crash')?.({ payload: { error, restart: true } }),
    bring: (payload: object) => handlers.eachBatch?.(payload as EachBatchPayload),
  };
}

function consumerOf(context: KafkaConsumerContext, handle: () => Promise<void>): KafkaConsumer {
  const topics = ['rate.sampled.v1'] as const;
  const options = { group: 'g', topics, startFrom: async () => new Map(), handle, skipMalformed: true };
  return new KafkaConsumer(context, { options, bury: async () => undefined });
}

describe('KafkaConsumer', () => {
  it('stops though the brokers do not let it go', async () => {
    vi.useFakeTimers();
    try {
      const { context } = groupWith({}, { disconnect: () => new Promise<never>(() => undefined) });
      const consumer = consumerOf(context, async () => undefined);
      await consumer.start();
      const onStopped = vi.fn();
      void consumer.stop().then(onStopped);
      await vi.advanceTimersByTimeAsync(5_000);
      expect(onStopped).toHaveBeenCalled();
    } finally {
      vi.useRealTimers();
    }
  });

  it('lives on when the group is left, in a crash, before a batch that failed is put off', async () => {
    const handled = Promise.withResolvers<void>();
    const pause = () => {
      throw new Error('Consumer group was not initialized, consumer#run must be called first');
    };
    const group = groupWith({ 'rate.sampled.v1': [0] }, { pause });
    const consumer = consumerOf(group.context, () => handled.promise);
    await consumer.start();
    const bring = () =>
      group.bring({
        batch: { topic: 'rate.sampled.v1', partition: 0, messages: [{ offset: '0', key: null, value: null }] },
        heartbeat: async () => undefined,
        resolveOffset: () => undefined,
        isRunning: () => true,
        isStale: () => false,
      });
    const brought = bring();
    handled.reject(new Error('the database is away'));
    await expect(brought).resolves.toBeUndefined();
    group.crash(new Error('the brokers are away'));
    await consumer.stop();
  });
});
