import { type OpenedLocalnet, openLocalnet } from '@lending/localnet';
import { useDatabase } from '@lending/store/testing';
import { isKafkaMissing, KAFKA_NEEDS, type KafkaBroker, startKafkaBroker } from '@lending/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { Cluster } from '../src/cluster/cluster.ts';
import { useOpened } from '../src/cluster/opened.ts';
import { eventually } from '../src/eventually.ts';
import { readTopics } from '../src/secrets/everything-written.ts';
import { createMark, marksIn } from '../src/secrets/marks.ts';
import { type Collector, startCollector } from '../src/tracing/collector.ts';

const isSkipped = await isKafkaMissing();
/** Of the operator, where whoever publishes has them. */
const OWN = {
  node_key: createMark('node'),
  jupiter_key: createMark('jupiter'),
  dflow_key: createMark('dflow'),
  collector_key: createMark('collector'),
};

describe.skipIf(isSkipped)(`topics of Kafka (a broker ${KAFKA_NEEDS})`, () => {
  const database = useDatabase();
  const opened = useOpened();
  let broker: KafkaBroker;
  let localnet: OpenedLocalnet;
  let collector: Collector;

  beforeAll(async () => {
    collector = opened.keep(await startCollector());
    broker = opened.keep(await startKafkaBroker());
    localnet = opened.keep(await openLocalnet({ genesis: { kind: 'demo' } }));
    await localnet.start();
    const cluster = opened.keep(
      new Cluster({
        kafka: broker.brokers[0] ?? '',
        databaseUrl: database.connectionString,
        rpcUrl: `${localnet.rpcUrl}/?api-key=${OWN.node_key}`,
        wsUrl: `${localnet.wsUrl}/?api-key=${OWN.node_key}`,
        settings: {
          POLL_P0_MS: '500',
          JUPITER_URL: localnet.aggregatorUrls?.jupiter ?? '',
          JUPITER_API_KEY: OWN.jupiter_key,
          DFLOW_URL: localnet.aggregatorUrls?.dflow ?? '',
          DFLOW_API_KEY: OWN.dflow_key,
          OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
          OTEL_EXPORTER_OTLP_HEADERS: `x-collector-key=${OWN.collector_key}`,
        },
      }),
    );
    await Promise.all([cluster.start('rate-poller'), cluster.start('indexer')]);
  });

  it('[traces-topics] points from what the indexer made of a sample to the beat of the poller, through Kafka', async () => {
    await eventually(async () => {
      const made = collector.spans.filter(
        ({ service, name }) => service === 'indexer' && name === 'process rate.sampled.v1',
      );
      const linked = new Set(made.flatMap(({ links }) => links.map(({ traceId }) => traceId)));
      const beats = collector.spans.filter(
        ({ service, name, traceId }) => service === 'rate-poller' && name.startsWith('sample ') && linked.has(traceId),
      );
      expect(beats.length).toBeGreaterThan(0);
      expect(made.flatMap((span) => collector.below(span)).map(({ scope }) => scope)).toContain('lending.store');
    });
  });

  it('[secrets-topics] have no secret in any message, key, value or headers', async () => {
    const wanted = ['rate.sampled.v1', 'oracle.priced.v1', 'bank.updated.v1', 'account.updated.v1', 'swap.quoted.v1'];
    const messages = await eventually(
      async () => {
        const kept = await readTopics(broker.brokers);
        const topics = new Set(kept.map(({ topic }) => topic));
        expect(wanted.filter((topic) => !topics.has(topic))).toEqual([]);
        return kept;
      },
      120_000,
      1_000,
    );
    const traced = messages.filter(({ headers }) => 'traceparent' in headers);
    expect(traced.length).toBeGreaterThan(0);
    for (const { headers } of traced) expect(Object.keys(headers)).toEqual(['traceparent']);
    const secrets = { ...OWN, database_password: new URL(database.connectionString).password };
    const told = messages.flatMap((message) =>
      marksIn(JSON.stringify(message), secrets).map((mark) => `${mark} in ${message.topic}`),
    );
    expect(told).toEqual([]);
    expect(JSON.stringify(localnet.aggregatorRequests('jupiter'))).toContain(OWN.jupiter_key);
    const bodies = collector.received.map((text) => text.slice(text.indexOf('\n')));
    expect(bodies.flatMap((text) => marksIn(text, secrets))).toEqual([]);
  });
});
