import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTokenCommand } from '@lending/api/tokens';
import { type OpenedLocalnet, openLocalnet } from '@lending/localnet';
import {
  isKafkaMissing,
  KAFKA_NEEDS,
  type KafkaBroker,
  RAISED_RATE_LIMITS,
  ROOT,
  type RunningProcess,
  startKafkaBroker,
  startProcess,
  useDatabase,
} from '@lending/testing';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { differencesFromChain } from '../src/chaos/chain-truth.ts';
import { eventually } from '../src/eventually.ts';
import { type FollowedSamples, followSamples } from '../src/follow-samples.ts';
import { getJson } from '../src/http.ts';
import { READY_LINE, type Service, urlOf } from '../src/services.ts';
import { postOf, startConstantUse, type Used } from '../src/upgrade/constant-use.ts';
import { checkOutPrevious } from '../src/upgrade/previous-version.ts';

/** What is answered at both versions while they work beside each other, and by each part that then takes over. */
const BESIDE = { reads: 250, plans: 25, recorded: 25 };
const AFTER = { reads: 50, plans: 5, recorded: 5 };
const isSkipped = await isKafkaMissing();

describe.skipIf(isSkipped)(`the version before beside this one (a Kafka broker ${KAFKA_NEEDS})`, () => {
  const database = useDatabase();
  const running = new Map<string, RunningProcess>();
  let folder: string;
  let broker: KafkaBroker;
  let localnet: OpenedLocalnet;
  let used: Used;
  /** Entries of the conversation of the caller with a token. */
  let recorded: () => Promise<number>;
  let appliedBefore: readonly string[];
  let published: FollowedSamples;
  let setAside = 0;

  async function start(version: string, name: Service, root: string): Promise<RunningProcess> {
    const process = await startProcess({
      entry: `services/${name}/src/main.ts`,
      root,
      env: {
        ...RAISED_RATE_LIMITS,
        SOLANA_RPC_URL: localnet.rpcUrl,
        SOLANA_WS_URL: localnet.wsUrl,
        CHAIN_SOURCE: 'localnet',
        KAFKA_BROKERS: broker.brokers.join(','),
        DATABASE_URL: database.connectionString,
        PROBE_PORT: '0',
        API_PORT: '0',
        POLL_P0_MS: '500',
        // The chain is in this process, which a busy machine holds up for longer than any node of the network.
        RPC_TIMEOUT_MS: '60000',
      },
      readyLine: READY_LINE[name],
      timeoutMs: 120_000,
    });
    running.set(`${version} ${name}`, process);
    return process;
  }

  async function stop(version: string, name: Service): Promise<void> {
    if (name === 'indexer') setAside += await countSetAside(urlAt(version, name));
    expect(await running.get(`${version} ${name}`)?.stop(), `${version} ${name}`).toBe(0);
    running.delete(`${version} ${name}`);
  }

  function urlAt(version: string, name: Service = 'api'): string {
    const process = running.get(`${version} ${name}`);
    if (process === undefined) throw new Error(`${version} ${name} does not run`);
    return urlOf(process);
  }

  /** Resolves once an api is ready and has banks with rates of now. */
  const ready = (version: string) =>
    eventually(async () => {
      await getJson(`${urlAt(version)}/readyz`);
      const { banks } = await getJson<{ banks: { rates: { utilization_pct: number | null } }[] }>(
        `${urlAt(version)}/v1/banks`,
      );
      expect(banks.filter(({ rates }) => rates.utilization_pct !== null).length).toBeGreaterThanOrEqual(12);
    });

  const listMigrations = async (): Promise<string[]> => {
    const rows = await query<{ name: string }>(`select name from schema_migration order by name`);
    return rows.map(({ name }) => name);
  };

  const countSamples = async (): Promise<number> => {
    const [row] = await query<{ count: number }>('select count(*)::integer as count from rate_sample');
    return row?.count ?? 0;
  };

  async function query<R extends object>(text: string): Promise<R[]> {
    const client = new pg.Client({ connectionString: database.connectionString });
    await client.connect();
    try {
      return (await client.query<R>(text)).rows;
    } finally {
      await client.end();
    }
  }

  /** Somebody reads the tables and keeps others from changing them, until who wants to gave up waiting once. */
  async function holdUpMigrations(): Promise<void> {
    const client = new pg.Client({ connectionString: database.connectionString });
    await client.connect();
    await client.query('begin; select from bank; select from account; lock table schema_migration in share mode');
    const waiting = () =>
      query<object>(
        `select from pg_locks where not granted and relation = any (array['schema_migration', 'bank', 'account']::regclass[])`,
      );
    await eventually(async () => expect(await waiting()).not.toEqual([]), 180_000, 20);
    await eventually(async () => expect(await waiting()).toEqual([]), 180_000, 20);
    await client.end();
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'upgrade-'));
    const previous = join(folder, 'previous');
    await mkdir(previous);
    const { newest } = await checkOutPrevious(previous);
    [broker, localnet] = await Promise.all([
      startKafkaBroker(),
      openLocalnet({ genesis: { kind: 'demo' }, transactionsPerSecond: 4 }),
    ]);
    await localnet.start();
    await query('drop schema public cascade; create schema public');

    await start('previous', 'api', previous);
    await Promise.all([start('previous', 'indexer', previous), start('previous', 'rate-poller', previous)]);
    await ready('previous');
    appliedBefore = await listMigrations();
    expect(appliedBefore.at(-1)?.slice(0, 4)).toBe(newest);

    const { result } = await runTokenCommand(database.db, ['create', 'upgrade']);
    const token = result[0] ?? '';
    const authorization = `Bearer ${token}`;
    const opened = await fetch(`${urlAt('previous')}/v1/conversations`, {
      method: 'POST',
      headers: { authorization },
    });
    const { id } = (await opened.json()) as { id: string };
    const [bank] = await query<{ address: string }>('select address from bank limit 1');
    const use = startConstantUse([urlAt('previous')], {
      wallets: localnet.wallets.map(({ address }) => address),
      bank: bank?.address ?? '',
      token,
      conversation: id,
    });

    // This version brings the tables up to date while the one before reads, writes and answers.
    await Promise.all([holdUpMigrations(), start('this', 'api', ROOT)]);
    await Promise.all([start('this', 'indexer', ROOT), start('this', 'rate-poller', ROOT)]);
    await ready('this');
    await use.ask([urlAt('previous'), urlAt('this')]);
    await use.untilAnswered(BESIDE);
    await ready('previous');

    // The poller that samples is the older one's still: it is followed by whoever is next.
    await stop('previous', 'rate-poller');
    const samples = await countSamples();
    await Promise.all([
      use.untilAnswered(AFTER),
      eventually(async () => expect(await countSamples()).toBeGreaterThan(samples + 30)),
    ]);
    await stop('previous', 'indexer');
    await use.ask([urlAt('this')]);
    await stop('previous', 'api');
    await ready('this');
    await use.untilAnswered(AFTER);
    used = await use.stop();
    recorded = async () => {
      const found = await fetch(`${urlAt('this')}/v1/conversations/${id}`, { headers: { authorization } });
      return ((await found.json()) as { entry_count: number }).entry_count;
    };

    localnet.rest();
    await stop('this', 'rate-poller');
    published = await followSamples(broker);
  });

  afterAll(async () => {
    await published?.stop();
    await Promise.all([...running.values()].map((process) => process.stop()));
    await localnet?.stop();
    await broker?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('[upgrade-tables] brings the tables up to date while the version before works on them', async () => {
    const applied = await listMigrations();
    expect(applied.slice(0, appliedBefore.length)).toEqual(appliedBefore);
    expect(applied.length).toBeGreaterThan(appliedBefore.length);
  });

  it('[upgrade-reads] answers everything that is asked meanwhile, at both versions', () => {
    expect(used.failures).toEqual([]);
    expect(used.reads).toBeGreaterThan(200);
  });

  it('[upgrade-writes] loses nothing that was written: plans, conversations, samples', async () => {
    expect(used.plans.size).toBeGreaterThan(20);
    const wallets = localnet.wallets.map(({ address }) => address as string);
    for (const [key, plan] of used.plans) {
      const [row] = await query<{ authority: string }>(`select authority from plan where id = '${plan}'`);
      expect(wallets).toContain(row?.authority);
      const again = await fetch(`${urlAt('this')}/v1/tx/create-account`, postOf(row?.authority ?? '', key));
      // On a slow machine its blockhash has run out: the plan is built again, and says so.
      const answer = (await again.json()) as { readonly plan_id?: string; readonly rebuilt?: boolean };
      expect(answer.rebuilt === true || answer.plan_id === plan, JSON.stringify(answer).slice(0, 300)).toBe(true);
    }
    expect(used.recorded).toBeGreaterThan(20);
    // An entry is written beside its answer, and may come after it.
    await expect.poll(recorded).toBe(used.recorded);
    await eventually(async () => {
      const rows = await query<{ id: string }>(
        `select address || ':' || slot as id from rate_sample join rate_series on rate_series.id = series`,
      );
      expect(published.counts.size).toBeGreaterThan(100);
      expect(rows.map(({ id }) => id).sort()).toEqual([...published.counts.keys()].sort());
    });
  });

  it('[upgrade-messages] reads at each version what the other published', async () => {
    expect(setAside + (await countSetAside(urlAt('this', 'indexer')))).toBe(0);
  });

  it('[upgrade-chain] ends with what is on the chain', async () => {
    await eventually(async () => expect(await differencesFromChain(database, localnet)).toEqual([]), 180_000, 500);
  });
});

/** How many messages an indexer set aside since it began, because it could not read them. */
async function countSetAside(probes: string): Promise<number> {
  const text = await (await fetch(`${probes}/metrics`)).text();
  expect(text).toContain('project_message_write_total{');
  return [...text.matchAll(/^bus_message_bury_total\{[^}]*\} (\d+)$/gm)].reduce(
    (sum, [, count]) => sum + Number(count),
    0,
  );
}
