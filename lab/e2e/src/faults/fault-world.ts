import { createHash, randomBytes } from 'node:crypto';
import { createBus } from '@lending/bus';
import { createChain } from '@lending/chain';
import { VENUES } from '@lending/domain';
import {
  type Aggregators,
  createAggregators,
  type LocalnetNode,
  type OpenedLocalnet,
  type OpenLocalnetOptions,
  openLocalnet,
  SWAP_PROGRAM,
} from '@lending/localnet';
import type { TestDatabase } from '@lending/store/testing';
import { FEW_SWAP_QUOTES, type Link, openLink, startThrowawayPostgres, type ThrowawayPostgres } from '@lending/testing';
import { openConversation } from '../clients/issue-token.ts';
import { Cluster, SERVICES } from '../cluster/cluster.ts';
import { startIndexerHere, startPollerHere } from '../cluster/in-process.ts';
import { type LinkedBroker, openLinkTo, startLinkedBroker, throughLink } from '../cluster/links.ts';
import type { Opened } from '../cluster/opened.ts';
import { eventually } from '../eventually.ts';
import { getJson } from '../http.ts';
import type { BanksReply } from '../replies.ts';
import { query } from '../tables/query.ts';
import { type BentNode, openBentNode } from './bent-node.ts';
import { type Disk, openDisk } from './disk.ts';
import { startUsers, type Users } from './users.ts';

/** Shared by all fault worlds: a chain, and a pipeline that follows it undisturbed. */
export interface FaultGround {
  readonly localnet: OpenedLocalnet;
  /** A node of another chain. */
  readonly stranger: LocalnetNode;
}

/** Three services, each of their dependencies behind a link. */
export interface FaultWorld extends FaultGround {
  readonly node: BentNode;
  readonly aggregators: Aggregators;
  readonly broker: LinkedBroker;
  readonly postgres: ThrowawayPostgres;
  readonly disks: { readonly kafka: Disk; readonly postgres: Disk };
  readonly links: {
    readonly kafka: Link;
    readonly postgres: Link;
    readonly rpc: Link;
    readonly pubsub: Link;
    readonly aggregators: readonly [Link, Link];
  };
  readonly cluster: Cluster;
  readonly users: Users;
}

/** Rates and accounts are called stale so soon that a test can wait for it. */
export const STALE_AFTER_MS = 3_000;
/** One attempt on the node. */
export const RPC_TIMEOUT_MS = 6_000;
export const POLL_MS = 1_000;
const SLOT_MS = 400;
/** No two chains are at the same slot. */
const STRANGER_SLOT = 470_000_000n;
const TRANSACTIONS_PER_SECOND = 4;
/** So few that a stranger can take all. */
export const POSTGRES_CONNECTIONS = 60;
export const KAFKA_CONNECTIONS = 60;

export async function openFaultGround(calm: TestDatabase, opened: Opened): Promise<FaultGround> {
  const start = async (options: Pick<OpenLocalnetOptions, 'startSlot' | 'transactionsPerSecond'>, seed = 1) => {
    const chain = opened.keep(await openLocalnet({ genesis: { kind: 'demo', seed }, slotMs: SLOT_MS, ...options }));
    await chain.start();
    return chain;
  };
  const localnet = await start({ transactionsPerSecond: TRANSACTIONS_PER_SECOND });
  const stranger = await start({ startSlot: STRANGER_SLOT }, 2);
  const chain = createChain({ rpcUrls: [localnet.rpcUrl], source: 'localnet' });
  opened.keep(await startIndexerHere(calm, chain));
  const bus = opened.keep(await createBus({ kind: 'embedded', connectionString: calm.connectionString }));
  opened.keep(startPollerHere(calm, { chain, bus, everyMs: POLL_MS }));
  return { localnet, stranger };
}

