import { join } from 'node:path';
import { type BusConfig, createBus } from '@lending/bus';
import { replay } from '@lending/indexer';
import { startPostgres } from '@lending/postgres';
import { busHooks, type ProcessParts, runProcess } from '@lending/runtime';
import { createStore, migrate } from '@lending/store';
import { type ReplayConfig, readReplayConfig } from './config.ts';
import { MIGRATIONS_DIR } from './tables/config.ts';

/** Taking rows away is one transaction, however long reading the topics takes. */
const PATIENCE_MS = 86_400_000;

/**
 * Rebuilds what the retained messages wrote, and ends. In the one-process shape it starts Postgres itself, and is refused while the
 * service runs on it; with KAFKA_BROKERS it works on the tables and topics of the services, which may go on.
 */
await runProcess({
  name: 'replay',
  readConfig: readReplayConfig,
  secretsOf: (config) => (config.DATABASE_URL === undefined ? [] : [config.DATABASE_URL]),
  async start(config, parts) {
    const { shutdown, logger, metrics } = parts;
    process.once('disconnect', () => void shutdown.stop('the launcher is gone'));
    const { connectionString, log } = await open(config, parts);
    await migrate({ connectionString, dir: MIGRATIONS_DIR, log: logger });
    const store = createStore({ connectionString, statementTimeoutMs: PATIENCE_MS, log: logger });
    shutdown.onCleanup('store', () => store.close());
    const bus = await createBus({ ...log, retentionMs: config.LOG_RETENTION_MS }, busHooks({ logger, metrics }));
    shutdown.onCleanup('bus', () => bus.close());
    const say = (line: string): void => void process.stderr.write(`${line}\n`);
    await replay({ ...parts, bus, store, say }, shutdown.signal);
    await shutdown.stop('the replay is done');
  },
});

async function open(
  { KAFKA_BROKERS: brokers, DATABASE_URL: databaseUrl, DATA_DIR }: ReplayConfig,
  { logger, shutdown }: ProcessParts,
): Promise<{ readonly connectionString: string; readonly log: BusConfig }> {
  if (brokers !== undefined && databaseUrl !== undefined) {
    return { connectionString: databaseUrl, log: { kind: 'kafka', brokers, clientId: 'replay' } };
  }
  const postgres = await startPostgres({ dataDir: join(DATA_DIR, 'postgres'), database: 'lending', log: logger });
  shutdown.onCleanup('postgres', () => postgres.stop());
  const { connectionString } = postgres;
  return { connectionString, log: { kind: 'embedded', connectionString } };
}
