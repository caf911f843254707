import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Kafka, type KafkaMessage, logLevel } from 'kafkajs';
import type { Demo } from '../cluster/demo.ts';

/** Every row of every table, those of the embedded log's topics among them, as text: bytes are in hex. */
export async function readTables(demo: Demo): Promise<ReadonlyMap<string, string>> {
  const tables = await demo.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  const texts = new Map<string, string>();
  for (const { name } of tables) {
    const rows = await demo.query<{ line: string }>(`select row::text as line from ${name} as row`);
    texts.set(name, rows.map(({ line }) => line).join('\n'));
  }
  return texts;
}

/** Files of a data folder that are not the tables' own bytes: logs, settings, whatever was left. */
export function readFiles(folder: string, isLeftOut: (path: string) => boolean): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const entry of readdirSync(folder, { recursive: true }) as string[]) {
    const path = join(folder, entry);
    if (!isLeftOut(entry) && statSync(path, { throwIfNoEntry: false })?.isFile())
      found.set(entry, readFileSync(path, 'latin1'));
  }
  return found;
}

/** A message as Kafka keeps it. */
export interface KeptMessage {
  readonly topic: string;
  readonly key: string;
  readonly value: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** All that is on all topics at the moment, read by an outsider. */
export async function readTopics(brokers: readonly string[]): Promise<readonly KeptMessage[]> {
  const kafka = new Kafka({ brokers: [...brokers], logLevel: logLevel.NOTHING });
  const admin = kafka.admin();
  await admin.connect();
  const topics = (await admin.listTopics()).filter((topic) => !topic.startsWith('__'));
  const left = new Map<string, bigint>();
  for (const topic of topics) {
    for (const { partition, low, high } of await admin.fetchTopicOffsets(topic))
      if (BigInt(high) > BigInt(low)) left.set(`${topic}/${partition}`, BigInt(high));
  }
  await admin.disconnect();
  const messages: KeptMessage[] = [];
  if (left.size === 0) return messages;
  const { promise: isRead, resolve } = Promise.withResolvers<void>();
  const reader = kafka.consumer({ groupId: `outsider-${crypto.randomUUID()}` });
  await reader.connect();
  await reader.subscribe({ topics, fromBeginning: true });
  await reader.run({
    autoCommit: false,
    eachMessage: async ({ topic, partition, message }) => {
      messages.push({ topic, ...textsOf(message) });
      const end = left.get(`${topic}/${partition}`);
      if (end !== undefined && BigInt(message.offset) + 1n >= end) left.delete(`${topic}/${partition}`);
      if (left.size === 0) resolve();
    },
  });
  await isRead;
  await reader.disconnect();
  return messages;
}

function textsOf({ key, value, headers = {} }: KafkaMessage): Omit<KeptMessage, 'topic'> {
  const pairs = Object.entries(headers).map(([name, said]) => [name, String(said)]);
  return { key: String(key), value: String(value), headers: Object.fromEntries(pairs) };
}
