import { setTimeout as sleep } from 'node:timers/promises';
import { type OpenedLocalnet, openLocalnet } from '@lending/localnet';
import {
  isKafkaMissing,
  KAFKA_NEEDS,
  type KafkaBroker,
  type Link,
  openLink,
  RAISED_RATE_LIMITS,
  type RunningProcess,
  startKafkaBroker,
  startProcess,
  useDatabase,
} from '@lending/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readComposeService } from '../src/compose-file.ts';
import { EAGER_SETTINGS } from '../src/eager-settings.ts';
import { eventually } from '../src/eventually.ts';
import { followSamples } from '../src/follow-samples.ts';
import { query } from '../src/history/tables.ts';
import { getJson } from '../src/http.ts';
import { READY_LINE, SERVICES, type Service, urlOf } from '../src/services.ts';

/** What an outage lasts when everybody is told to stop: each of them waits for something by then. */
const OUTAGE_MS = 1_500;
const isSkipped = await isKafkaMissing();

describe.skipIf(isSkipped)(`stops (a Kafka broker ${KAFKA_NEEDS})`, () => {
  const database = useDatabase();
  const processes = new Map<Service, RunningProcess>();
  let localnet: OpenedLocalnet;
  let broker: KafkaBroker | undefined;
  let links: Readonly<Record<'kafka' | 'postgres' | 'rpc' | 'pubsub', Link>>;
  let servedSlot = 0;

  const linkTo = (url: string) => openLink({ to: Number(new URL(url).port) });

  beforeAll(async () => {
    localnet = await openLocalnet({ genesis: { kind: 'demo' } });
    await localnet.start();
    const kafka = Promise.withResolvers<Link>();
    broker = await startKafkaBroker({
      async advertise(port) {
        const link = await openLink({ to: port });
        kafka.resolve(link);
        return link.port;
      },
    });
    links = {
      kafka: await kafka.promise,
      postgres: await linkTo(database.connectionString),
      rpc: await linkTo(localnet.rpcUrl),
      pubsub: await linkTo(localnet.wsUrl),
    };
  });

  afterAll(async () => {
    await Promise.all([...processes.values()].map((running) => running.kill()));
    await localnet?.stop();
    await broker?.stop();
    await Promise.all(Object.values(links ?? {}).map((link) => link.close()));
  });

  async function start(service: Service): Promise<void> {
    const { entry, env } = readComposeService(service, { '0.0.0.0': '127.0.0.1' }, {});
    const databaseUrl = new URL(database.connectionString);
    databaseUrl.port = String(links.postgres.port);
    const running = await startProcess({
      entry,
      readyLine: READY_LINE[service],
      env: {
        ...env,
        ...RAISED_RATE_LIMITS,
        KAFKA_BROKERS: broker?.brokers[0] ?? '',
        DATABASE_URL: databaseUrl.href,
        SOLANA_RPC_URL: `http://127.0.0.1:${links.rpc.port}`,
        SOLANA_WS_URL: `ws://127.0.0.1:${links.pubsub.port}`,
        CHAIN_SOURCE: 'localnet',
        INDEX_SCOPE: 'all',
        ...EAGER_SETTINGS,
        PROBE_PORT: '0',
        API_PORT: '0',
        API_DRAIN_MS: '0',
      },
    });
    processes.set(service, running);
  }

  function of(service: Service): RunningProcess {
    const running = processes.get(service);
    if (running === undefined) throw new Error(`${service} was not started`);
    return running;
  }

  /** All of them at once: what each ended with, and what it said where that is a failure. */
  async function stopAll(): Promise<Readonly<Record<string, unknown>>> {
    const ends = await Promise.all(
      SERVICES.map(async (service) => {
        const running = of(service);
        const code = await running.stop();
        processes.delete(service);
        return [service, code === 0 ? 0 : running.lines.slice(-5)] as const;
      }),
    );
    return Object.fromEntries(ends);
  }

  /** Resolves once what is served is newer than all that was served before. */
  async function served(): Promise<void> {
    const api = urlOf(of('api'));
    await eventually(async () => {
      const { as_of: asOf } = await getJson<{ as_of: { slot: number } }>(`${api}/v1/banks`);
      if (asOf.slot <= servedSlot) throw new Error(`as of slot ${asOf.slot}, waiting for more than ${servedSlot}`);
      servedSlot = asOf.slot;
    });
  }

  it.each([
    ['Kafka is silent', () => [links.kafka], 'pause'],
    ['Postgres is silent', () => [links.postgres], 'pause'],
    ['all of it is silent', () => Object.values(links), 'pause'],
    ['all of it is cut off', () => Object.values(links), 'cut'],
  ] as const)(
    '[services-stop] all services end as they should while %s, and go on when they are started again',
    async (_, struck, how) => {
      await Promise.all(SERVICES.map(start));
      await served();
      try {
        for (const link of struck()) link[how]();
        await sleep(OUTAGE_MS);
        expect(await stopAll()).toEqual(Object.fromEntries(SERVICES.map((service) => [service, 0])));
      } finally {
        for (const link of Object.values(links)) link.heal();
      }
    },
    240_000,
  );

  it('[services-stop] every published sample has its row, once, whatever was away when they were stopped', async () => {
    await Promise.all(SERVICES.map(start));
    await served();
    await of('rate-poller').stop();
    processes.delete('rate-poller');
    const published = await followSamples(broker as KafkaBroker);
    await eventually(async () => {
      const rows = await query<{ id: string }>(
        database,
        `select address || ':' || slot as id from rate_sample join rate_series on rate_series.id = series`,
      );
      expect(published.counts.size).toBeGreaterThan(0);
      expect(rows.map(({ id }) => id).sort()).toEqual([...published.counts.keys()].sort());
    });
    await published.stop();
  });
});
