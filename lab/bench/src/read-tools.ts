import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDataDir, RAISED_RATE_LIMITS, startEmbedded, startProcess } from '@lending/testing';
import { Client } from 'pg';
import { argumentOf } from './measure/config.ts';
import { residentMb } from './measure/process.ts';
import { type Percentiles, percentilesOf, rounded } from './measure/statistics.ts';
import { tableBytes } from './measure/table-bytes.ts';
import { figure, once, printResult } from './report/result.ts';

/**
 * The four read tools about accounts over REST, with 100,000 lending accounts indexed from the local chain and a million activities in the
 * tables. Chain, service and api are processes of their own: the one-process shape indexes, the api answers from the same database, and its
 * memory and its times are what is measured. Prints a JSON line. `--accounts 1000 --activities 10000` for a quick look.
 */
/** What users were promised once; memory has a benchmark of its own. */
const P95 = { of: 'ours', is: 'atMost', value: 25 } as const;
const ACCOUNTS = argumentOf('--accounts', 100_000);
const ACTIVITIES = argumentOf('--activities', 1_000_000);
const REQUESTS = argumentOf('--requests', 2_000);
/** Questions under way at once. */
const CALLERS = 2;

const chain = await startProcess({
  entry: 'lab/bench/src/crowded-chain.ts',
  arguments: ['--accounts', `${ACCOUNTS}`],
  env: {},
  readyLine: /(http:\/\/127\.0\.0\.1:\d+)/,
});
const dataDir = await createDataDir('bench-reads');
const indexingFrom = performance.now();
const service = await startEmbedded({
  dataDir,
  env: {
    SOLANA_RPC_URL: chain.baseUrl,
    CHAIN_SOURCE: 'localnet',
    INDEX_SCOPE: 'all',
    // Everybody's past is read, so that nobody has to be followed.
    INDEX_PAST_DAYS: '3650',
    LOG_LEVEL: 'warn',
  },
});
let embeddedPeakMb = 0;
const watching = setInterval(() => {
  embeddedPeakMb = Math.max(embeddedPeakMb, residentMb(service.child.pid));
}, 250);
const connectionString = await readFile(join(dataDir, 'database-url'), 'utf8');
const client = new Client({ connectionString });
await client.connect();
try {
  await untilIndexed();
  const indexedSeconds = rounded((performance.now() - indexingFrom) / 1_000);
  await fillActivity();
  const embeddedMb = residentMb(service.child.pid);
  const api = await startProcess({
    entry: 'services/api/src/main.ts',
    // Nothing is built here: no node is asked for anything but the banks, ahead.
    env: {
      API_PORT: '0',
      ...RAISED_RATE_LIMITS,
      DATABASE_URL: connectionString,
      SOLANA_RPC_URL: 'http://127.0.0.1:1',
      LOG_LEVEL: 'info',
    },
    readyLine: /"port":(\d+).*api\.server\.listen/,
  });
  try {
    const baseUrl = `http://127.0.0.1:${api.baseUrl}`;
    const subjects = await chooseSubjects();
    const tools = {
      svc_get_positions: (nth: number) => `/v1/account/${subjects[nth]?.authority}`,
      svc_get_health: (nth: number) => `/v1/health/${subjects[nth]?.account}`,
      svc_get_activity: (nth: number) => `/v1/activity/${subjects[nth]?.authority}`,
      svc_get_wallet: (nth: number) => `/v1/wallet/${subjects[nth % 20]?.authority}`,
    };
    const results: Record<string, Percentiles> = {};
    for (const [tool, pathOf] of Object.entries(tools)) results[tool] = await measure(baseUrl, pathOf);
    const apiMb = residentMb(api.child.pid);
    const figures = Object.entries(results).map(([tool, { p95Ms, failed }]) =>
      // What failed is no fast answer.
      figure({
        goal: null,
        what: `p95 of ${tool}`,
        unit: 'ms',
        ours: once(failed === 0 ? p95Ms : Number.NaN),
        bound: P95,
      }),
    );
    const bytesOfActivity = (await tableBytes(connectionString, ['activity', 'activity_leg'])) / ACTIVITIES;
    const bytesOfAccount = (await tableBytes(connectionString, ['account', 'balance'])) / ACCOUNTS;
    figures.push(
      figure({
        goal: null,
        what: 'a lending account with its balances in the tables, indexes included',
        unit: 'bytes',
        ours: once(bytesOfAccount),
      }),
      figure({
        goal: null,
        what: 'an activity with a leg in the tables, indexes included',
        unit: 'bytes',
        ours: once(bytesOfActivity),
      }),
    );
    printResult('read tools about accounts', figures, {
      accounts: ACCOUNTS,
      activities: ACTIVITIES,
      balances: await countOf('balance'),
      indexedSeconds,
      tools: results,
      memoryMb: { api: apiMb, embedded: embeddedMb, embeddedPeak: embeddedPeakMb },
    });
  } finally {
    await api.stop();
  }
} finally {
  clearInterval(watching);
  await client.end();
  await service.stop();
  await chain.stop();
}

