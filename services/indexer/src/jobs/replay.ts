import { connectionStringOf, runProcess } from '@lending/runtime';
import { replaySettings } from './config.ts';
import { replayTables } from './replay-tables.ts';

/** Rebuilds the rows that retained messages wrote, on the tables and topics of the services, which may go on; and ends. */
await runProcess({
  name: 'replay',
  isJob: true,
  settings: replaySettings,
  async start(config, parts) {
    const { KAFKA_BROKERS: brokers, LOG_RETENTION_MS: retentionMs } = config;
    await replayTables(connectionStringOf(config), { kind: 'kafka', brokers, retentionMs, clientId: 'replay' }, parts);
  },
});
