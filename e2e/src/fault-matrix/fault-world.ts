import { createHash, randomBytes } from 'node:crypto';
import {
  type Aggregators,
  createAggregators,
  type LocalnetNode,
  type OpenedLocalnet,
  type OpenLocalnetOptions,
  openLocalnet,
  SWAP_PROGRAM,
} from '@lending/localnet';
import {
  type KafkaBroker,
  type Link,
  openLink,
  startKafkaBroker,
  startThrowawayPostgres,
  type TestDatabase,
  type ThrowawayPostgres,
} from '@lending/testing';
import pg from 'pg';
import { eventually } from '../eventually.ts';
import { getJson } from '../http.ts';
import { type BentNode, openBentNode } from './bent-node.ts';
import { type Disk, openDisk } from './disk.ts';
import { startSteadyPipeline } from './steady-pipeline.ts';
import { type StruckServices, startStruckServices } from './struck-services.ts';
import { startUsers, type Users } from './users.ts';

/** Shared by all fault worlds: a chain, and a pipeline that follows it undisturbed. */
export interface FaultGround {
  readonly localnet: OpenedLocalnet;
  /** A node of another chain. */
  readonly stranger: LocalnetNode;
  stop(): Promise<void>;
}

/** Three services, each of their dependencies behind a link. */
export interface FaultWorld extends FaultGround {
  readonly node: BentNode;
  readonly aggregators: Aggregators;
  readonly broker: KafkaBroker;
  /** Where the broker listens, past the link. */
  readonly brokerPort: number;
  readonly postgres: ThrowawayPostgres;
  /** Of the services' tables, past the link. */
  readonly databaseUrl: string;
  readonly disks: { readonly kafka: Disk; readonly postgres: Disk };
  readonly links: {
    readonly kafka: Link;
    readonly postgres: Link;
    readonly rpc: Link;
    readonly pubsub: Link;
    readonly aggregators: readonly [Link, Link];
  };
  readonly services: StruckServices;
  readonly users: Users;
}

const SLOT_MS = 400;
/** No two chains are at the same slot. */
const STRANGER_SLOT = 470_000_000n;
const TRANSACTIONS_PER_SECOND = 4;
/** So few that a stranger can take all. */
export const POSTGRES_CONNECTIONS = 60;
export const KAFKA_CONNECTIONS = 60;

type Open = <T>(thing: T, close: (thing: T) => Promise<unknown>) => T;

