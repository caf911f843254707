import { createBus } from '@lending/bus';
import { busHooks, runProcess, waitUntilReady } from '@lending/runtime';
import { JOB_PATIENCE_MS, readCreateTopicsConfig } from './config.ts';

/**
 * Creates the topics that are missing, sets the retention of all, and ends. Partitions of a topic that exists stay as they are:
 * more of them would move keys.
 */
await runProcess({
  name: 'create-topics',
  readConfig: readCreateTopicsConfig,
  async start({ KAFKA_BROKERS: brokers, LOG_RETENTION_MS: retentionMs }, { logger, metrics, readiness, shutdown }) {
    const { signal } = shutdown;
    const hooks = busHooks({ logger, metrics });
    const bus = await waitUntilReady(
      'Kafka',
      () => createBus({ kind: 'kafka', brokers, retentionMs, clientId: 'create-topics' }, hooks),
      { readiness, logger, signal, giveUpAfterMs: JOB_PATIENCE_MS },
    );
    shutdown.onCleanup('bus', () => bus.close());
    logger.info('bus.topic.prepare', { retentionMs });
    await shutdown.stop('the topics are there');
  },
});
