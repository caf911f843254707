import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TOPICS } from '@lending/events';
import { type OpenedLocalnet, openLocalnet } from '@lending/localnet';
import {
  isKafkaMissing,
  KAFKA_NEEDS,
  type KafkaBroker,
  RAISED_RATE_LIMITS,
  ROOT,
  type RunningProcess,
  startKafkaBroker,
  startProcess,
  useDatabase,
} from '@lending/testing';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readComposeService } from '../src/compose-file.ts';
import { EAGER_SETTINGS } from '../src/eager-settings.ts';
import { eventually } from '../src/eventually.ts';
import { followSamples } from '../src/follow-samples.ts';
import { query } from '../src/history/tables.ts';
import { getJson } from '../src/http.ts';
import { differencesFromPage, readMetricsPage, readScrape } from '../src/monitoring/metrics-page.ts';
import { READY_LINE, SERVICES, type Service } from '../src/services.ts';

interface BanksReply {
  readonly banks: readonly { address: string; venue: string; rates: Record<string, number | null> }[];
  readonly as_of: { slot: number };
}

interface StatusReply {
  readonly venues: readonly {
    venue: string;
    beat_seconds: number | null;
    lag_seconds: number | null;
    slots_behind: number | null;
  }[];
  readonly topics: readonly {
    topic: string;
    behind: number | null;
    lag_seconds: number | null;
    handled_per_second: number | null;
    dead: number | null;
    unknown_since: string | null;
  }[];
  readonly sources: readonly { role: string; kind: string; in_use: boolean; slots_behind: number | null }[];
}

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
async function makeRoles(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { WRITER_PASSWORD: writer, API_PASSWORD: api } = PASSWORDS;
    await client.query(`select set_config('roles.writer', $1, false), set_config('roles.api', $2, false)`, [
      writer,
      api,
    ]);
    await client.query(await readFile(join(ROOT, 'infra/postgres/roles.sql'), 'utf8'));
  } finally {
    await client.end();
  }
}

describe.skipIf(isSkipped)(`three services (a Kafka broker ${KAFKA_NEEDS})`, () => {
  const database = useDatabase();
  const processes = new Map<Service, RunningProcess>();
  let folder: string;
  let broker: KafkaBroker;
  let localnet: OpenedLocalnet;

  async function start(name: Service): Promise<void> {
    const { rpcUrl, wsUrl } = localnet;
    const [brokerAddress] = broker.brokers;
    const databaseUrl = new URL(database.connectionString);
    const service = readComposeService(
      name,
      {
        'kafka:9092': brokerAddress ?? '',
        'postgres:5432/lending': `${databaseUrl.host}${databaseUrl.pathname}`,
        '0.0.0.0': '127.0.0.1',
      },
      { SOLANA_RPC_URL: rpcUrl, SOLANA_WS_URL: wsUrl, ...PASSWORDS },
    );
    const env = {
      ...service.env,
      ...RAISED_RATE_LIMITS,
      PROBE_PORT: '0',
      API_PORT: '0',
      ...EAGER_SETTINGS,
      CHAIN_SOURCE: 'localnet',
    };
    processes.set(name, await startProcess({ entry: service.entry, env, readyLine: READY_LINE[name] }));
  }

  function getBanks(): Promise<BanksReply> {
    return getJson<BanksReply>(`http://127.0.0.1:${processes.get('api')?.baseUrl}/v1/banks`);
  }

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
    folder = await mkdtemp(join(tmpdir(), 'services-'));
    [broker, localnet] = await Promise.all([startKafkaBroker(), openLocalnet({ genesis: { kind: 'demo' }, folder })]);
    await localnet.start();
    await makeRoles(database.connectionString);
    await Promise.all(SERVICES.map(start));
  });

  afterAll(async () => {
    await Promise.all([...processes.values()].map((running) => running.stop()));
    await localnet?.stop();
    await broker?.stop();
    await rm(folder, { recursive: true, force: true });
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
    const status = () => getJson<StatusReply>(`http://127.0.0.1:${processes.get('api')?.baseUrl}/v1/status`);
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
    await processes.get('indexer')?.kill();
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
    await start('indexer');
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
      const text = await (await fetch(`http://127.0.0.1:${processes.get(name)?.baseUrl}/metrics`)).text();
      expect(differencesFromPage(text, service)).toEqual([]);
      const told = readScrape(text);
      const own = readMetricsPage().filter(({ toldBy, name: metric }) => toldBy.includes(service) && !told.has(metric));
      expect(own.map((row) => row.name).toSorted(), name).toEqual(UNTOLD[service]);
    }
  });

  it('[services-survive-kills] writes every sample once, whichever service is killed', async () => {
    let { as_of: seen } = await served(0);
    for (const name of SERVICES) {
      await processes.get(name)?.kill();
      await start(name);
      seen = (await served(seen.slot)).as_of;
    }
    await processes.get('rate-poller')?.stop();
    processes.delete('rate-poller');
    const published = await followSamples(broker);
    await eventually(async () => {
      const rows = await query<{ id: string }>(
        database,
        `select address || ':' || slot as id from rate_sample join rate_series on rate_series.id = series`,
      );
      const written = rows.map(({ id }) => id).sort();
      // The log is read while this runs, so both sides are compared whole, again and again, until they agree.
      expect(published.counts.size).toBeGreaterThan(0);
      expect(written).toEqual([...published.counts.keys()].sort());
    });
    await published.stop();
  });
});