/** Builds something of parts that are closed in the end, the last first, and when one cannot be opened. */
async function build<T>(open: (opened: Open) => Promise<T>): Promise<T & { stop(): Promise<void> }> {
  const closers: (() => Promise<unknown>)[] = [];
  const stop = async (): Promise<void> => {
    for (const close of closers.splice(0)) await close().catch((error) => console.error(error));
  };
  try {
    const built = await open((thing, close) => {
      closers.unshift(() => close(thing));
      return thing;
    });
    return { ...built, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

export function openFaultGround(calm: TestDatabase): Promise<FaultGround> {
  return build(async (opened) => {
    const start = async (options: Pick<OpenLocalnetOptions, 'startSlot' | 'transactionsPerSecond'>, seed = 1) => {
      const chain = await openLocalnet({ genesis: { kind: 'demo', seed }, slotMs: SLOT_MS, ...options });
      opened(chain, (one) => one.stop());
      await chain.start();
      return chain;
    };
    const localnet = await start({ transactionsPerSecond: TRANSACTIONS_PER_SECOND });
    const stranger = await start({ startSlot: STRANGER_SLOT }, 2);
    opened(await startSteadyPipeline(calm, localnet), (one) => one.stop());
    return { localnet, stranger };
  });
}

export function openFaultWorld({ localnet, stranger }: FaultGround): Promise<FaultWorld> {
  return build(async (opened) => {
    const link = async (to: number): Promise<Link> => opened(await openLink({ to }), (one) => one.close());
    const disks = {
      kafka: opened(await openDisk('fault-kafka', 300), (one) => one.remove()),
      postgres: opened(await openDisk('fault-postgres', 250), (one) => one.remove()),
    };
    let kafkaLink: Link | undefined;
    let brokerPort = 0;
    const [postgres, broker] = await Promise.all([
      startPostgresOn(disks.postgres).then((one) => opened(one, () => one.stop())),
      startKafkaBroker({
        folder: disks.kafka.folder,
        settings: { 'max.connections.per.ip': String(KAFKA_CONNECTIONS) },
        advertise: async (port) => {
          brokerPort = port;
          kafkaLink = await link(port);
          return kafkaLink.port;
        },
      }).then((one) => opened(one, () => one.stop())),
    ]);
    if (kafkaLink === undefined) throw new Error('the broker did not ask for its port');
    const struckNode = await localnet.openNode();
    const node = opened(await openBentNode(struckNode), (one) => one.close());
    const aggregators = opened(createAggregators(localnet.ledger), (one) => one.close());
    const { jupiter, dflow } = await aggregators.listen();
    const links = {
      kafka: kafkaLink,
      postgres: await link(postgres.port),
      rpc: await link(node.port),
      pubsub: await link(Number(new URL(struckNode.wsUrl).port)),
      aggregators: [await link(Number(new URL(jupiter).port)), await link(Number(new URL(dflow).port))],
    } as const;
    const services = opened(
      await startStruckServices({
        kafka: broker.brokers[0] ?? '',
        databaseUrl: throughLink(postgres.connectionString, links.postgres),
        rpcUrl: `http://127.0.0.1:${links.rpc.port}`,
        wsUrl: `ws://127.0.0.1:${links.pubsub.port}`,
        jupiterUrl: throughLink(jupiter, links.aggregators[0]),
        dflowUrl: throughLink(dflow, links.aggregators[1]),
        env: {
          SWAP_PROGRAMS: SWAP_PROGRAM,
          SWITCHBOARD_CROSSBAR_URL: localnet.switchboardUrl ?? '',
          SWITCHBOARD_GATEWAY_HOSTS: '127.0.0.1',
        },
      }),
      (one) => one.stopAll(),
    );
    const api = services.urlOf('api');
    const bankOf = (symbol: string): Promise<string> =>
      eventually(async () => {
        const { banks } = await getJson<{ banks: readonly { address: string }[] }>(
          `${api}/v1/banks?venue=P0&symbol=${symbol}`,
        );
        const [bank] = banks;
        if (bank === undefined) throw new Error(`no bank of ${symbol} yet`);
        return bank.address;
      });
    const token = await issueToken(postgres.connectionString);
    const users = opened(
      startUsers({
        services,
        token,
        conversationId: await openConversation(api, token),
        wallet: localnet.wallets[0]?.address ?? '',
        depositBank: await bankOf('SOL'),
        borrowBank: await bankOf('USDC'),
      }),
      (one) => one.stop(),
    );
    const { connectionString: databaseUrl } = postgres;
    return {
      localnet,
      stranger,
      node,
      aggregators,
      broker,
      brokerPort,
      postgres,
      databaseUrl,
      disks,
      links,
      services,
      users,
    };
  });
}

/** It keeps what it committed when it is killed; that the machine itself fails is not tried. */
function startPostgresOn(disk: Disk): Promise<ThrowawayPostgres> {
  return startThrowawayPostgres('lending', {
    dataDir: disk.folder,
    settings: {
      synchronous_commit: 'on',
      full_page_writes: 'on',
      max_connections: String(POSTGRES_CONNECTIONS),
      max_wal_size: '48MB',
      min_wal_size: '32MB',
    },
  });
}

function throughLink(url: string, { port }: Link): string {
  const through = new URL(url);
  through.port = String(port);
  return through.href.replace(/\/$/, '');
}

async function issueToken(connectionString: string): Promise<string> {
  const token = `lend_${randomBytes(32).toString('base64url')}`;
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await eventually(() =>
      client.query(
        `with added as (insert into caller (name) values ('faults') returning id)
         insert into access_token (caller, hash) select id, $1 from added`,
        [createHash('sha256').update(token).digest()],
      ),
    );
  } finally {
    await client.end();
  }
  return token;
}

async function openConversation(api: string, token: string): Promise<string> {
  const response = await fetch(`${api}/v1/conversations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{"title":"faults"}',
  });
  const { id } = (await response.json()) as { id: string };
  return id;
}
