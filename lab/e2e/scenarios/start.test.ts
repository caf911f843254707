import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT, startEmbedded } from '@lending/testing';
import { Client as NewClient, StreamableHTTPClientTransport as NewTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { EAGER_SETTINGS } from '../src/cluster/cluster.ts';
import { type Demo, useDemo } from '../src/cluster/demo.ts';
import { eventually } from '../src/eventually.ts';
import { getJson } from '../src/http.ts';
import type { BanksReply } from '../src/replies.ts';

const run = promisify(execFile);

// As who runs it has it: not bundled.
beforeAll(() => void vi.stubEnv('BUNDLED_PROGRAMS', ''));
afterAll(() => void vi.unstubAllEnvs());

const ENV = { ...EAGER_SETTINGS, LOG_LEVEL: 'info' };

describe('npm start, the demo chain', () => {
  const demo = useDemo('start', ENV);
  const getBanks = () => getJson<BanksReply>(`${demo.url}/v1/banks?limit=500&response_format=detailed`);

  it('[start-serves-banks] serves at least twelve banks of five venues with prices, and with rates but on Drift', async () => {
    const reply = await eventually(async () => {
      const found = await getBanks();
      // Rates and prices come on topics of their own, and either may be there first.
      const known = found.banks.filter(
        ({ venue, rates, price_usd }) => (venue === 'Drift' || rates.utilization_pct != null) && price_usd != null,
      );
      if (known.length < found.banks.length || known.length < 12) throw new Error('not sampled yet');
      return found;
    });
    expect(reply.count).toBeGreaterThanOrEqual(12);
    expect(new Set(reply.banks.map(({ venue }) => venue))).toEqual(
      new Set(['P0', 'Kamino', 'JupLend', 'Solend', 'Drift']),
    );
    expect(reply.as_of).toMatchObject({ source: 'localnet', stale: false });
    for (const bank of reply.banks) {
      expect(bank.price_usd).toBeGreaterThan(0);
      // Drift does no business: nobody earns what its curve says. Staked collateral is lent to nobody.
      if (bank.venue === 'Drift') expect(bank.rates.total_deposit_apy_pct).toBeNull();
      else if (bank.asset_tag === 'Staked') expect(bank.rates.total_deposit_apy_pct).toBe(0);
      else expect(bank.rates.total_deposit_apy_pct).toBeGreaterThan(0);
    }
  });

  it('[start-says-what-to-try] prints URLs, chain and slot, a wallet, and three calls that work', async () => {
    const banner = demo.app.lines.join('\n');
    expect(banner).toMatch(/MCP\s+http:\/\/127\.0\.0\.1:\d+\/mcp/);
    expect(banner).toMatch(/slot \d+/);
    expect(banner).toMatch(/wallet\s+[1-9A-HJ-NP-Za-km-z]{32,44}/);
    const calls = demo.app.lines.map((line) => line.trim()).filter((line) => line.startsWith('curl '));
    expect(calls).toHaveLength(3);
    for (const call of calls) {
      const { stdout } = await run('bash', ['-c', `${call} --fail-with-body`]);
      expect(stdout).toMatch(/"(banks|points|columns)"/);
    }
  });

  it('[rates-follow-slots] changes rates as slots pass', async () => {
    const first = await getBanks();
    const later = await eventually(async () => {
      const found = await getBanks();
      if (found.as_of.slot <= first.as_of.slot) throw new Error('no newer slot yet');
      if (ratesOf(found) === ratesOf(first)) throw new Error('rates stand still');
      return found;
    });
    expect(later.as_of.slot).toBeGreaterThan(first.as_of.slot);
  });

  it('[mcp-both-generations] gives the same banks to clients of both generations', async () => {
    const old = new OldClient({ name: 'old', version: '1' });
    await old.connect(new OldTransport(new URL(`${demo.url}/mcp`)) as Parameters<OldClient['connect']>[0]);
    const recent = new NewClient({ name: 'recent', version: '1' });
    await recent.connect(new NewTransport(new URL(`${demo.url}/mcp`)));
    // Page by page: an answer has no more than fits into its tokens.
    const addressesBy = async (ask: (args: Record<string, unknown>) => Promise<object>) => {
      const addresses: string[] = [];
      for (let cursor: string | null | undefined = null; cursor !== undefined; ) {
        const result = await ask({ limit: 20, ...(cursor === null ? {} : { cursor }) });
        const page = (result as { structuredContent: BanksReply & { next_cursor: string | null } }).structuredContent;
        addresses.push(...page.banks.map(({ address }) => address));
        cursor = page.next_cursor ?? undefined;
      }
      return addresses.sort();
    };
    const rest = (await getBanks()).banks.map(({ address }) => address).sort();
    const name = 'svc_get_banks';
    // A rate that moves between two pages moves its bank over the edge between them.
    await eventually(async () => {
      expect(await addressesBy((args) => old.callTool({ name, arguments: args }))).toEqual(rest);
      expect(await addressesBy((args) => recent.callTool({ name, arguments: args }))).toEqual(rest);
    }, 10_000);
    await Promise.all([old.close(), recent.close()]);
  });

  it('[second-instance] refuses a second start on the same data and does not disturb the first', async () => {
    await expect(startEmbedded({ dataDir: demo.dataDir, env: ENV })).rejects.toThrow(
      /RUNTIME__INSTANCE_INVALID|already runs/,
    );
    expect((await getBanks()).count).toBeGreaterThanOrEqual(12);
  });

  it('[kill-loses-nothing] loses and doubles nothing over kill -9 and a restart', async () => {
    const before = await getBanks();
    const messagesBefore = await countMessages(demo);
    await demo.app.kill();
    await demo.start(ENV);
    await eventually(async () => {
      const after = await getBanks();
      if (after.as_of.slot <= before.as_of.slot)
        throw new Error(`slot ${after.as_of.slot} is not above ${before.as_of.slot}`);
    });
    // Reads move on while samples arrive, so messages and rows are compared in one snapshot, at the projected offset.
    const counted = await countMessages(demo);
    expect(counted.messages).toBeGreaterThanOrEqual(messagesBefore.messages);
    expect(counted.rows).toBe(counted.projected);
  });

  it('[stop-is-clean] stops with code 0, leaves no process behind, and goes on with the same data', async () => {
    const before = await getBanks();
    const pid = await postmasterPid(demo);
    expect(await demo.app.stop()).toBe(0);
    expect(isAlive(pid)).toBe(false);
    await demo.start(ENV);
    const after = await getBanks();
    expect(after.as_of.slot).toBeGreaterThanOrEqual(before.as_of.slot);
  });

  it('[reset-clears] removes the data', async () => {
    await demo.app.stop();
    await run(process.execPath, ['embedded/src/reset.ts'], {
      cwd: ROOT,
      env: { ...process.env, DATA_DIR: demo.dataDir },
    });
    expect(existsSync(join(demo.dataDir, 'postgres'))).toBe(false);
    expect(existsSync(join(demo.dataDir, 'chain'))).toBe(false);
    await demo.start(ENV);
    await eventually(getBanks);
  });
});

function ratesOf(reply: BanksReply): string {
  return JSON.stringify(reply.banks.map(({ address, rates }) => [address, rates.interest_borrow_apy_pct]).sort());
}

/** Messages in the log, those of them below the projected offsets, and rows written from them. */
async function countMessages(demo: Demo) {
  const [counts] = await demo.query<{ messages: string; projected: string; rows: string }>(`
    with sample as (
      select m.key, m.value::jsonb ->> 'slot' as slot, m.log_offset, p.partition
      from log_message m join log_partition p on p.id = m.partition_id
      where p.topic = 'rate.sampled.v1')
    select
      (select count(*) from sample) as messages,
      (select count(distinct (s.key, s.slot))
         from sample s join consumer_offset o
           on o.topic = 'rate.sampled.v1' and o.partition = s.partition and s.log_offset < o.next_offset) as projected,
      (select count(*) from rate_sample) as rows`);
  return { messages: Number(counts?.messages), projected: Number(counts?.projected), rows: Number(counts?.rows) };
}

async function postmasterPid(demo: Demo): Promise<number> {
  const [row] = await demo.query<{ data_directory: string }>('show data_directory');
  return Number.parseInt(await readFile(join(row?.data_directory ?? '', 'postmaster.pid'), 'utf8'), 10);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
