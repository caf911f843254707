import { join } from 'node:path';
import { type OpenedLocalnet, openLocalnet, SWAP_PROGRAM } from '@lending/localnet';
import type { Logger } from '@lending/runtime';
import type { EmbeddedConfig } from './config.ts';

/** The local chain, started, and what a person may want to know of it. */
export interface LocalChain {
  readonly rpcUrl: string;
  readonly wsUrl: string;
  /** Crossbar of its double of Switchboard, which names gateways on the same host; null where it has none. */
  readonly switchboardUrl: string | null;
  /** Its doubles of the swap aggregators, and the program they trade through; null where it has none. */
  readonly swaps: { readonly urls: NonNullable<OpenedLocalnet['aggregatorUrls']>; readonly program: string } | null;
  readonly name: string;
  readonly wallet: { readonly address: string; readonly note: string } | null;
  readonly notes: readonly string[];
  /** Why no slot passes at present, such as a full disk; null when all is well. */
  failure(): string | null;
  stop(): Promise<void>;
}

/**
 * Starts the local chain the settings ask for: the demo market, which moves, or a genesis of recorded accounts. Continues the
 * stored chain where there is one of the same genesis; else it begins at `startSlot` or later.
 * @throws RUNTIME__PORT_UNAVAILABLE, LOCALNET__GENESIS_INVALID, LOCALNET__PROGRAM_INVALID
 */
export async function startLocalChain(config: EmbeddedConfig, startSlot: bigint, logger: Logger): Promise<LocalChain> {
  const { LOCALNET_GENESIS: path, FIXTURES_DIR: fixturesDir, LOCALNET_ELF_FOLDER: elfFolder } = config;
  const localnet = await openLocalnet({
    genesis: path === undefined ? { kind: 'demo' } : { kind: 'dumps', path, fixturesDir },
    slotMs: config.LOCALNET_SLOT_MS,
    transactionsPerSecond: config.LOCALNET_TRANSACTIONS_PER_SECOND,
    programVersion: config.LOCALNET_PROGRAM_VERSION,
    port: config.LOCALNET_PORT,
    folder: join(config.DATA_DIR, 'chain'),
    ...(elfFolder === undefined ? {} : { elfFolder }),
    startSlot,
    report: (line) => logger.warn('chain.local.say', { line }),
  });
  await localnet.start();
  const [wallet] = localnet.wallets;
  return {
    rpcUrl: localnet.rpcUrl,
    wsUrl: localnet.wsUrl,
    switchboardUrl: localnet.switchboardUrl,
    swaps: localnet.aggregatorUrls === null ? null : { urls: localnet.aggregatorUrls, program: SWAP_PROGRAM },
    name: `local chain (${path ?? 'demo market'})`,
    wallet: wallet === undefined ? null : { address: wallet.address, note: '(a demo wallet; its key is public)' },
    notes: localnet.notes,
    failure: () => localnet.ledger.failure ?? null,
    stop: () => localnet.stop(),
  };
}