export async function openFaultWorld({ localnet, stranger }: FaultGround, opened: Opened): Promise<FaultWorld> {
  const disks = {
    kafka: opened.keep(await openDisk('fault-kafka', 300)),
    postgres: opened.keep(await openDisk('fault-postgres', 250)),
  };
  const [postgres, broker] = await Promise.all([
    startPostgresOn(disks.postgres).then((one) => opened.keep(one)),
    startLinkedBroker({
      folder: disks.kafka.folder,
      settings: { 'max.connections.per.ip': String(KAFKA_CONNECTIONS) },
    }).then((one) => opened.keep(one)),
  ]);
  const struckNode = await localnet.openNode();
  const node = opened.keep(await openBentNode(struckNode));
  const aggregators = opened.keep(createAggregators(localnet.ledger));
  const { jupiter, dflow } = await aggregators.listen();
  const links = {
    kafka: broker.link,
    postgres: opened.keep(await openLink({ to: postgres.port })),
    rpc: opened.keep(await openLinkTo(node.url)),
    pubsub: opened.keep(await openLinkTo(struckNode.wsUrl)),
    aggregators: [opened.keep(await openLinkTo(jupiter)), opened.keep(await openLinkTo(dflow))],
  } as const;
  const cluster = opened.keep(
    new Cluster({
      kafka: broker.brokers[0] ?? '',
      databaseUrl: throughLink(postgres.connectionString, links.postgres),
      rpcUrl: throughLink(node.url, links.rpc),
      wsUrl: throughLink(struckNode.wsUrl, links.pubsub),
      settings: {
        ...FEW_SWAP_QUOTES,
        ...Object.fromEntries(VENUES.map((venue) => [`POLL_${venue.toUpperCase()}_MS`, String(POLL_MS)])),
        SWAP_PROGRAMS: SWAP_PROGRAM,
        SWITCHBOARD_CROSSBAR_URL: localnet.switchboardUrl ?? '',
        SWITCHBOARD_GATEWAY_HOSTS: '127.0.0.1',
        JUPITER_URL: throughLink(jupiter, links.aggregators[0]),
        DFLOW_URL: throughLink(dflow, links.aggregators[1]),
        INDEX_SCOPE: 'all',
        // So often that what is listed is asked for while a fault lasts.
        DISCOVERY_MS: '5000',
        RECONCILE_MS: '5000',
        WALLET_REFRESH_MS: '10000',
        WATCH_COLLECT_MS: '100',
        FOLLOW_WAIT_MS: '300',
        RPC_TIMEOUT_MS: String(RPC_TIMEOUT_MS),
        RATES_STALE_AFTER_MS: String(STALE_AFTER_MS),
        ACCOUNTS_STALE_AFTER_MS: String(STALE_AFTER_MS),
        LOG_LEVEL: 'info',
      },
    }),
  );
  await Promise.all(SERVICES.map((service) => cluster.start(service)));
  const api = cluster.urlOf('api');
  const bankOf = (symbol: string): Promise<string> =>
    eventually(async () => {
      const { banks } = await getJson<BanksReply>(`${api}/v1/banks?venue=P0&symbol=${symbol}`);
      const [bank] = banks;
      if (bank === undefined) throw new Error(`no bank of ${symbol} yet`);
      return bank.address;
    });
  const token = await issueToken(postgres);
  const users = opened.keep(
    startUsers({
      cluster,
      token,
      conversationId: await openConversation(api, token),
      wallet: localnet.wallets[0]?.address ?? '',
      depositBank: await bankOf('SOL'),
      borrowBank: await bankOf('USDC'),
    }),
  );
  return { localnet, stranger, node, aggregators, broker, postgres, disks, links, cluster, users };
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

async function issueToken(database: ThrowawayPostgres): Promise<string> {
  const token = `lend_${randomBytes(32).toString('base64url')}`;
  await eventually(() =>
    query(
      database,
      `with added as (insert into caller (name) values ('faults') returning id)
       insert into access_token (caller, hash) select id, $1 from added`,
      [createHash('sha256').update(token).digest()],
    ),
  );
  return token;
}
