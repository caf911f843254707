import { type Bus, createBus } from '@lending/bus';
import { createChain } from '@lending/chain';
import { claimNodesChain, runIndexer } from '@lending/indexer';
import { type OpenedLocalnet, openLocalnet } from '@lending/localnet';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@lending/programs';
import { createLogger, createMetrics, createReadiness } from '@lending/runtime';
import { listenFollowed, readWallet, requestFollow } from '@lending/store';
import { useDatabase } from '@lending/testing';
import { type Address, address, generateKeyPairSigner } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { INDEXER_SETTINGS } from '../indexer-settings.ts';
import { openDemoWallet, type Token } from './send-from-demo-wallet.ts';

const USDC: Token = {
  mint: address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'),
  program: TOKEN_PROGRAM,
  decimals: 6,
};
const PYUSD: Token = {
  mint: address('2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo'),
  program: TOKEN_2022_PROGRAM,
  decimals: 6,
};
/** Far less than until the wallet is read anyway, which is in an hour. */
const PATIENCE = { timeout: 120_000, interval: 20 };

/** Payments touch no lending account: nobody tells of them but the node's subscriptions to the wallet. */
describe('payments to a wallet that somebody asks for', () => {
  const database = useDatabase();
  let localnet: OpenedLocalnet;
  let bus: Bus;
  let running: Promise<void>;
  let payer: Awaited<ReturnType<typeof openDemoWallet>>;
  let wallet: Address;
  const stopping = new AbortController();

  beforeAll(async () => {
    localnet = await openLocalnet({ genesis: { kind: 'demo', seed: 5 }, report: () => undefined });
    await localnet.start();
    payer = await openDemoWallet(localnet.rpcUrl, 'saver');
    wallet = (await generateKeyPairSigner()).address;
    const { connectionString, store } = database;
    const logger = createLogger({ level: 'silent', name: 'test' });
    const chain = createChain({ rpcUrls: [localnet.rpcUrl], source: 'localnet' });
    bus = await createBus({ kind: 'embedded', connectionString });
    const readiness = createReadiness();
    await claimNodesChain({ chain, store, logger, readiness }, stopping.signal);
    running = runIndexer(
      {
        ...INDEXER_SETTINGS,
        chain,
        source: chain.createPubSubSource(),
        bus,
        store,
        walletRefreshMs: 3_600_000,
        listenFollowed: (onChange) => {
          const listener = listenFollowed({ connectionString, onFollowed: onChange, onListening: onChange });
          return () => listener.stop();
        },
        collectMs: 100,
        logger,
        metrics: createMetrics(),
        readiness,
      },
      stopping.signal,
    );
    await requestFollow(store.db, { address: wallet, aspect: 'wallet', maxFollowed: 100 });
    await vi.waitFor(async () => expect(await held()).toEqual({ lamports: '0' }), PATIENCE);
  });

  afterAll(async () => {
    stopping.abort();
    await running;
    await bus?.close();
    await localnet?.stop();
  });

  /** What the tables say it holds: base units by mint. */
  async function held(): Promise<Record<string, string> | null> {
    const row = await readWallet(database.store.db, wallet);
    if (row === null) return null;
    return { lamports: row.lamports, ...Object.fromEntries(row.holdings.map((one) => [one.mint, one.amount_base])) };
  }

  it('are in the tables soon: SOL, a token, and one of Token-2022 in an account that is new', async () => {
    await payer.sendSol(wallet, 1_500_000_000n);
    await expect.poll(held, PATIENCE).toEqual({ lamports: '1500000000' });
    await payer.sendToken(wallet, USDC, 2_000_000n);
    await expect.poll(held, PATIENCE).toEqual({ lamports: '1500000000', [USDC.mint]: '2000000' });
    await payer.sendToken(wallet, USDC, 500_000n);
    await expect.poll(held, PATIENCE).toEqual({ lamports: '1500000000', [USDC.mint]: '2500000' });
    await payer.sendToken(wallet, PYUSD, 7_000_000n);
    await expect
      .poll(held, PATIENCE)
      .toEqual({ lamports: '1500000000', [USDC.mint]: '2500000', [PYUSD.mint]: '7000000' });
  });

  it('are in the tables soon after the node lost all subscriptions, too', async () => {
    localnet.setFault({ kind: 'drop_subscriptions' });
    await payer.sendSol(wallet, 1n);
    await expect.poll(held, PATIENCE).toMatchObject({ lamports: '1500000001' });
    localnet.setFault(null);
    await payer.sendSol(wallet, 1n);
    await expect.poll(held, PATIENCE).toMatchObject({ lamports: '1500000002' });
  });
});
