import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TOPICS } from '@lending/events';
import { openLocalnet } from '@lending/localnet';
import { type TestDatabase, useDatabase } from '@lending/store/testing';
import { isKafkaMissing, KAFKA_NEEDS, type KafkaBroker, ROOT, startKafkaBroker } from '@lending/testing';
import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { Cluster, EAGER_SETTINGS, SERVICES } from '../src/cluster/cluster.ts';
import { useOpened } from '../src/cluster/opened.ts';
import { untilEachSampleHasItsRow } from '../src/cluster/published-samples.ts';
import { eventually } from '../src/eventually.ts';
import { getJson } from '../src/http.ts';
import { differencesFromPage, readMetricsPage, readScrape } from '../src/monitoring/metrics-page.ts';
import type { BanksReply, StatusReply } from '../src/replies.ts';
import { query } from '../src/tables/query.ts';

/** What a service tells only where there is history to take over from venues, an aggregator to ask, or a certificate: none of them is here. */
const UNTOLD = {
  poller: [
    'rate_backfill_publish_total',
    'swap_ladder_finish_total',
    'swap_pair_list',
    'swap_pair_wait',
    'swap_quote_age_seconds',
    'swap_quote_ask_total',
  ],
  indexer: [],
  api: ['api_certificate_expire_seconds'],
} as const;
const isSkipped = await isKafkaMissing();
/** Of the users that the services sign in as: every character that means something in an address or in SQL. */
const PASSWORDS = { WRITER_PASSWORD: `w/#?%40@:'"$& é`, API_PASSWORD: `a%/?#'+=\\` };

/** As the job `roles` of docker-compose.yml does it. */
async function makeRoles({ connectionString }: TestDatabase): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const { WRITER_PASSWORD: writer, API_PASSWORD: api } = PASSWORDS;
  await client.query(`select set_config('roles.writer', $1, false), set_config('roles.api', $2, false)`, [writer, api]);
  await client.query(await readFile(join(ROOT, 'infra/postgres/roles.sql'), 'utf8'));
  await client.end();
}

describe.skipIf(isSkipped)(`three services (a Kafka broker ${KAFKA_NEEDS})`, () => {
  const database = useDatabase();
  const opened = useOpened();
  let broker: KafkaBroker;
  let cluster: Cluster;

  const getBanks = () => getJson<BanksReply>(`${cluster.urlOf('api')}/v1/banks`);

  /** Resolves once banks with rates of a slot after `slot` are served. */
  function served(slot: number): Promise<BanksReply> {
    return eventually(async () => {
      const reply = await getBanks();
      if (reply.as_of.slot <= slot) throw new Error(`as of slot ${reply.as_of.slot}, waiting for more than ${slot}`);
      if (!reply.banks.some(({ rates }) => rates.utilization_pct != null)) throw new Error('no rates yet');
      return reply;
    });
  }

  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'services-'));
    opened.defer(() => rm(folder, { recursive: true, force: true }));
    broker = opened.keep(await startKafkaBroker());
    const localnet = opened.keep(await openLocalnet({ genesis: { kind: 'demo' }, folder }));
    await localnet.start();
    await makeRoles(database);
    const { rpcUrl, wsUrl } = localnet;
    const { connectionString: databaseUrl } = database;
    const wired = { kafka: broker.brokers[0] ?? '', databaseUrl, passwords: PASSWORDS, rpcUrl, wsUrl };
    cluster = opened.keep(new Cluster({ ...wired, settings: EAGER_SETTINGS }));
    await Promise.all(SERVICES.map((service) => cluster.start(service)));
  });

  it('[services-shape] serves the demo banks with rates that follow the chain', async () => {
    // Partitions are projected side by side: the first answer may know some of the banks only.
    const first = await eventually(async () => {
      const found = await served(0);
      expect(found.banks.length).toBeGreaterThanOrEqual(12);
      expect(new Set(found.banks.map(({ venue }) => venue)).size).toBe(5);
      return found;
    });
    const later = await served(first.as_of.slot);
    expect(later.as_of.slot).toBeGreaterThan(first.as_of.slot);
  });

  it('[status-lag] tells of each venue, topic and source how far behind it is, and of an indexer that is gone, since when nobody knows', async () => {
    const status = () => getJson<StatusReply>(`${cluster.urlOf('api')}/v1/status`);
    await eventually(async () => {
      const { topics, sources, venues } = await status();
      expect(topics.length).toBe(Object.keys(TOPICS).length);
      expect(topics.filter(({ behind, dead, unknown_since: since }) => behind === null || dead !== 0 || since)).toEqual(
        [],
      );
      expect(topics.find(({ topic }) => topic === 'rate.sampled.v1')?.handled_per_second).toBeGreaterThan(0);
      const heard = sources.map(({ role, kind, in_use: inUse }) => `${role} ${kind} ${inUse}`);
      expect(heard).toEqual(
        expect.arrayContaining(['rate-poller rpc true', 'indexer rpc true', 'indexer pubsub true', 'api rpc true']),
      );
      expect(sources.find(({ role, kind }) => role === 'indexer' && kind === 'pubsub')?.slots_behind).toBeLessThan(100);
      expect(venues.find(({ venue }) => venue === 'P0')).toMatchObject({ beat_seconds: 0.5 });
      expect(venues.filter(({ lag_seconds: late, slots_behind: slots }) => late === null || slots === null)).toEqual(
        [],
      );
    });
    await cluster.kill('indexer');
    const at = Date.now();
    // What it told last is half a minute old, as it would be then.
    await query(database, `update consumer_lag set measured_at = measured_at - interval '30 s'`);
    await query(
      database,
      `update source_status set observed_at = observed_at - interval '30 s' where role = 'indexer'`,
    );
    await eventually(async () => {
      const { topics, sources } = await status();
      expect(new Set(topics.map(({ behind }) => behind))).toEqual(new Set([null]));
      expect(topics.every(({ unknown_since: since }) => Math.abs(Date.parse(since ?? '') - at) < 60_000)).toBe(true);
      expect(sources.filter(({ role }) => role === 'indexer')).toEqual([]);
    });
    await cluster.start('indexer');
    await eventually(async () => {
      const { topics } = await status();
      expect(topics.filter(({ behind, lag_seconds: late }) => behind === null || late === null)).toEqual([]);
    });
  });

  it('[monitoring-metrics] each service tells the metrics that the guide says it tells, as it says', async () => {
    for (const [name, service] of [
      ['rate-poller', 'poller'],
      ['indexer', 'indexer'],
      ['api', 'api'],
    ] as const) {
      const text = await (await fetch(`${cluster.urlOf(name)}/metrics`)).text();
      expect(differencesFromPage(text, service)).toEqual([]);
      const told = readScrape(text);
      const own = readMetricsPage().filter(({ toldBy, name: metric }) => toldBy.includes(service) && !told.has(metric));
      expect(own.map((row) => row.name).toSorted(), name).toEqual(UNTOLD[service]);
    }
  });

  it('[services-survive-kills] writes every sample once, whichever service is killed', async () => {
    let { as_of: seen } = await served(0);
    for (const name of SERVICES) {
      await cluster.kill(name);
      await cluster.start(name);
      seen = (await served(seen.slot)).as_of;
    }
    await cluster.stopOne('rate-poller');
    await untilEachSampleHasItsRow(broker, database);
  });
});
