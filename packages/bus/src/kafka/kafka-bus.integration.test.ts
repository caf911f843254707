import { deadTopicOf, TOPICS, type Topic } from '@lending/events';
import { useDatabase } from '@lending/store/testing';
import { isKafkaMissing, KAFKA_NEEDS, type KafkaBroker, startKafkaBroker } from '@lending/testing';
import type { Admin, Kafka } from 'kafkajs';
import { afterAll, describe, expect, it } from 'vitest';
import { type BuriedRecord, CONTRACT_SETTINGS, describeBusContract } from '#bus.contract.ts';
import { CONTRACT_TOPIC } from '#bus.contract-messages.ts';
import { LOG_DEFAULTS } from '#bus-options.ts';
import { createClient } from './client.ts';
import { createKafkaBus } from './kafka-bus.ts';
import { ConfigResourceTypes, Partitioners } from './kafkajs.ts';

const isSkipped = await isKafkaMissing();
// In CI a missing broker is a failure: the suite runs and says what it needs.

describe.skipIf(isSkipped)(isSkipped ? `Kafka adapter (${KAFKA_NEEDS})` : 'Kafka adapter', () => {
  const database = useDatabase();
  let broker: KafkaBroker | undefined;

  describeBusContract(async () => {
    broker = await startKafkaBroker();
    const { brokers, interrupt, resume } = broker;
    const kafka = createClient({ brokers }, undefined);
    return {
      config: { kind: 'kafka', brokers, ...CONTRACT_SETTINGS },
      connectionString: database.connectionString,
      inject: async (key, value) => {
        const producer = kafka.producer({ createPartitioner: Partitioners.DefaultPartitioner });
        await producer.connect();
        await producer.send({ topic: CONTRACT_TOPIC, messages: [{ key, value }] });
        await producer.disconnect();
      },
      readDeadLetters: () => readAll(kafka, deadTopicOf(CONTRACT_TOPIC)),
      expireAll: () => withAdmin(kafka, deleteAll),
      interrupt,
      resume,
    };
  });

  it('creates topics and dead topics with their partitions, and follows a change of retention', async () => {
    const brokers = broker?.brokers ?? [];
    const kafka = createClient({ brokers }, undefined);
    const retentionOf = (topic: string) =>
      withAdmin(kafka, async (admin) => {
        const { resources } = await admin.describeConfigs({
          includeSynonyms: false,
          resources: [{ type: ConfigResourceTypes.TOPIC, name: topic, configNames: ['retention.ms'] }],
        });
        return resources[0]?.configEntries[0]?.configValue;
      });
    await (await createKafkaBus({ brokers, retentionMs: 3_600_000 })).close();
    const { topics } = await withAdmin(kafka, (admin) => admin.fetchTopicMetadata());
    const counts = new Map(topics.map(({ name, partitions }) => [name, partitions.length]));
    for (const [topic, { partitions }] of Object.entries(TOPICS)) {
      expect(counts.get(topic)).toBe(partitions);
      expect(counts.get(deadTopicOf(topic as Topic))).toBe(1);
    }
    expect(await retentionOf(CONTRACT_TOPIC)).toBe('3600000');
    await (await createKafkaBus({ brokers, retentionMs: 7_200_000 })).close();
    expect(await retentionOf(CONTRACT_TOPIC)).toBe('7200000');
    expect(await retentionOf(deadTopicOf(CONTRACT_TOPIC))).toBe(String(LOG_DEFAULTS.deadRetentionMs));
  });

  afterAll(() => broker?.stop());
});

describe('createKafkaBus', () => {
  it('names the brokers when none answers', async () => {
    await expect(createKafkaBus({ brokers: ['127.0.0.1:1'], startTimeoutMs: 300 })).rejects.toMatchObject({
      code: 'BUS__UNAVAILABLE',
      message: expect.stringContaining('127.0.0.1:1'),
    });
  });
});

async function withAdmin<T>(kafka: Kafka, work: (admin: Admin) => Promise<T>): Promise<T> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.disconnect();
  }
}

async function deleteAll(admin: Admin): Promise<void> {
  const ends = await admin.fetchTopicOffsets(CONTRACT_TOPIC);
  await admin.deleteTopicRecords({
    topic: CONTRACT_TOPIC,
    partitions: ends.map(({ partition, high }) => ({ partition, offset: high })),
  });
}

/** Everything on a topic of one partition, read by an outsider. */
async function readAll(kafka: Kafka, topic: string): Promise<readonly BuriedRecord[]> {
  const [end] = await withAdmin(kafka, (admin) => admin.fetchTopicOffsets(topic));
  const count = Number(end?.high ?? 0) - Number(end?.low ?? 0);
  const records: BuriedRecord[] = [];
  if (count === 0) return records;
  const { promise, resolve } = Promise.withResolvers<void>();
  const reader = kafka.consumer({ groupId: `outsider-${crypto.randomUUID()}` });
  await reader.connect();
  await reader.subscribe({ topic, fromBeginning: true });
  await reader.run({
    autoCommit: false,
    eachMessage: async ({ message }) => {
      const headers = Object.entries(message.headers ?? {}).map(([name, value]) => [name, String(value)]);
      records.push({
        key: message.key === null ? null : String(message.key),
        value: String(message.value),
        headers: Object.fromEntries(headers),
      });
      if (records.length === count) resolve();
    },
  });
  await promise;
  await reader.disconnect();
  return records;
}
