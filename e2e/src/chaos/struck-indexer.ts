import type { LocalnetNode } from '@lending/localnet';
import { type KafkaBroker, type RunningProcess, startProcess, type TestDatabase } from '@lending/testing';
import { Client } from 'pg';
import { eventually } from '../eventually.ts';

/** An indexer that things happen to: a process of its own, on Kafka, with two nodes. */
export interface StruckIndexer {
  readonly lines: () => readonly string[];
  start(): Promise<void>;
  /** Kills it while it holds a batch that is half written. */
  killMidBatch(): Promise<void>;
  stop(): Promise<void>;
}

export function createStruckIndexer(
  database: TestDatabase,
  broker: KafkaBroker,
  nodes: readonly LocalnetNode[],
): StruckIndexer {
  let running: RunningProcess | undefined;
  const earlier: string[] = [];
  return {
    lines: () => [...earlier, ...(running?.lines ?? [])],
    async start() {
      running = await startProcess({
        entry: 'services/indexer/src/main.ts',
        readyLine: /indexer\.process\.start/,
        env: {
          DATABASE_URL: database.connectionString,
          KAFKA_BROKERS: broker.brokers.join(','),
          SOLANA_RPC_URL: nodes.map(({ rpcUrl }) => rpcUrl).join(','),
          CHAIN_SOURCE: 'localnet',
          INDEX_SCOPE: 'all',
          WALLET_REFRESH_MS: '1000',
          WATCH_COLLECT_MS: '100',
          PROBE_PORT: '0',
          LOG_LEVEL: 'info',
        },
      });
    },
    async killMidBatch() {
      const client = new Client({ connectionString: database.connectionString });
      await client.connect();
      try {
        await client.query('begin');
        await client.query('lock table activity in access exclusive mode');
        await eventually(async () => {
          const { rows } = await client.query<{ count: number }>(
            `select count(*)::integer as count from pg_locks
             where relation = 'activity'::regclass and not granted and mode = 'RowExclusiveLock'`,
          );
          if (rows[0]?.count === 0) throw new Error('no batch waits for the table of activity');
        });
        earlier.push(...(running?.lines ?? []));
        await running?.kill();
        running = undefined;
      } finally {
        await client.end();
      }
    },
    async stop() {
      earlier.push(...(running?.lines ?? []));
      await running?.stop();
      running = undefined;
    },
  };
}
