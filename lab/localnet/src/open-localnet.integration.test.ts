import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  AccountRole,
  type Address,
  address,
  appendTransactionMessageInstruction,
  createKeyPairSignerFromPrivateKeyBytes,
  createSolanaRpc,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  lamports,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import { fetchSysvarClock } from '@solana/sysvars';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type OpenedLocalnet, type OpenLocalnetOptions, openLocalnet } from './open-localnet.ts';

const PROGRAM = address('MFv2hWf31Z9kbCa1snEPYctwafyhdvnV7FZnsebVacA');
const PYTH_RECEIVER = address('rec5EKMGg6MxZYaMdyBfgwp4d5rB9T1VQH5pJv5LtFJ');
const TOKEN_PROGRAM = address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
const GROUP = address('4qp6Fx6tnZkY5Wropq9wUYgtFxXKwE6viZxFHg3rdAG8');

const { MARGINFI_ELF } = process.env;

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

  it('lets people rest, while slots and prices go on', async () => {
    const { node } = await start({ transactionsPerSecond: 50 });
    await expect.poll(() => node.ledger.transactionCount).toBeGreaterThan(0n);
    node.rest();
    const [count, slot] = [node.ledger.transactionCount, node.ledger.slot('processed')];
    await expect.poll(() => node.ledger.slot('processed')).toBeGreaterThan(slot + 10n);
    expect(node.ledger.transactionCount).toBe(count);
  });

  it('serves the demo market: banks, prices that move, wallets with tokens', async () => {
    const { node, rpc } = await start();
    const banks = await rpc
      .getProgramAccounts(PROGRAM, {
        encoding: 'base64',
        filters: [{ dataSize: 3_912n }],
        dataSlice: { offset: 0, length: 0 },
      })
      .send();
    expect(banks.length).toBeGreaterThanOrEqual(12);
    const prices = async () => {
      const feeds = await rpc.getProgramAccounts(PYTH_RECEIVER, { encoding: 'base64' }).send();
      return feeds.map(({ pubkey, account }) => `${pubkey} ${account.data[0]}`).toSorted();
    };
    const before = await prices();
    await expect.poll(prices).not.toEqual(before);

    const saver = node.wallets.find(({ tokens }) => tokens.USDC !== undefined);
    if (saver === undefined) throw new Error('no wallet holds USDC');
    const { value: held } = await rpc
      .getTokenAccountsByOwner(saver.address, { programId: TOKEN_PROGRAM }, { encoding: 'base64' })
      .send();
    const balances = await Promise.all(held.map(({ pubkey }) => rpc.getTokenAccountBalance(pubkey).send()));
    expect(balances.map(({ value }) => value)).toContainEqual(
      expect.objectContaining({ amount: `${saver.tokens.USDC}`, decimals: 6, uiAmountString: '25000' }),
    );
  });

  const wallet = address('96gYZGLnJYVFmbjzopPSU6QiEV5fGqZNyN9nmNhvrZU5');

  it('continues after a restart at a higher slot with the same balances', async () => {
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

  it('starts another market at a higher slot, and finds the first one as it was', async () => {
    const first = await start({ folder });
    const { value } = await first.rpc.getBalance(wallet).send();
    await first.rpc.requestAirdrop(wallet, lamports(5n)).send();
    await first.node.stop();
    opened = [];
    const served = first.node.ledger.slot('processed');
    const second = await start({ folder, genesis: { kind: 'demo', seed: 2 } });
    expect(await second.rpc.getSlot().send()).toBeGreaterThan(served);
    expect((await second.rpc.getBalance(wallet).send()).value).toBe(value);
    await second.node.stop();
    opened = [];
    const third = await start({ folder });
    expect((await third.rpc.getBalance(wallet).send()).value).toBe(value + 5n);
  });

  it('serves Switchboard and aggregators where their programs are modelled, and says so where they are not', async () => {
    const modelled = await start();
    const gateways = await fetch(`${modelled.node.switchboardUrl}/gateways?network=mainnet`);
    expect(await gateways.json()).toHaveLength(2);
    expect(modelled.node.notes).toEqual([]);
    const onElfs = await start({ elfFolder: folder, slotMs: null });
    expect(onElfs.node.switchboardUrl).toBeNull();
    expect(onElfs.node.aggregatorUrls).toBeNull();
    expect(onElfs.node.notes).toEqual([
      expect.stringContaining('no Switchboard program'),
      expect.stringContaining('no swap program'),
    ]);
  });

  const root = fileURLToPath(new URL('../../../', import.meta.url));
  const fixtures = resolve(root, process.env.FIXTURES_DIR ?? '../shared/fixtures');
  const manifest = join(root, 'lab/e2e/genesis/pyusd-2024-08.json');
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

  it.skipIf(MARGINFI_ELF === undefined)(
    'runs the program of a folder instead of its model (needs MARGINFI_ELF)',
    async () => {
      copyFileSync(MARGINFI_ELF ?? '', join(folder, 'marginfi.so'));
      const { rpc } = await start({ elfFolder: folder, slotMs: null });
      const [payer, bank] = await Promise.all([
        createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(7)),
        rpc.getProgramAccounts(PROGRAM, { encoding: 'base64', filters: [{ dataSize: 1864n }] }).send(),
      ]);
      await rpc.requestAirdrop(payer.address, lamports(1_000_000_000n)).send();
      const unknown = { programAddress: PROGRAM, accounts: [], data: new Uint8Array(8) };
      const accrue = {
        programAddress: PROGRAM,
        accounts: [
          { address: GROUP, role: AccountRole.READONLY },
          { address: bank[0]?.pubkey as Address, role: AccountRole.WRITABLE },
        ],
        data: Uint8Array.of(108, 201, 30, 87, 47, 65, 97, 188),
      };
      const { value: latest } = await rpc.getLatestBlockhash().send();
      const simulate = async (instruction: typeof unknown | typeof accrue) => {
        const message = pipe(
          createTransactionMessage({ version: 0 }),
          (empty) => setTransactionMessageFeePayerSigner(payer, empty),
          (payed) => setTransactionMessageLifetimeUsingBlockhash(latest, payed),
          (dated) => appendTransactionMessageInstruction(instruction, dated),
        );
        const wire = getBase64EncodedWireTransaction(await signTransactionMessageWithSigners(message));
        return (await rpc.simulateTransaction(wire, { encoding: 'base64', commitment: 'processed' }).send()).value;
      };
      expect((await simulate(unknown)).err).toEqual({ InstructionError: [0n, { Custom: 101n }] });
      const { logs, unitsConsumed } = await simulate(accrue);
      expect(logs).toContain('Program log: Instruction: LendingPoolAccrueBankInterest');
      // The model counts in round figures.
      expect(Number(unitsConsumed) % 1_000).not.toBe(0);
    },
  );
});
