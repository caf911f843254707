import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { openLocalnet } from '@lending/localnet';
import { createDataDir, findFreePort, type RunningProcess, spawnProcess } from '@lending/testing';
import { describe, expect, it } from 'vitest';
import { Demo } from '../src/cluster/demo.ts';
import { Opened } from '../src/cluster/opened.ts';
import { eventually } from '../src/eventually.ts';
import { CAN_MOUNT, openDisk } from '../src/faults/disk.ts';
import { GROUP, SOL_BANK, USDC_BANK, writeGenesisFolder } from '../src/genesis-folder.ts';
import { getJson } from '../src/http.ts';
import type { BanksReply, NotReadyReply } from '../src/replies.ts';

const reasonsOf = async ({ url }: Demo): Promise<string> => {
  const { details } = await getJson<NotReadyReply>(`${url}/readyz`, 503);
  return details.reasons.map(({ component, reason }) => `${component}: ${reason}`).join('\n');
};
const banksOf = ({ url }: Demo) => getJson<BanksReply>(`${url}/v1/banks?response_format=detailed`);
const warningsOf = ({ app }: Demo) => app.lines.filter((line) => /"level":"(warn|error)"/.test(line));

/** A genesis folder that is removed in the end. */
async function makeGenesis(opened: Opened, ...given: Parameters<typeof writeGenesisFolder>): Promise<string> {
  const folder = await writeGenesisFolder(...given);
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Starts one that is expected to end by itself. @returns the exit code, and what it printed but for its progress. */
async function startInVain(env: Readonly<Record<string, string>>) {
  const entry = 'embedded/src/main.ts';
  const failed = spawnProcess({ entry, env: { API_PORT: '0', LOCALNET_PORT: '0', LOG_LEVEL: 'error', ...env } });
  const code = await exitCode(failed);
  return [code, failed.lines.filter((line) => !line.endsWith('…'))];
}

/** Tries something with a service of its own, which waits beside the others. */
function scenario(title: string, test: (demo: Demo, opened: Opened) => Promise<void>, on: typeof it.only = it) {
  on(title, async () => {
    const opened = new Opened();
    try {
      await test(opened.keep(new Demo('fault')), opened);
    } finally {
      await opened.stop();
    }
  });
}

const sampled = (reply: BanksReply) => reply.banks.filter(({ rates }) => rates.utilization_pct != null);

describe.concurrent('what goes wrong', () => {
  scenario(
    '[rpc-unreachable] waits for an RPC node that does not answer, says so, and recovers when it does',
    async (demo, opened) => {
      const port = await findFreePort();
      await demo.start({ SOLANA_RPC_URL: `http://127.0.0.1:${port}`, POLL_P0_MS: '500' });
      expect(demo.app.lines.join('\n')).toMatch(/not ready: .*127\.0\.0\.1/);
      expect(await reasonsOf(demo)).toMatch(/chain: CHAIN__RPC_UNAVAILABLE.*127\.0\.0\.1/);
      expect(warningsOf(demo)).toEqual([expect.stringMatching(/chain\.endpoint\.fail/)]);

      const localnet = opened.keep(await openLocalnet({ genesis: { kind: 'demo' }, port }));
      await localnet.start();
      await eventually(async () => {
        expect(sampled(await banksOf(demo)).length).toBeGreaterThan(0);
        await getJson(`${demo.url}/readyz`);
      });
    },
  );

  scenario('[wrong-owner] names a group that belongs to another program, and goes on trying', async (demo, opened) => {
    const stranger = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
    const folder = await makeGenesis(opened, [GROUP, USDC_BANK], (dump) =>
      dump.address === GROUP ? { ...dump, owner: stranger } : dump,
    );
    await demo.start({ LOCALNET_GENESIS: folder, POLL_P0_MS: '500' });
    const reason = await eventually(async () => {
      const text = await reasonsOf(demo);
      expect(text).toContain('DECODE__OWNER_MISMATCH');
      return text;
    });
    expect(reason).toContain(GROUP);
    expect(reason).toContain(stranger);
    expect(warningsOf(demo).filter((line) => line.includes('rate.sample.fail'))).toHaveLength(1);
    expect(demo.app.child.exitCode).toBeNull();
  });

  scenario(
    '[truncated-account] leaves out a bank that is cut short, by name, and serves the others',
    async (demo, opened) => {
      const folder = await makeGenesis(opened, [GROUP, USDC_BANK, SOL_BANK], (dump) => {
        if (dump.address !== SOL_BANK) return dump;
        const data = Buffer.from(dump.data[0], 'base64').subarray(0, 1000);
        return { ...dump, space: data.length, data: [data.toString('base64'), 'base64'] };
      });
      await demo.start({ LOCALNET_GENESIS: folder, POLL_P0_MS: '500' });
      const reply = await eventually(async () => {
        const found = await banksOf(demo);
        expect(found.coverage.banks_skipped).toHaveLength(1);
        expect(sampled(found)).toHaveLength(1);
        return found;
      });
      expect(reply.banks.map(({ address }) => address)).toEqual([USDC_BANK]);
      expect(reply.coverage).toMatchObject({ complete: false, banks_skipped: [{ bank: SOL_BANK }] });
      expect(reply.coverage.banks_skipped[0]?.reason).toBe('account_malformed');
      expect(warningsOf(demo).filter((line) => line.includes('bank.account.reject'))).toEqual([
        expect.stringContaining('1000 bytes'),
      ]);
    },
  );

  scenario(
    '[chains-stay-apart] goes on above the old slots when the local chain is lost, and refuses the data of another chain in one line',
    async (demo, opened) => {
      await demo.start({ POLL_P0_MS: '300' });
      const before = await eventually(async () => {
        const found = await banksOf(demo);
        expect(sampled(found).length).toBeGreaterThan(0);
        return found;
      });
      await demo.app.stop();
      await rm(join(demo.dataDir, 'chain'), { recursive: true });
      await demo.start({ POLL_P0_MS: '300' });
      await eventually(async () => expect((await banksOf(demo)).as_of.slot).toBeGreaterThan(before.as_of.slot));
      await demo.app.stop();
      const folder = await makeGenesis(opened, [GROUP, USDC_BANK], (dump) => dump);
      expect(await startInVain({ DATA_DIR: demo.dataDir, LOCALNET_GENESIS: folder })).toEqual([
        1,
        [expect.stringMatching(/STORE__CHAIN_MISMATCH.*npm run reset/)],
      ]);
    },
  );

  scenario('[port-taken] ends with one line that names the port', async (_demo, opened) => {
    const holder = createServer();
    await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
    opened.defer(() => holder.close());
    const { port } = holder.address() as { port: number };
    const dataDir = await makeFolder(opened);
    const said = [expect.stringMatching(new RegExp(`RUNTIME__PORT_UNAVAILABLE.*${port}`))];
    expect(await startInVain({ DATA_DIR: dataDir, API_PORT: String(port) })).toEqual([1, said]);
  });

  scenario(
    '[setting-wrong] ends with one line that names the variable, the value and what is allowed',
    async (_demo, opened) => {
      const said = [expect.stringMatching(/POLL_P0_MS is "soon"; allowed: .*milliseconds/)];
      expect(await startInVain({ DATA_DIR: await makeFolder(opened), POLL_P0_MS: 'soon' })).toEqual([1, said]);
    },
  );

  scenario(
    '[disk-full] (needs root and mount, for a disk of its own) says that the disk is full, answers on, and goes on by itself when there is room',
    async (_demo, opened) => {
      const disk = opened.keep(await openDisk('full', 200));
      const demo = opened.keep(new Demo('full', disk.folder));
      await demo.start({ POLL_P0_MS: '200' });
      const before = await eventually(() => banksOf(demo));
      await disk.fill();
      await eventually(async () => expect(await reasonsOf(demo)).toMatch(/disk is full|No space left/i));
      expect(demo.app.child.exitCode).toBeNull();
      await disk.makeRoom();
      await eventually(async () => {
        await getJson(`${demo.url}/readyz`);
        expect((await banksOf(demo)).as_of.slot).toBeGreaterThan(before.as_of.slot);
      });
    },
    it.skipIf(!CAN_MOUNT && process.env.CI !== 'true'),
  );
});

async function makeFolder(opened: Opened): Promise<string> {
  const folder = await createDataDir('fault');
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

function exitCode({ child }: Pick<RunningProcess, 'child'>): Promise<number | null> {
  if (child.exitCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((resolve) => child.once('close', resolve));
}
