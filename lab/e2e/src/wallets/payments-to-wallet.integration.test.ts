import { createChain } from '@lending/chain';
import { DEMO_TOKENS, fundWallet, type OpenedLocalnet, openLocalnet } from '@lending/localnet';
import { readWallet, requestFollow } from '@lending/store';
import { useDatabase } from '@lending/store/testing';
import { type Address, generateKeyPairSigner } from '@solana/kit';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { startIndexerHere } from '../cluster/in-process.ts';
import { useOpened } from '../cluster/opened.ts';

const { USDC, PYUSD } = DEMO_TOKENS;
/** Far less than until the wallet is read anyway, which is in an hour. */
const PATIENCE = { timeout: 120_000, interval: 20 };

/** Payments touch no lending account: nobody tells of them but the node's subscriptions to the wallet. */
describe('payments to a wallet that somebody asks for', () => {
  const database = useDatabase();
  const opened = useOpened();
  let localnet: OpenedLocalnet;
  let wallet: Address;

  beforeAll(async () => {
    localnet = opened.keep(await openLocalnet({ genesis: { kind: 'demo', seed: 5 }, report: () => undefined }));
    await localnet.start();
    wallet = (await generateKeyPairSigner()).address;
    const chain = createChain({ rpcUrls: [localnet.rpcUrl], source: 'localnet' });
    opened.keep(await startIndexerHere(database, chain, { walletRefreshMs: 3_600_000 }));
    await requestFollow(database.db, { address: wallet, aspect: 'wallet', maxFollowed: 100 });
    await vi.waitFor(async () => expect(await held()).toEqual({ lamports: '0' }), PATIENCE);
  });

  /** What the tables say it holds: base units by mint. */
  async function held(): Promise<Record<string, string> | null> {
    const row = await readWallet(database.db, wallet);
    if (row === null) return null;
    return { lamports: row.lamports, ...Object.fromEntries(row.holdings.map((one) => [one.mint, one.amount_base])) };
  }

  const hold = (funds: Parameters<typeof fundWallet>[2]) => fundWallet(localnet.ledger, wallet, funds);

  it('are in the tables soon: SOL, a token, and one of Token-2022 in an account that is new', async () => {
    await hold({ lamports: 1_500_000_000n });
    await expect.poll(held, PATIENCE).toEqual({ lamports: '1500000000' });
    await hold({ tokens: { USDC: 2_000_000n } });
    await expect.poll(held, PATIENCE).toEqual({ lamports: '1500000000', [USDC.mint]: '2000000' });
    await hold({ tokens: { USDC: 2_500_000n } });
    await expect.poll(held, PATIENCE).toEqual({ lamports: '1500000000', [USDC.mint]: '2500000' });
    await hold({ tokens: { PYUSD: 7_000_000n } });
    await expect
      .poll(held, PATIENCE)
      .toEqual({ lamports: '1500000000', [USDC.mint]: '2500000', [PYUSD.mint]: '7000000' });
  });

  it('are in the tables soon after the node lost all subscriptions, too', async () => {
    localnet.setFault({ kind: 'drop_subscriptions' });
    await hold({ lamports: 1_500_000_001n });
    await expect.poll(held, PATIENCE).toMatchObject({ lamports: '1500000001' });
    localnet.setFault(null);
    await hold({ lamports: 1_500_000_002n });
    await expect.poll(held, PATIENCE).toMatchObject({ lamports: '1500000002' });
  });
});
