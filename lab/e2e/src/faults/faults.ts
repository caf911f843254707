import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AggregatorFault } from '@lending/localnet';
import pg from 'pg';
import { type Fault, networkOf, type Seen } from './fault.ts';
import { type FaultWorld, KAFKA_CONNECTIONS, POSTGRES_CONNECTIONS } from './fault-world.ts';
import { NODE_FAULTS } from './node-faults.ts';

/** Loops need a swap; nothing else does. */
const NO_SWAPS: Seen = {
  reads: 'go on',
  deposits: 'go on',
  loops: 'refused',
  refusals: ['SWAP_ROUTE_UNAVAILABLE'],
};

function ofAggregators(what: string, fault: AggregatorFault, provenBy?: string): Fault {
  const set = ({ aggregators }: FaultWorld, next: AggregatorFault | null): void => {
    aggregators.setFault('jupiter', next);
    aggregators.setFault('dflow', next);
  };
  return {
    name: `aggregators: ${what}`,
    ...(provenBy !== undefined && { provenBy }),
    strike: (world) => set(world, fault),
    heal: (world) => set(world, null),
    seen: NO_SWAPS,
  };
}

const aggregators = networkOf('aggregators', (links) => links.aggregators);

const AGGREGATOR_FAULTS: readonly Fault[] = [
  ofAggregators('killed and restarted', { kind: 'down' }),
  aggregators.paused(NO_SWAPS),
  aggregators.slowed(100, 100_000, { reads: 'go on', deposits: 'go on', loops: 'go on' }),
  aggregators.cut(NO_SWAPS, 'aggregators: killed and restarted'),
  ofAggregators(
    'nonsense',
    { kind: 'garbage' },
    'packages/transactions/src/swaps/aggregators/garbage.property.test.ts',
  ),
  ofAggregators(
    'over a quota',
    { kind: 'rate_limited', resetInSeconds: 1 },
    'packages/transactions/src/swaps/aggregators/wire.test.ts',
  ),
];

/** The poller keeps what it reads, and says so; reads go on with what the tables have; builds do not need the log. */
const LOG_DOWN: Seen = {
  parts: { 'rate-poller': /^rate-poller log: BUS__/, api: /^data: the newest rate sample is/ },
  lines: [{ service: 'rate-poller', begins: /rate\.publish\.fail/, ends: /rate\.publish\.resume/ }],
  reads: 'aging',
  deposits: 'go on',
  loops: 'go on',
};
/** A broker that is busy refusing may leave some of them waiting. */
const CONNECTED_MS = 5_000;
/** Connections of a stranger that fill the broker. */
const callers: Socket[] = [];

const kafka = networkOf('Kafka broker', (links) => [links.kafka]);

const KAFKA_FAULTS: readonly Fault[] = [
  {
    name: 'Kafka broker: killed and restarted',
    strike: ({ broker }) => broker.interrupt(),
    heal: ({ broker }) => broker.resume(),
    seen: LOG_DOWN,
  },
  kafka.paused(LOG_DOWN, 'Kafka broker: answers are lost (half-open)'),
  kafka.slowed(150, 200_000, { deposits: 'go on', loops: 'go on' }),
  kafka.cut(LOG_DOWN, 'Kafka broker: connections exhausted'),
  kafka.halfOpen(LOG_DOWN),
  {
    name: 'Kafka broker: connections exhausted',
    async strike({ links, broker: { port } }) {
      links.kafka.cut();
      for (let count = 0; count < 2 * KAFKA_CONNECTIONS; count += 1)
        callers.push(connect({ port, host: '127.0.0.1' }).on('error', () => undefined));
      await Promise.race([Promise.all(callers.map(connectedOrRefused)), sleep(CONNECTED_MS)]);
      links.kafka.heal();
    },
    heal: () => {
      for (const caller of callers.splice(0)) caller.destroy();
    },
    seen: LOG_DOWN,
  },
  {
    name: 'Kafka broker: disk full',
    needs: 'a disk of its own',
    strike: ({ disks }) => disks.kafka.fill(),
    // A broker whose only disk fails ends; whoever runs it starts it again, once there is room.
    async heal({ disks, broker }) {
      await disks.kafka.makeRoom();
      await broker.interrupt();
      await broker.resume();
    },
    seen: LOG_DOWN,
  },
];

function connectedOrRefused(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('connect', () => resolve()).once('error', () => resolve()));
}

/** Banks are answered from memory with their age; what needs the tables is refused, builds among it. */
const TABLES_DOWN: Seen = {
  parts: { api: /^database: the database does not answer/, indexer: /^projector: STORE__UNAVAILABLE/ },
  lines: [{ service: 'indexer', begins: /project\.batch\.fail/, ends: /project\.batch\.resume/ }],
  deposits: 'refused',
};
/** A server that only says nothing is waited for: an indexer's statement may take half a minute, so it is the api that says it first. */
const SILENT: Seen = { parts: { api: /^database: the database does not answer/ }, deposits: 'refused' };

/** Connections of a stranger that fill the server. */
const clients: pg.Client[] = [];

const postgres = networkOf('Postgres', (links) => [links.postgres]);

const POSTGRES_FAULTS: readonly Fault[] = [
  {
    name: 'Postgres: killed and restarted',
    // Whoever runs it starts it again.
    async strike({ postgres: { folder }, links }) {
      links.postgres.cut();
      const pid = Number.parseInt(await readFile(join(folder, 'cluster', 'postmaster.pid'), 'utf8'), 10);
      process.kill(pid, 'SIGKILL');
    },
    heal: ({ links }) => links.postgres.heal(),
    seen: TABLES_DOWN,
  },
  postgres.paused(SILENT, 'Postgres: answers are lost (half-open)'),
  postgres.slowed(40, 500_000, {}),
  postgres.cut({ ...TABLES_DOWN, reads: 'aging' }, 'Postgres: connections exhausted'),
  postgres.halfOpen(SILENT),
  {
    name: 'Postgres: connections exhausted',
    strike: takeAllConnections,
    async heal() {
      await Promise.all(clients.splice(0).map((client) => client.end().catch(() => undefined)));
    },
    seen: { ...TABLES_DOWN, reads: 'aging' },
  },
  {
    name: 'Postgres: disk full',
    needs: 'a disk of its own',
    strike: ({ disks }) => disks.postgres.fill(),
    heal: ({ disks }) => disks.postgres.makeRoom(),
    seen: {
      parts: { indexer: /^projector: (RUNTIME__DISK_EXCEEDED|STORE__UNAVAILABLE)/ },
      lines: TABLES_DOWN.lines ?? [],
    },
  },
];

/** A stranger ends the services' connections and has theirs, all of them. */
async function takeAllConnections({ postgres: { connectionString }, links }: FaultWorld): Promise<void> {
  const first = await signIn(connectionString);
  links.postgres.cut();
  await first.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type = $1',
    ['client backend'],
  );
  for (let count = 1; count < POSTGRES_CONNECTIONS; count += 1) {
    try {
      await signIn(connectionString);
    } catch {
      break;
    }
  }
  links.postgres.heal();
}

async function signIn(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => undefined);
  await client.connect();
  clients.push(client);
  return client;
}

/** Every fault there is, in two lanes that strike beside each other: a fault waits most of its time. A third would starve the chain on two cores. */
export const FAULTS: Readonly<Record<string, readonly Fault[]>> = {
  first: [...NODE_FAULTS, ...AGGREGATOR_FAULTS],
  second: [...KAFKA_FAULTS, ...POSTGRES_FAULTS],
};
