import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBus } from '@lending/bus';
import { type OpenedLocalnet, openLocalnet } from '@lending/localnet';
import {
  findKafkaRuntime,
  KAFKA_NEEDS,
  type KafkaBroker,
  RAISED_RATE_LIMITS,
  type RunningProcess,
  startKafkaBroker,
  startProcess,
  useDatabase,
} from '@lending/testing';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readComposeService } from '../src/compose-file.ts';
import { eventually } from '../src/eventually.ts';
import { getJson } from '../src/http.ts';

interface BanksReply {
  readonly banks: readonly { address: string; venue: string; rates: Record<string, number | null> }[];
  readonly as_of: { slot: number };
}

const SERVICES = ['rate-poller', 'indexer', 'api'] as const;
type Service = (typeof SERVICES)[number];
const READY_LINE: Readonly<Record<Service, RegExp>> = {
  'rate-poller': /rate\.poller\.start/,
  indexer: /indexer\.process\.start/,
  api: /"port":(\d+).*api\.server\.listen/,
};
const runtime = await findKafkaRuntime();

describe.skipIf(runtime === null && process.env.CI !== 'true')(`three services (a Kafka broker ${KAFKA_NEEDS})`, () => {
  const database = useDatabase();
  const processes = new Map<Service, RunningProcess>();
  let folder: string;
  let broker: KafkaBroker;
  let localnet: OpenedLocalnet;

  async function start(name: Service): Promise<void> {
    const { rpcUrl, wsUrl } = localnet;
    const [brokerAddress] = broker.brokers;
    const service = readComposeService(
      name,
      {
        'kafka:9092': brokerAddress ?? '',
        'postgres://lending:lending@postgres:5432/lending': database.connectionString,
        '0.0.0.0': '127.0.0.1',
      },
      { SOLANA_RPC_URL: rpcUrl, SOLANA_WS_URL: wsUrl },
    );
    const env = {
      ...service.env,
      ...RAISED_RATE_LIMITS,
      PROBE_PORT: '0',
      API_PORT: '0',
      POLL_P0_MS: '500',
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
    }, 60_000);
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'services-'));
    broker = await startKafkaBroker();
    localnet = await openLocalnet({ genesis: { kind: 'demo' }, folder });
    await localnet.start();
    await Promise.all(SERVICES.map(start));
  }, 300_000);

  afterAll(async () => {
    await Promise.all([...processes.values()].map((running) => running.stop()));
    await localnet?.stop();
    await broker?.stop();
    await rm(folder, { recursive: true, force: true });
  }, 60_000);

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
  }, 120_000);

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
    const client = new pg.Client({ connectionString: database.connectionString });
    await client.connect();
    await eventually(async () => {
      const { rows } = await client.query<{ id: string }>(
        `select address || ':' || slot as id from rate_sample join rate_series on rate_series.id = series`,
      );
      const written = rows.map(({ id }) => id).sort();
      // The log is read while this runs, so both sides are compared whole, again and again, until they agree.
      expect(published.ids.size).toBeGreaterThan(0);
      expect(written).toEqual([...published.ids].sort());
    }, 60_000);
    await Promise.all([published.stop(), client.end()]);
  }, 300_000);
});

/** Collects `bank:slot` of every sample in the log, from its beginning, as one more consumer group. */
async function followSamples(broker: KafkaBroker) {
  const ids = new Set<string>();
  const bus = await createBus({ kind: 'kafka', brokers: broker.brokers, clientId: 'e2e' });
  await bus.consume({
    group: 'e2e',
    topics: ['rate.sampled.v1'],
    startFrom: async () => new Map(),
    handle: async ({ messages }) => {
      for (const { message } of messages) ids.add(`${message.key}:${message.slot}`);
    },
  });
  return { ids, stop: () => bus.close() };
}
