import { runProcess } from '@lending/runtime';
import { localnetProcessSettings } from './config.ts';
import { openLocalnet } from './open-localnet.ts';

/** The local chain as a process of its own. */
await runProcess({
  name: 'localnet',
  settings: localnetProcessSettings,
  async start(config, { logger, shutdown }) {
    const { LOCALNET_GENESIS: path, LOCALNET_DIR: folder, LOCALNET_ELF_FOLDER: elfFolder } = config;
    const localnet = await openLocalnet({
      genesis: path === undefined ? { kind: 'demo' } : { kind: 'dumps', path, fixturesDir: config.FIXTURES_DIR },
      slotMs: config.LOCALNET_SLOT_MS,
      transactionsPerSecond: config.LOCALNET_TRANSACTIONS_PER_SECOND,
      port: config.LOCALNET_PORT,
      programVersion: config.LOCALNET_PROGRAM_VERSION,
      ...(folder === undefined ? {} : { folder }),
      ...(elfFolder === undefined ? {} : { elfFolder }),
      report: (line) => logger.warn('localnet.chain.report', { line }),
    });
    await localnet.start();
    shutdown.onCleanup('local chain', () => localnet.stop());
    const { rpcUrl, wsUrl, ledger, switchboardUrl, aggregatorUrls } = localnet;
    const slot = ledger.slot('processed');
    logger.info('localnet.chain.start', { rpcUrl, wsUrl, slot, switchboardUrl, aggregatorUrls });
  },
});
