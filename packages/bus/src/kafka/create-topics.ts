import { deadTopicOf, TOPICS, type Topic } from '@lending/events';
import type { Admin } from 'kafkajs';
import type { LogSettings } from '#bus-options.ts';
import { ConfigResourceTypes } from './kafkajs.ts';

interface WantedTopic {
  readonly topic: string;
  readonly numPartitions: number;
  readonly retentionMs: number;
}

function listWanted(settings: LogSettings): readonly WantedTopic[] {
  return Object.entries(TOPICS).flatMap(([topic, { partitions }]) => [
    { topic, numPartitions: partitions, retentionMs: settings.retentionMs },
    { topic: deadTopicOf(topic as Topic), numPartitions: 1, retentionMs: settings.deadRetentionMs },
  ]);
}

/**
 * Creates the topics and dead topics that are missing, and sets the retention of all to what is configured. The number of
 * partitions of a topic that exists is left alone: changing it would move keys.
 */
export async function createTopics(admin: Admin, settings: LogSettings, replicationFactor?: number): Promise<void> {
  const wanted = listWanted(settings);
  const existing = new Set(await admin.listTopics());
  const missing = wanted.filter(({ topic }) => !existing.has(topic));
  if (missing.length > 0) {
    const replicas = replicationFactor ?? Math.min(3, (await admin.describeCluster()).brokers.length);
    await admin.createTopics({
      waitForLeaders: true,
      topics: missing.map(({ topic, numPartitions, retentionMs }) => ({
        topic,
        numPartitions,
        replicationFactor: replicas,
        configEntries: retentionEntries(retentionMs),
      })),
    });
  }
  await updateRetention(admin, wanted);
}

async function updateRetention(admin: Admin, wanted: readonly WantedTopic[]): Promise<void> {
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: wanted.map(({ topic }) => ({
      type: ConfigResourceTypes.TOPIC,
      name: topic,
      configNames: ['retention.ms'],
    })),
  });
  const current = new Map(resources.map((resource) => [resource.resourceName, resource.configEntries[0]?.configValue]));
  const stale = wanted.filter(({ topic, retentionMs }) => current.get(topic) !== String(retentionMs));
  if (stale.length === 0) return;
  await admin.alterConfigs({
    validateOnly: false,
    resources: stale.map(({ topic, retentionMs }) => ({
      type: ConfigResourceTypes.TOPIC,
      name: topic,
      configEntries: retentionEntries(retentionMs),
    })),
  });
}

/** Everything that is set on a topic: Kafka's AlterConfigs drops what is not named. */
function retentionEntries(retentionMs: number): { name: string; value: string }[] {
  return [
    { name: 'cleanup.policy', value: 'delete' },
    { name: 'retention.ms', value: String(retentionMs) },
  ];
}
