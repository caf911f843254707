import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { address, createSolanaRpc, lamports } from '@solana/kit';
import { fetchSysvarClock } from '@solana/sysvars';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type OpenedLocalnet, type OpenLocalnetOptions, openLocalnet } from './open-localnet.ts';

const PROGRAM = address('MFv2hWf31Z9kbCa1snEPYctwafyhdvnV7FZnsebVacA');
const PYTH_RECEIVER = address('rec5EKMGg6MxZYaMdyBfgwp4d5rB9T1VQH5pJv5LtFJ');
const TOKEN_PROGRAM = address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
const USDC = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');

describe('openLocalnet', () => {
  let folder: string;
  let opened: OpenedLocalnet[];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'localnet-'));
    opened = [];
  });
  afterEach(async () => {
    for (const node of opened) await node.stop();
    rmSync(folder, { recursive: true });
  });

  const start = async (options: Partial<OpenLocalnetOptions> = {}) => {
    const node = await openLocalnet({ genesis: { kind: 'demo' }, slotMs: 10, ...options });
    opened.push(node);
    await node.start();
    return { node, rpc: createSolanaRpc(node.rpcUrl) };
  };

  it('serves the demo market: banks, prices that move, wallets with tokens', async () => {
    const { node, rpc } = await start();
    const banks = await rpc
      .getProgramAccounts(PROGRAM, {
        encoding: 'base64',
        filters: [{ dataSize: 1864n }],
        dataSlice: { offset: 0, length: 0 },
      })
      .send();
    expect(banks.length).toBeGreaterThanOrEqual(12);
    const prices = async () => {
      const feeds = await rpc.getProgramAccounts(PYTH_RECEIVER, { encoding: 'base64' }).send();
      return feeds.map(({ pubkey, account }) => `${pubkey} ${account.data[0]}`).toSorted();
    };
    const before = await prices();
    await expect.poll(prices, { timeout: 5000 }).not.toEqual(before);

    const saver = node.wallets.find(({ tokens }) => tokens.USDC !== undefined);
    if (saver === undefined) throw new Error('no wallet holds USDC');
    const held = await rpc.getTokenAccountsByOwner(saver.address, { mint: USDC }, { encoding: 'jsonParsed' }).send();
    expect(held.value.map(({ account }) => account.data.parsed.info)).toMatchObject([
      {
        mint: USDC,
        owner: saver.address,
        state: 'initialized',
        tokenAmount: { amount: `${saver.tokens.USDC}`, decimals: 6 },
      },
    ]);
    const all = await rpc
      .getTokenAccountsByOwner(saver.address, { programId: TOKEN_PROGRAM }, { encoding: 'base64' })
      .send();
    expect(all.value.length).toBeGreaterThan(0);
    const [first] = held.value;
    if (first === undefined) throw new Error('no token account');
    const { value: balance } = await rpc.getTokenAccountBalance(first.pubkey).send();
    expect(balance).toMatchObject({ amount: `${saver.tokens.USDC}`, decimals: 6, uiAmountString: '25000' });
    expect((await rpc.getTokenSupply(USDC).send()).value.decimals).toBe(6);
    const mint = await rpc.getAccountInfo(USDC, { encoding: 'jsonParsed' }).send();
    expect(mint.value?.data).toMatchObject({ program: 'spl-token', parsed: { type: 'mint', info: { decimals: 6 } } });
  });

  it('continues after a restart at a higher slot with the same balances', async () => {
    const wallet = address('96gYZGLnJYVFmbjzopPSU6QiEV5fGqZNyN9nmNhvrZU5');
    const first = await start({ folder });
    const before = await first.rpc.getBalance(wallet).send();
    await first.rpc.requestAirdrop(wallet, lamports(5n)).send();
    await expect.poll(async () => (await first.rpc.getBalance(wallet).send()).value).toBe(before.value + 5n);
    const served = await first.rpc.getSlot({ commitment: 'processed' }).send();
    await first.node.stop();
    opened = [];
    const second = await start({ folder });
    expect(await second.rpc.getSlot().send()).toBeGreaterThanOrEqual(served);
    expect((await second.rpc.getBalance(wallet).send()).value).toBe(before.value + 5n);
    expect(await second.rpc.getSignaturesForAddress(wallet).send()).toHaveLength(1);
  });

  it('starts over, still at a higher slot, when it is asked for another market', async () => {
    const lines: string[] = [];
    const first = await start({ folder });
    await first.node.stop();
    opened = [];
    const served = first.node.ledger.slot('processed');
    const second = await start({
      folder,
      genesis: { kind: 'demo', seed: 2 },
      report: (line) => lines.push(line),
    });
    expect(await second.rpc.getSlot().send()).toBeGreaterThan(served);
    expect(lines).toEqual([expect.stringContaining('is of chain "demo market 1", not "demo market 2"')]);
  });

  const root = fileURLToPath(new URL('../../../', import.meta.url));
  const fixtures = resolve(root, process.env['FIXTURES_DIR'] ?? '../shared/fixtures');
  const manifest = join(root, 'e2e/genesis/pyusd-2024-08.json');
  describe.skipIf(!existsSync(fixtures))('with recorded accounts (FIXTURES_DIR)', () => {
    it('keeps the clock at the recorded second while slots pass', async () => {
      const { rpc, node } = await start({ genesis: { kind: 'dumps', path: manifest, fixturesDir: fixtures } });
      const { clock } = JSON.parse(readFileSync(manifest, 'utf8')) as { clock: number };
      const slot = await rpc.getSlot({ commitment: 'processed' }).send();
      await expect.poll(() => rpc.getSlot({ commitment: 'processed' }).send()).toBeGreaterThan(slot + 5n);
      const sysvar = await fetchSysvarClock(rpc);
      expect(sysvar.unixTimestamp).toBe(BigInt(clock));
      expect(node.notes.length).toBeGreaterThan(0);
    });
  });
});
