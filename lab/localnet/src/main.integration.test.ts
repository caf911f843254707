import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { address, createSolanaRpc, lamports } from '@solana/kit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const ENTRY = fileURLToPath(new URL('./main.ts', import.meta.url));
const WALLET = address('Cw8CFyM9FkoMi7K7Crf6HNQqf4uEMzpKw6QNghXLvLkX');

describe('the local chain as a process', () => {
  let folder: string;
  let children: ChildProcess[];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'localnet-main-'));
    children = [];
  });
  afterEach(() => {
    for (const child of children) child.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  });

  const run = (env: Readonly<Record<string, string>>) => {
    const child = spawn(process.execPath, [ENTRY], {
      env: { LOCALNET_PORT: '0', LOCALNET_SLOT_MS: '20', LOCALNET_DIR: folder, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.push(child);
    const lines: string[] = [];
    for (const stream of [child.stdout, child.stderr]) createInterface(stream).on('line', (line) => lines.push(line));
    return { child, lines, exit: once(child, 'exit') as Promise<[number | null, string | null]> };
  };

  const start = async (env: Readonly<Record<string, string>> = {}) => {
    const running = run(env);
    const url = () => /"rpcUrl":"([^"]+)"/.exec(running.lines.join('\n'))?.[1];
    await expect.poll(url).toBeDefined();
    return { ...running, url: url() ?? '', rpc: createSolanaRpc(url() ?? '') };
  };

  it('keeps what was confirmed through kill -9 and never serves a slot twice', async () => {
    const first = await start();
    await first.rpc.requestAirdrop(WALLET, lamports(1_000_000_000n)).send();
    await expect.poll(async () => (await first.rpc.getBalance(WALLET).send()).value).toBe(1_000_000_000n);
    const served = await first.rpc.getSlot({ commitment: 'processed' }).send();
    first.child.kill('SIGKILL');
    await first.exit;
    const second = await start();
    expect(await second.rpc.getSlot({ commitment: 'processed' }).send()).toBeGreaterThan(served);
    expect((await second.rpc.getBalance(WALLET).send()).value).toBe(1_000_000_000n);
    expect(await second.rpc.getSignaturesForAddress(WALLET).send()).toHaveLength(1);
    second.child.kill('SIGTERM');
    expect(await second.exit).toEqual([0, null]);
  });

  it('says in one line that its port is taken, and ends', async () => {
    const { url } = await start();
    const { port } = new URL(url);
    const second = run({ LOCALNET_PORT: port, LOCALNET_DIR: join(folder, 'other') });
    expect((await second.exit)[0]).toBe(1);
    expect(second.lines).toEqual([expect.stringMatching(`^RUNTIME__PORT_UNAVAILABLE: Port ${port} .*is taken`)]);
  });

  it('names a wrong setting, its value and what is allowed', async () => {
    const { exit, lines } = run({ LOCALNET_SLOT_MS: 'fast' });
    expect((await exit)[0]).toBe(1);
    expect(lines).toEqual([
      expect.stringMatching(/LOCALNET_SLOT_MS is "fast"; allowed: a whole number of milliseconds/),
    ]);
  });
});
