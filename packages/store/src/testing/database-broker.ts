import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { MIGRATIONS_DIR, startThrowawayPostgres, type ThrowawayPostgres } from '@lending/testing';
import pg from 'pg';
import { migrate } from '../migrate.ts';

const TEMPLATE = 'lending_template';

/** Hands out databases of one throw-away server, which starts when the first is asked for. */
export interface DatabaseBroker {
  /** `POST /` gives a new database as `{connectionString}`, `DELETE /name` drops one. */
  readonly url: string;
  close(): Promise<void>;
}

interface Cluster {
  readonly postgres: ThrowawayPostgres;
  readonly admin: pg.Pool;
}

/**
 * Test files run in workers of their own and share one server, so its keeper lives in the test runner's process and is
 * asked over HTTP. A run without integration tests never starts it.
 */
export async function startDatabaseBroker(): Promise<DatabaseBroker> {
  let cluster: Promise<Cluster> | undefined;
  const server = createServer((request, response) => {
    cluster ??= startCluster();
    cluster
      .then(async ({ postgres, admin }) => {
        if (request.method === 'DELETE')
          return await dropDatabase(admin, decodeURIComponent(request.url ?? '').slice(1));
        return await createDatabase(admin, postgres);
      })
      .then(
        (body) => response.end(JSON.stringify(body)),
        (error: unknown) => response.writeHead(500).end(String(error)),
      );
  });
  const url = await listen(server);
  return {
    url,
    close: async () => {
      server.closeAllConnections();
      server.close();
      // A start that failed was reported to whoever asked.
      const started = await cluster?.catch(() => undefined);
      if (started !== undefined) await stopCluster(started);
    },
  };
}

async function startCluster(): Promise<Cluster> {
  const postgres = await startThrowawayPostgres(TEMPLATE);
  try {
    await migrate({ connectionString: postgres.connectionString, dir: MIGRATIONS_DIR });
  } catch (error) {
    await postgres.remove();
    throw error;
  }
  const url = new URL(postgres.connectionString);
  url.pathname = '/postgres';
  const admin = new pg.Pool({ connectionString: url.href, max: 4 });
  // Closing connections hear that the server shuts down.
  admin.on('connect', (client) => client.on('error', () => undefined)).on('error', () => undefined);
  return { postgres, admin };
}

async function stopCluster({ postgres, admin }: Cluster): Promise<void> {
  await admin.end();
  await postgres.remove();
}

async function createDatabase(admin: pg.Pool, postgres: ThrowawayPostgres): Promise<{ connectionString: string }> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  // Copied as files and not through the log of a server that nobody restores: a third of the time.
  await admin.query(`create database ${name} template ${TEMPLATE} strategy file_copy`);
  const url = new URL(postgres.connectionString);
  url.pathname = `/${name}`;
  return { connectionString: url.href };
}

async function dropDatabase(admin: pg.Pool, name: string): Promise<object> {
  if (!/^test_[0-9a-f]+$/.test(name)) throw new Error(`${name} is not a test database`);
  await admin.query(`drop database if exists ${name} with (force)`);
  return {};
}

function listen(server: Server): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    resolve(`http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`);
  });
  return promise;
}
