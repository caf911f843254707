import { describeError } from '@lending/errors';
import { createLogger, createShutdown } from '@lending/runtime';
import { readConfig } from './config.ts';
import { openLocalnet } from './open-localnet.ts';

/** The local chain as a process of its own. */
async function main(): Promise<void> {
  const config = readConfig();
  const logger = createLogger({ level: config.LOG_LEVEL, name: 'localnet', pretty: config.LOG_FORMAT === 'pretty' });
  const shutdown = createShutdown({ logger });
  const { LOCALNET_GENESIS: path, LOCALNET_DIR: folder } = config;
  const localnet = await openLocalnet({
    genesis: path === undefined ? { kind: 'demo' } : { kind: 'dumps', path, fixturesDir: config.FIXTURES_DIR },
    slotMs: config.LOCALNET_SLOT_MS,
    port: config.LOCALNET_PORT,
    ...(folder === undefined ? {} : { folder }),
    report: (line) => logger.warn('localnet.chain.report', { line }),
  });
  await localnet.start();
  shutdown.onCleanup('local chain', () => localnet.stop());
  const { rpcUrl, wsUrl, ledger } = localnet;
  logger.info('localnet.chain.start', { rpcUrl, wsUrl, slot: ledger.slot('processed') });
}

main().catch((error: unknown) => {
  process.stderr.write(`${describeError(error)}\n`);
  process.exit(1);
});
