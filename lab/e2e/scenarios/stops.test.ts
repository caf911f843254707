import { setTimeout as sleep } from 'node:timers/promises';
import { openLocalnet } from '@lending/localnet';
import { useDatabase } from '@lending/store/testing';
import { isKafkaMissing, KAFKA_NEEDS, type Link } from '@lending/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { Cluster, EAGER_SETTINGS, SERVICES } from '../src/cluster/cluster.ts';
import { type LinkedBroker, openLinkTo, startLinkedBroker, throughLink } from '../src/cluster/links.ts';
import { useOpened } from '../src/cluster/opened.ts';
import { untilEachSampleHasItsRow } from '../src/cluster/published-samples.ts';
import { eventually } from '../src/eventually.ts';
import { getJson } from '../src/http.ts';
import type { BanksReply } from '../src/replies.ts';

/** What an outage lasts when everybody is told to stop: each of them waits for something by then. */
const OUTAGE_MS = 1_500;
const isSkipped = await isKafkaMissing();

describe.skipIf(isSkipped)(`stops (a Kafka broker ${KAFKA_NEEDS})`, () => {
  const database = useDatabase();
  const opened = useOpened();
  let broker: LinkedBroker;
  let links: Readonly<Record<'kafka' | 'postgres' | 'rpc' | 'pubsub', Link>>;
  let cluster: Cluster;
  let servedSlot = 0;

  beforeAll(async () => {
    const { connectionString } = database;
    const localnet = opened.keep(await openLocalnet({ genesis: { kind: 'demo' } }));
    await localnet.start();
    broker = opened.keep(await startLinkedBroker());
    links = {
      kafka: broker.link,
      postgres: opened.keep(await openLinkTo(connectionString)),
      rpc: opened.keep(await openLinkTo(localnet.rpcUrl)),
      pubsub: opened.keep(await openLinkTo(localnet.wsUrl)),
    };
    cluster = opened.keep(
      new Cluster({
        kafka: broker.brokers[0] ?? '',
        databaseUrl: throughLink(connectionString, links.postgres),
        rpcUrl: throughLink(localnet.rpcUrl, links.rpc),
        wsUrl: throughLink(localnet.wsUrl, links.pubsub),
        settings: { INDEX_SCOPE: 'all', ...EAGER_SETTINGS, API_DRAIN_MS: '0' },
      }),
    );
  });

  /** All of them at once: what each ended with, and what it said where that is a failure. */
  async function stopAll(): Promise<readonly unknown[]> {
    return Promise.all(
      SERVICES.map(async (service) => {
        const { lines } = cluster.of(service).process;
        const code = await cluster.stopOne(service);
        return [service, code === 0 ? 0 : lines.slice(-5)];
      }),
    );
  }

  /** Starts all, and resolves once what is served is newer than all that was served before. */
  async function startAll(): Promise<void> {
    await Promise.all(SERVICES.map((service) => cluster.start(service)));
    await eventually(async () => {
      const { as_of: asOf } = await getJson<BanksReply>(`${cluster.urlOf('api')}/v1/banks`);
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
      await startAll();
      try {
        for (const link of struck()) link[how]();
        await sleep(OUTAGE_MS);
        expect(await stopAll()).toEqual(SERVICES.map((service) => [service, 0]));
      } finally {
        for (const link of Object.values(links)) link.heal();
      }
    },
    240_000,
  );

  it('[services-stop] every published sample has its row, once, whatever was away when they were stopped', async () => {
    await startAll();
    await cluster.stopOne('rate-poller');
    await untilEachSampleHasItsRow(broker, database);
  });
});