async function untilIndexed(): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ count: number; complete: boolean | null }>(
      `select (select count(*)::int from account) as count, (select is_complete from index_progress where task = 'accounts') as complete`,
    );
    const [row] = rows;
    if (row?.complete === true && row.count >= ACCOUNTS) return;
    await sleep(1_000);
  }
}

/** As many activities as asked for, of the accounts there are; half of them belong to a tenth of the accounts. */
async function fillActivity(): Promise<void> {
  await client.query(`
    create temporary table subject as
      select row_number() over (order by address) - 1 as nth, address, authority from account where not is_closed;
    create temporary table market as select row_number() over (order by address) - 1 as nth, address, mint from bank;
  `);
  await client.query(
    `
    insert into activity (
      key, slot, time, fee_lamports, tip_lamports, instruction_index, kind, account, authority, signature
    )
    select
      md5('made' || step || ':2')::uuid,
      449000000 - step,
      now() - step * interval '2 seconds',
      5000,
      0,
      2,
      (array['deposit', 'withdraw', 'borrow', 'repay'])[1 + step % 4],
      subject.address,
      subject.authority,
      'made' || md5(step::text) || md5((step + 1)::text)
    from generate_series(1, $1::int) as step
    join subject on subject.nth = case
      when step % 2 = 0 then (step * 7919::bigint) % (select count(*) from subject)
      else (step * 7919::bigint) % greatest((select count(*) from subject) / 10, 1)
    end`,
    [ACTIVITIES],
  );
  await client.query(`
    insert into activity_leg (activity, slot, leg, closes_side, action, bank, mint, amount_base)
    select activity.key, activity.slot, 0, false, activity.kind, market.address, market.mint, 1000000 + activity.slot % 1000000
    from activity join market on market.nth = activity.slot % (select count(*) from market)
    where activity.signature like 'made%'
  `);
  await client.query('vacuum analyze');
}

async function chooseSubjects() {
  const { rows } = await client.query<{ account: string; authority: string }>(
    `select address as account, authority from account where not is_closed and authority is not null
     order by md5(address) limit $1`,
    [REQUESTS],
  );
  return rows;
}

/** Every question once, a few at a time, after some to warm up. */
async function measure(baseUrl: string, pathOf: (nth: number) => string) {
  for (let nth = 0; nth < 100; nth += 1) await ask(`${baseUrl}${pathOf(nth % REQUESTS)}`);
  const ms: number[] = [];
  let [next, failed] = [0, 0];
  const call = async (): Promise<void> => {
    for (let nth = next++; nth < REQUESTS; nth = next++) {
      const from = performance.now();
      if (await ask(`${baseUrl}${pathOf(nth)}`)) ms.push(performance.now() - from);
      else failed += 1;
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, call));
  return percentilesOf(ms, failed);
}

async function ask(url: string): Promise<boolean> {
  const response = await fetch(url);
  await response.arrayBuffer();
  return response.status === 200;
}

async function countOf(table: 'balance'): Promise<number> {
  const { rows } = await client.query<{ count: number }>(`select count(*)::int as count from ${table}`);
  return rows[0]?.count ?? 0;
}
