import { createBus } from '@lending/bus';
import { busHooks, runProcess, waitUntilReady } from '@lending/runtime';
import { createTopicsSettings, JOB_PATIENCE_MS } from './config.ts';
import { explainWaitInVain } from './explain-wait-in-vain.ts';

/**
 * Creates the topics that are missing, sets the retention of all, and ends. Partitions of a topic that exists stay as they are:
 * more of them would move keys.
 */
await runProcess({
  name: 'create-topics',
  isJob: true,
  settings: createTopicsSettings,
  async start({ KAFKA_BROKERS: brokers, LOG_RETENTION_MS: retentionMs }, { logger, metrics, readiness, shutdown }) {
    const { signal } = shutdown;
    const hooks = busHooks({ logger, metrics });
    const bus = await waitUntilReady(
      'Kafka',
      () => createBus({ kind: 'kafka', brokers, retentionMs, clientId: 'create-topics' }, hooks),
      { readiness, logger, signal, giveUpAfterMs: JOB_PATIENCE_MS },
    ).catch((error: unknown) => {
      throw explainWaitInVain(error);
    });
    shutdown.onCleanup('bus', () => bus.close());
    logger.info('bus.topic.prepare', { retentionMs });
    await shutdown.stop('the topics are there');
  },
});
