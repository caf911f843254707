import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openLocalnet } from '@lending/localnet';
import { createDataDir, findFreePort, type RunningProcess, spawnProcess, startEmbedded } from '@lending/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../src/eventually.ts';
import { GROUP, SOL_BANK, USDC_BANK, writeGenesisFolder } from '../src/genesis-folder.ts';
import { getJson } from '../src/http.ts';

const run = promisify(execFile);
const canMount = process.platform === 'linux' && process.getuid?.() === 0;

interface BanksReply {
  readonly banks: readonly { address: string; rates: Record<string, number | null> }[];
  readonly coverage: { banks_skipped: readonly { bank: string; reason: string }[]; complete: boolean };
  readonly as_of: { slot: number };
}
interface NotReady {
  readonly details: { readonly reasons: readonly { component: string; reason: string }[] };
}

describe('what goes wrong', () => {
  let dataDir: string;
  let app: RunningProcess | undefined;
  const folders: string[] = [];

  beforeEach(async () => {
    dataDir = await createDataDir('fault');
  });
  afterEach(async () => {
    await app?.stop();
    app = undefined;
    for (const folder of [dataDir, ...folders.splice(0)]) await rm(folder, { recursive: true, force: true });
  });

  const warnings = (): readonly string[] => (app?.lines ?? []).filter((line) => /"level":"(warn|error)"/.test(line));
  const reasons = async (): Promise<string> => {
    const { details } = await getJson<NotReady>(`${app?.baseUrl}/readyz`, 503);
    return details.reasons.map(({ component, reason }) => `${component}: ${reason}`).join('\n');
  };
  const getBanks = () => getJson<BanksReply>(`${app?.baseUrl}/v1/banks?response_format=detailed`);
  const sampled = (reply: BanksReply) => reply.banks.filter(({ rates }) => rates.utilization_pct != null);

  it('[rpc-unreachable] waits for an RPC node that does not answer, says so, and recovers when it does', async () => {
    const port = await findFreePort();
    app = await startEmbedded({ dataDir, env: { SOLANA_RPC_URL: `http://127.0.0.1:${port}`, POLL_P0_MS: '500' } });
    expect(app.lines.join('\n')).toMatch(/not ready: .*127\.0\.0\.1/);
    expect(await reasons()).toMatch(/chain: CHAIN__RPC_UNAVAILABLE.*127\.0\.0\.1/);
    expect(warnings()).toEqual([expect.stringMatching(/chain\.endpoint\.fail/)]);

    const localnet = await openLocalnet({ genesis: { kind: 'demo' }, port });
    await localnet.start();
    try {
      await eventually(async () => {
        expect(sampled(await getBanks()).length).toBeGreaterThan(0);
        await getJson(`${app?.baseUrl}/readyz`);
      }, 60_000);
    } finally {
      await localnet.stop();
    }
  });

  it('[wrong-owner] names a group that belongs to another program, and goes on trying', async () => {
    const stranger = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
    const folder = await writeGenesisFolder([GROUP, USDC_BANK], (dump) =>
      dump.address === GROUP ? { ...dump, owner: stranger } : dump,
    );
    folders.push(folder);
    app = await startEmbedded({ dataDir, env: { LOCALNET_GENESIS: folder, POLL_P0_MS: '500' } });
    const reason = await eventually(async () => {
      const text = await reasons();
      expect(text).toContain('DECODE__OWNER_MISMATCH');
      return text;
    });
    expect(reason).toContain(GROUP);
    expect(reason).toContain(stranger);
    expect(warnings().filter((line) => line.includes('rate.sample.fail'))).toHaveLength(1);
    expect(app.child.exitCode).toBeNull();
  });

  it('[truncated-account] leaves out a bank that is cut short, by name, and serves the others', async () => {
    const folder = await writeGenesisFolder([GROUP, USDC_BANK, SOL_BANK], (dump) => {
      if (dump.address !== SOL_BANK) return dump;
      const data = Buffer.from(dump.data[0], 'base64').subarray(0, 1000);
      return { ...dump, space: data.length, data: [data.toString('base64'), 'base64'] };
    });
    folders.push(folder);
    app = await startEmbedded({ dataDir, env: { LOCALNET_GENESIS: folder, POLL_P0_MS: '500' } });
    const reply = await eventually(async () => {
      const found = await getBanks();
      expect(found.coverage.banks_skipped).toHaveLength(1);
      expect(sampled(found)).toHaveLength(1);
      return found;
    });
    expect(reply.banks.map(({ address }) => address)).toEqual([USDC_BANK]);
    expect(reply.coverage).toMatchObject({ complete: false, banks_skipped: [{ bank: SOL_BANK }] });
    expect(reply.coverage.banks_skipped[0]?.reason).toBe('account_malformed');
    expect(warnings().filter((line) => line.includes('bank.account.reject'))).toEqual([
      expect.stringContaining('1000 bytes'),
    ]);
  });

  it('[chains-stay-apart] refuses the data of another chain in one line', async () => {
    app = await startEmbedded({ dataDir, env: { POLL_P0_MS: '500' } });
    await eventually(getBanks);
    await app.stop();
    app = undefined;
    const folder = await writeGenesisFolder([GROUP, USDC_BANK], (dump) => dump);
    folders.push(folder);
    const failed = spawnProcess({
      entry: 'embedded/src/main.ts',
      env: { DATA_DIR: dataDir, API_PORT: '0', LOCALNET_PORT: '0', LOCALNET_GENESIS: folder, LOG_LEVEL: 'error' },
    });
    expect(await exitCode(failed)).toBe(1);
    const said = failed.lines.filter((line) => !line.endsWith('…'));
    expect(said).toEqual([expect.stringMatching(/STORE__CHAIN_MISMATCH.*npm run reset/)]);
  });

  it('[chains-stay-apart] goes on above the old slots when the local chain is lost', async () => {
    app = await startEmbedded({ dataDir, env: { POLL_P0_MS: '300' } });
    const before = await eventually(async () => {
      const found = await getBanks();
      expect(sampled(found).length).toBeGreaterThan(0);
      return found;
    });
    await app.stop();
    await rm(join(dataDir, 'chain'), { recursive: true });
    app = await startEmbedded({ dataDir, env: { POLL_P0_MS: '300' } });
    await eventually(async () => expect((await getBanks()).as_of.slot).toBeGreaterThan(before.as_of.slot));
  });

  it('[port-taken] ends with one line that names the port', async () => {
    const holder = createServer();
    await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
    const { port } = holder.address() as { port: number };
    try {
      const failed = spawnProcess({
        entry: 'embedded/src/main.ts',
        env: { DATA_DIR: dataDir, API_PORT: String(port), LOCALNET_PORT: '0', LOG_LEVEL: 'error' },
      });
      const code = await exitCode(failed);
      expect(code).toBe(1);
      const said = failed.lines.filter((line) => !line.endsWith('…'));
      expect(said).toHaveLength(1);
      expect(said[0]).toMatch(new RegExp(`RUNTIME__PORT_UNAVAILABLE.*${port}`));
    } finally {
      holder.close();
    }
  });

  it('[setting-wrong] ends with one line that names the variable, the value and what is allowed', async () => {
    const failed = spawnProcess({ entry: 'embedded/src/main.ts', env: { DATA_DIR: dataDir, POLL_P0_MS: 'soon' } });
    expect(await exitCode(failed)).toBe(1);
    expect(failed.lines).toEqual([expect.stringMatching(/POLL_P0_MS is "soon"; allowed: .*milliseconds/)]);
  });

  it.skipIf(!canMount && process.env.CI !== 'true')(
    '[disk-full] (needs root and mount, for a disk of its own) says that the disk is full, answers on, and goes on by itself when there is room',
    async () => {
      const disk = join(dataDir, 'disk');
      await mkdir(disk);
      await run('mount', ['-t', 'tmpfs', '-o', 'size=200m', 'tmpfs', disk]);
      try {
        app = await startEmbedded({ dataDir: disk, env: { POLL_P0_MS: '200' } });
        const before = await eventually(getBanks);
        await fillDisk(disk);
        await eventually(async () => expect(await reasons()).toMatch(/disk is full|No space left/i), 60_000);
        expect(app.child.exitCode).toBeNull();
        await rm(join(disk, 'ballast'));
        await eventually(async () => {
          await getJson(`${app?.baseUrl}/readyz`);
          expect((await getBanks()).as_of.slot).toBeGreaterThan(before.as_of.slot);
        }, 90_000);
      } finally {
        await app?.stop();
        app = undefined;
        await run('umount', ['-l', disk]);
      }
    },
    240_000,
  );
});

/** Takes all that is left, down to the last block. */
async function fillDisk(folder: string): Promise<void> {
  await writeFile(join(folder, 'ballast'), '');
  await run('dd', ['if=/dev/zero', `of=${join(folder, 'ballast')}`, 'bs=64k']).catch(() => undefined);
}

function exitCode(failed: ReturnType<typeof spawnProcess>): Promise<number | null> {
  const { child } = failed;
  if (child.exitCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((resolve) => child.once('close', resolve));
}
