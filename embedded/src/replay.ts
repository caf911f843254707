import { join } from 'node:path';
import type { BusConfig } from '@lending/bus';
import { replayTables } from '@lending/indexer';
import { startPostgres } from '@lending/postgres';
import { type ProcessParts, runProcess } from '@lending/runtime';
import { migrate } from '@lending/store';
import { checkReplay, type ReplayConfig, replaySettings } from './config.ts';
import { MIGRATIONS_DIR } from './tables/config.ts';

/**
 * Rebuilds what the retained messages wrote, and ends. In the one-process shape it starts Postgres itself, and is refused while the
 * service runs on it; with KAFKA_BROKERS it works on the tables and topics of the services, which may go on.
 */
await runProcess({
  name: 'replay',
  isJob: true,
  settings: replaySettings,
  check: checkReplay,
  async start(config, parts) {
    process.once('disconnect', () => void parts.shutdown.stop('the launcher is gone'));
    const { connectionString, log } = await open(config, parts);
    await migrate({ connectionString, dir: MIGRATIONS_DIR, log: parts.logger });
    await replayTables(connectionString, { ...log, retentionMs: config.LOG_RETENTION_MS }, parts);
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
