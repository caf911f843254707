import { createBus, partitionKey } from '@lending/bus';
import { isTopic, TOPICS } from '@lending/events';
import { type OpenedLocalnet, openLocalnet } from '@lending/localnet';
import { readOffsets } from '@lending/store';
import { type TestDatabase, useDatabase } from '@lending/store/testing';
import { isKafkaMissing, KAFKA_NEEDS, type KafkaBroker, startKafkaBroker } from '@lending/testing';
import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { Cluster, EAGER_SETTINGS } from '../src/cluster/cluster.ts';
import { useOpened } from '../src/cluster/opened.ts';
import { eventually } from '../src/eventually.ts';
import { standStill } from '../src/stand-still.ts';
import { untilEqualToChain } from '../src/tables/chain-truth.ts';
import { dumpTables } from '../src/tables/dump-tables.ts';
import { query, readRows } from '../src/tables/query.ts';

/** What is written from messages alone, and not when an indexer finds the time. */
const FROM_MESSAGES = [
  'bank',
  'reserve',
  'oracle_price',
  'account',
  'account_order',
  'balance',
  'rebalance_order',
  'activity',
  'activity_leg',
  'group_change',
  'tags',
  'swap_quote',
];

const isSkipped = await isKafkaMissing();

describe.skipIf(isSkipped)(`a backup that is put back (a Kafka broker ${KAFKA_NEEDS})`, () => {
  const lost = useDatabase();
  const restored = useDatabase();
  const opened = useOpened();
  let broker: KafkaBroker;
  let localnet: OpenedLocalnet;
  let samplesInBackup = 0;

  const openCluster = ({ connectionString: databaseUrl }: TestDatabase): Cluster => {
    const { rpcUrl, wsUrl } = localnet;
    const kafka = broker.brokers[0] ?? '';
    return opened.keep(new Cluster({ kafka, databaseUrl, rpcUrl, wsUrl, settings: EAGER_SETTINGS }));
  };

  const countSamples = async (database: TestDatabase): Promise<number> => {
    const [row] = await query<{ count: number }>(database, 'select count(*)::integer as count from rate_sample');
    return row?.count ?? 0;
  };
  const untilMoreThan = (samples: number) =>
    eventually(async () => expect(await countSamples(lost)).toBeGreaterThan(samples));

  /** Resolves when everything that is in the log by now is in the tables. */
  async function untilProjected(): Promise<void> {
    const bus = await createBus({ kind: 'kafka', brokers: broker.brokers, clientId: 'e2e' });
    const extents = await bus.readExtents(Object.keys(TOPICS).filter(isTopic));
    await bus.close();
    await eventually(async () => {
      const offsets = await readOffsets(lost.store, 'projection', extents);
      expect(extents.filter((extent) => extent.next > (offsets.get(partitionKey(extent)) ?? 0n))).toEqual([]);
    });
  }

  beforeAll(async () => {
    broker = opened.keep(await startKafkaBroker());
    localnet = opened.keep(await openLocalnet({ genesis: { kind: 'demo' }, transactionsPerSecond: 5 }));
    await localnet.start();
    const cluster = openCluster(lost);
    await Promise.all([cluster.start('indexer'), cluster.start('rate-poller')]);
    await untilMoreThan(300);

    await copyDatabase(lost, restored);
    samplesInBackup = await countSamples(restored);

    await untilMoreThan(3 * samplesInBackup);
    await standStill(localnet);
    await cluster.stop();
    await cluster.start('indexer');
    await untilEqualToChain(lost, localnet);
    await untilProjected();
    await cluster.stop();
  });

  it('[restore-catches-up] ends, by itself, with the rows that were written after it was made', async () => {
    const samples = await readRows(lost, 'rate_sample');
    expect(samplesInBackup).toBeGreaterThan(300);
    expect(samples.length).toBeGreaterThan(3 * samplesInBackup - 1);
    expect(await countSamples(restored)).toBe(samplesInBackup);

    await openCluster(restored).start('indexer');
    await eventually(
      async () => expect((await readRows(restored, 'rate_sample')).length).toBe(samples.length),
      180_000,
      500,
    );
    expect(await readRows(restored, 'rate_sample')).toEqual(samples);
    await untilEqualToChain(restored, localnet);
    const [expected, found] = await Promise.all([dumpTables(lost), dumpTables(restored)]);
    for (const table of FROM_MESSAGES) expect(found.get(table), table).toEqual(expected.get(table));
  });
});

/** Copies a database as of one moment. The server copies none that somebody is connected to: whoever is, is sent away for as long. */
async function copyDatabase(from: TestDatabase, to: TestDatabase): Promise<void> {
  const [source, target] = [from, to].map(({ connectionString }) => new URL(connectionString).pathname.slice(1));
  const url = new URL(from.connectionString);
  url.pathname = '/postgres';
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    await client.query(`drop database "${target}" with (force)`);
    await client.query(`alter database "${source}" allow_connections false`);
    await client.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = $1`, [source]);
    await client.query(`create database "${target}" template "${source}"`);
    await client.query(`alter database "${source}" allow_connections true`);
    await client.query(`alter database "${target}" allow_connections true`);
  } finally {
    await client.end();
  }
}
