import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openLocalnet } from '@lending/localnet';
import { createDataDir, findFreePort, type RunningProcess, spawnProcess, startEmbedded } from '@lending/testing';
import { describe, expect, it } from 'vitest';
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

/** A data folder of a scenario's own, and the process that runs on it. */
class Place {
  app: RunningProcess | undefined;
  readonly #folders: string[] = [];
  readonly dataDir: string;

  constructor(dataDir: string) {
    this.dataDir = dataDir;
    this.keep(dataDir);
  }

  /** Removes a folder in the end. */
  keep(folder: string): string {
    this.#folders.push(folder);
    return folder;
  }

  async start(env: Readonly<Record<string, string>>, dataDir = this.dataDir): Promise<RunningProcess> {
    this.app = await startEmbedded({ dataDir, env });
    return this.app;
  }

  async stop(): Promise<void> {
    await this.app?.stop();
    this.app = undefined;
  }

  async close(): Promise<void> {
    await this.stop();
    for (const folder of this.#folders) await rm(folder, { recursive: true, force: true });
  }

  warnings(): readonly string[] {
    return (this.app?.lines ?? []).filter((line) => /"level":"(warn|error)"/.test(line));
  }

  async reasons(): Promise<string> {
    const { details } = await getJson<NotReady>(`${this.app?.baseUrl}/readyz`, 503);
    return details.reasons.map(({ component, reason }) => `${component}: ${reason}`).join('\n');
  }

  getBanks = () => getJson<BanksReply>(`${this.app?.baseUrl}/v1/banks?response_format=detailed`);
}

/** Tries something in a place of its own, which waits beside the others. */
function scenario(title: string, test: (place: Place) => Promise<void>, on: typeof it.only = it) {
  on(title, async () => {
    const place = new Place(await createDataDir('fault'));
    try {
      await test(place);
    } finally {
      await place.close();
    }
  });
}

const sampled = (reply: BanksReply) => reply.banks.filter(({ rates }) => rates.utilization_pct != null);

describe.concurrent('what goes wrong', () => {
  scenario(
    '[rpc-unreachable] waits for an RPC node that does not answer, says so, and recovers when it does',
    async (place) => {
      const port = await findFreePort();
      await place.start({ SOLANA_RPC_URL: `http://127.0.0.1:${port}`, POLL_P0_MS: '500' });
      expect(place.app?.lines.join('\n')).toMatch(/not ready: .*127\.0\.0\.1/);
      expect(await place.reasons()).toMatch(/chain: CHAIN__RPC_UNAVAILABLE.*127\.0\.0\.1/);
      expect(place.warnings()).toEqual([expect.stringMatching(/chain\.endpoint\.fail/)]);

      const localnet = await openLocalnet({ genesis: { kind: 'demo' }, port });
      await localnet.start();
      try {
        await eventually(async () => {
          expect(sampled(await place.getBanks()).length).toBeGreaterThan(0);
          await getJson(`${place.app?.baseUrl}/readyz`);
        });
      } finally {
        await localnet.stop();
      }
    },
  );

  scenario('[wrong-owner] names a group that belongs to another program, and goes on trying', async (place) => {
    const stranger = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
    const folder = await writeGenesisFolder([GROUP, USDC_BANK], (dump) =>
      dump.address === GROUP ? { ...dump, owner: stranger } : dump,
    );
    place.keep(folder);
    await place.start({ LOCALNET_GENESIS: folder, POLL_P0_MS: '500' });
    const reason = await eventually(async () => {
      const text = await place.reasons();
      expect(text).toContain('DECODE__OWNER_MISMATCH');
      return text;
    });
    expect(reason).toContain(GROUP);
    expect(reason).toContain(stranger);
    expect(place.warnings().filter((line) => line.includes('rate.sample.fail'))).toHaveLength(1);
    expect(place.app?.child.exitCode).toBeNull();
  });

  scenario('[truncated-account] leaves out a bank that is cut short, by name, and serves the others', async (place) => {
    const folder = await writeGenesisFolder([GROUP, USDC_BANK, SOL_BANK], (dump) => {
      if (dump.address !== SOL_BANK) return dump;
      const data = Buffer.from(dump.data[0], 'base64').subarray(0, 1000);
      return { ...dump, space: data.length, data: [data.toString('base64'), 'base64'] };
    });
    place.keep(folder);
    await place.start({ LOCALNET_GENESIS: folder, POLL_P0_MS: '500' });
    const reply = await eventually(async () => {
      const found = await place.getBanks();
      expect(found.coverage.banks_skipped).toHaveLength(1);
      expect(sampled(found)).toHaveLength(1);
      return found;
    });
    expect(reply.banks.map(({ address }) => address)).toEqual([USDC_BANK]);
    expect(reply.coverage).toMatchObject({ complete: false, banks_skipped: [{ bank: SOL_BANK }] });
    expect(reply.coverage.banks_skipped[0]?.reason).toBe('account_malformed');
    expect(place.warnings().filter((line) => line.includes('bank.account.reject'))).toEqual([
      expect.stringContaining('1000 bytes'),
    ]);
  });

  scenario(
    '[chains-stay-apart] goes on above the old slots when the local chain is lost, and refuses the data of another chain in one line',
    async (place) => {
      await place.start({ POLL_P0_MS: '300' });
      const before = await eventually(async () => {
        const found = await place.getBanks();
        expect(sampled(found).length).toBeGreaterThan(0);
        return found;
      });
      await place.stop();
      await rm(join(place.dataDir, 'chain'), { recursive: true });
      await place.start({ POLL_P0_MS: '300' });
      await eventually(async () => expect((await place.getBanks()).as_of.slot).toBeGreaterThan(before.as_of.slot));
      await place.stop();
      const folder = place.keep(await writeGenesisFolder([GROUP, USDC_BANK], (dump) => dump));
      const failed = spawnProcess({
        entry: 'embedded/src/main.ts',
        env: {
          DATA_DIR: place.dataDir,
          API_PORT: '0',
          LOCALNET_PORT: '0',
          LOCALNET_GENESIS: folder,
          LOG_LEVEL: 'error',
        },
      });
      expect(await exitCode(failed)).toBe(1);
      const said = failed.lines.filter((line) => !line.endsWith('…'));
      expect(said).toEqual([expect.stringMatching(/STORE__CHAIN_MISMATCH.*npm run reset/)]);
    },
  );

  scenario('[port-taken] ends with one line that names the port', async (place) => {
    const holder = createServer();
    await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
    const { port } = holder.address() as { port: number };
    try {
      const failed = spawnProcess({
        entry: 'embedded/src/main.ts',
        env: { DATA_DIR: place.dataDir, API_PORT: String(port), LOCALNET_PORT: '0', LOG_LEVEL: 'error' },
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

  scenario(
    '[setting-wrong] ends with one line that names the variable, the value and what is allowed',
    async (place) => {
      const failed = spawnProcess({
        entry: 'embedded/src/main.ts',
        env: { DATA_DIR: place.dataDir, POLL_P0_MS: 'soon' },
      });
      expect(await exitCode(failed)).toBe(1);
      expect(failed.lines).toEqual([expect.stringMatching(/POLL_P0_MS is "soon"; allowed: .*milliseconds/)]);
    },
  );

  scenario(
    '[disk-full] (needs root and mount, for a disk of its own) says that the disk is full, answers on, and goes on by itself when there is room',
    async (place) => {
      const disk = join(place.dataDir, 'disk');
      await mkdir(disk);
      await run('mount', ['-t', 'tmpfs', '-o', 'size=200m', 'tmpfs', disk]);
      try {
        await place.start({ POLL_P0_MS: '200' }, disk);
        const before = await eventually(place.getBanks);
        await fillDisk(disk);
        await eventually(async () => expect(await place.reasons()).toMatch(/disk is full|No space left/i));
        expect(place.app?.child.exitCode).toBeNull();
        await rm(join(disk, 'ballast'));
        await eventually(async () => {
          await getJson(`${place.app?.baseUrl}/readyz`);
          expect((await place.getBanks()).as_of.slot).toBeGreaterThan(before.as_of.slot);
        });
      } finally {
        await place.stop();
        await run('umount', ['-l', disk]);
      }
    },
    it.skipIf(!canMount && process.env.CI !== 'true'),
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
