import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import type { FaultCell, Seen } from './fault-cell.ts';
import { type FaultWorld, POSTGRES_CONNECTIONS } from './fault-world.ts';

/** Banks are answered from memory with their age; what needs the tables is refused, builds among it. */
const TABLES_DOWN: Seen = {
  parts: { api: /^database: the database does not answer/, indexer: /^projector: STORE__UNAVAILABLE/ },
  lines: [{ service: 'indexer', begins: /project\.batch\.fail/, ends: /project\.batch\.resume/ }],
  deposits: 'refused',
};

/** A server that only says nothing is waited for: an indexer's statement may take half a minute, so it is the api that says it first. */
const SILENT: Seen = { parts: { api: /^database: the database does not answer/ }, deposits: 'refused' };

const strangers: pg.Client[] = [];

export const POSTGRES_CELLS: readonly FaultCell[] = [
  {
    name: 'Postgres: killed and restarted',
    // Whoever runs it starts it again.
    async strike({ postgres, links }) {
      links.postgres.cut();
      const pid = Number.parseInt(await readFile(join(postgres.folder, 'cluster', 'postmaster.pid'), 'utf8'), 10);
      process.kill(pid, 'SIGKILL');
    },
    heal: ({ links }) => links.postgres.heal(),
    seen: TABLES_DOWN,
  },
  {
    name: 'Postgres: paused',
    provenBy: 'Postgres: answers are lost (half-open)',
    strike: ({ links }) => links.postgres.pause(),
    heal: ({ links }) => links.postgres.heal(),
    seen: SILENT,
  },
  {
    name: 'Postgres: slowed',
    strike: ({ links }) => links.postgres.slow({ latencyMs: 40, bytesPerSecond: 500_000 }),
    heal: ({ links }) => links.postgres.heal(),
    seen: {},
  },
  {
    name: 'Postgres: network cut',
    provenBy: 'Postgres: connections exhausted',
    strike: ({ links }) => links.postgres.cut(),
    heal: ({ links }) => links.postgres.heal(),
    seen: { ...TABLES_DOWN, reads: 'aging' },
  },
  {
    name: 'Postgres: answers are lost (half-open)',
    strike: ({ links }) => links.postgres.pause('answers'),
    heal: ({ links }) => links.postgres.heal(),
    seen: SILENT,
  },
  {
    name: 'Postgres: connections exhausted',
    strike: takeAllConnections,
    async heal() {
      await Promise.all(strangers.splice(0).map((stranger) => stranger.end().catch(() => undefined)));
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
      lines: [{ service: 'indexer', begins: /project\.batch\.fail/, ends: /project\.batch\.resume/ }],
    },
  },
];

/** A stranger ends the services' connections and has theirs, all of them. */
async function takeAllConnections({ databaseUrl, links }: FaultWorld): Promise<void> {
  const first = await stranger(databaseUrl);
  links.postgres.cut();
  await first.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type = $1',
    ['client backend'],
  );
  for (let count = 1; count < POSTGRES_CONNECTIONS; count += 1) {
    try {
      await stranger(databaseUrl);
    } catch {
      break;
    }
  }
  links.postgres.heal();
}

async function stranger(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => undefined);
  await client.connect();
  strangers.push(client);
  return client;
}
