import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTokenCommand } from '@lending/api/tokens';
import { type OpenedLocalnet, openLocalnet } from '@lending/localnet';
import { useDatabase } from '@lending/store/testing';
import { isKafkaMissing, KAFKA_NEEDS, type KafkaBroker, startKafkaBroker } from '@lending/testing';
import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { openConversation } from '../src/clients/issue-token.ts';
import { Cluster, type Service } from '../src/cluster/cluster.ts';
import { useOpened } from '../src/cluster/opened.ts';
import { untilEachSampleHasItsRow } from '../src/cluster/published-samples.ts';
import { startTraffic, type Traffic } from '../src/cluster/traffic.ts';
import { eventually } from '../src/eventually.ts';
import { getJson } from '../src/http.ts';
import type { BanksReply } from '../src/replies.ts';
import { untilEqualToChain } from '../src/tables/chain-truth.ts';
import { query } from '../src/tables/query.ts';
import { askersOf, BUILT, postOf, RECORDED } from '../src/upgrade/askers.ts';
import { checkOutPrevious } from '../src/upgrade/previous-version.ts';

/** How often each is answered while both versions work beside each other, and while each part that then takes over does. */
const BESIDE = 25;
const AFTER = 5;
/** Between two questions of one who asks. */
const PAUSE_MS = 20;
const isSkipped = await isKafkaMissing();

describe.skipIf(isSkipped)(`the version before beside this one (a Kafka broker ${KAFKA_NEEDS})`, () => {
  const database = useDatabase();
  const opened = useOpened();
  const plans = new Map<string, string>();
  let broker: KafkaBroker;
  let localnet: OpenedLocalnet;
  let cluster: Cluster;
  let traffic: Traffic;
  /** Entries of the conversation of the caller with a token. */
  let recorded: () => Promise<number>;
  let appliedBefore: readonly string[];
  let setAside = 0;

  const start = (version: 'previous' | 'this', service: Service, root?: string) =>
    cluster.start(service, { name: `${version} ${service}`, ...(root !== undefined && { root }) });
  const urlAt = (version: string, service: Service = 'api') => cluster.urlOf(`${version} ${service}`);

  async function stop(version: string, service: Service): Promise<void> {
    if (service === 'indexer') setAside += await countSetAside(urlAt(version, service));
    expect(await cluster.stopOne(`${version} ${service}`), `${version} ${service}`).toBe(0);
  }

  /** Resolves once an api is ready and has banks with rates of now. */
  const ready = (version: string) =>
    eventually(async () => {
      await getJson(`${urlAt(version)}/readyz`);
      const { banks } = await getJson<BanksReply>(`${urlAt(version)}/v1/banks`);
      expect(banks.filter(({ rates }) => rates.utilization_pct !== null).length).toBeGreaterThanOrEqual(12);
    });

  const listMigrations = async (): Promise<string[]> => {
    const rows = await query<{ name: string }>(database, `select name from schema_migration order by name`);
    return rows.map(({ name }) => name);
  };

  const countSamples = async (): Promise<number> => {
    const [row] = await query<{ count: number }>(database, 'select count(*)::integer as count from rate_sample');
    return row?.count ?? 0;
  };

  /** Somebody reads the tables and keeps others from changing them, until who wants to gave up waiting once. */
  async function holdUpMigrations(): Promise<void> {
    const client = new pg.Client({ connectionString: database.connectionString });
    await client.connect();
    await client.query('begin; select from bank; select from account; lock table schema_migration in share mode');
    const waiting = () =>
      query<object>(
        database,
        `select from pg_locks where not granted and relation = any (array['schema_migration', 'bank', 'account']::regclass[])`,
      );
    await eventually(async () => expect(await waiting()).not.toEqual([]), 180_000, 20);
    await eventually(async () => expect(await waiting()).toEqual([]), 180_000, 20);
    await client.end();
  }

  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'upgrade-'));
    opened.defer(() => rm(folder, { recursive: true, force: true }));
    const previous = join(folder, 'previous');
    await mkdir(previous);
    const { newest } = await checkOutPrevious(previous);
    broker = opened.keep(await startKafkaBroker());
    localnet = opened.keep(await openLocalnet({ genesis: { kind: 'demo' }, transactionsPerSecond: 4 }));
    await localnet.start();
    const { rpcUrl, wsUrl } = localnet;
    cluster = opened.keep(
      new Cluster({
        kafka: broker.brokers[0] ?? '',
        databaseUrl: database.connectionString,
        rpcUrl,
        wsUrl,
        // The chain is in this process, which a busy machine holds up for longer than any node of the network.
        settings: { POLL_P0_MS: '500', RPC_TIMEOUT_MS: '60000' },
      }),
    );
    await query(database, 'drop schema public cascade; create schema public');

    await start('previous', 'api', previous);
    await Promise.all([start('previous', 'indexer', previous), start('previous', 'rate-poller', previous)]);
    await ready('previous');
    appliedBefore = await listMigrations();
    expect(appliedBefore.at(-1)?.slice(0, 4)).toBe(newest);

    const { result } = await runTokenCommand(database.db, ['create', 'upgrade']);
    const token = result[0] ?? '';
    const conversation = await openConversation(urlAt('previous'), token);
    const [bank] = await query<{ address: string }>(database, 'select address from bank limit 1');
    let asked = ['previous'];
    const askers = askersOf({
      urls: () => asked.map((version) => urlAt(version)),
      wallets: localnet.wallets.map(({ address }) => address),
      bank: bank?.address ?? '',
      token,
      conversation,
      plans,
    });
    traffic = opened.keep(startTraffic(askers.map((asker) => ({ ...asker, everyMs: PAUSE_MS }))));
    /** From here on these versions are asked; resolves when each was answered so often, and nothing is under way at another. */
    const answered = async (versions: readonly string[], times: number) => {
      asked = [...versions];
      for (let time = 0; time < times && traffic.failures.length === 0; time += 1) await traffic.untilAsked(askers);
    };

    // This version brings the tables up to date while the one before reads, writes and answers.
    await Promise.all([holdUpMigrations(), start('this', 'api')]);
    await Promise.all([start('this', 'indexer'), start('this', 'rate-poller')]);
    await ready('this');
    await answered(['previous', 'this'], BESIDE);
    await ready('previous');

    // The poller that samples is the older one's still: it is followed by whoever is next.
    await stop('previous', 'rate-poller');
    const samples = await countSamples();
    await Promise.all([
      answered(['previous', 'this'], AFTER),
      eventually(async () => expect(await countSamples()).toBeGreaterThan(samples + 30)),
    ]);
    await stop('previous', 'indexer');
    await answered(['this'], AFTER);
    await stop('previous', 'api');
    await ready('this');
    await answered(['this'], AFTER);
    await traffic.stop();
    recorded = async () => {
      const headers = { authorization: `Bearer ${token}` };
      const found = await fetch(`${urlAt('this')}/v1/conversations/${conversation}`, { headers });
      return ((await found.json()) as { entry_count: number }).entry_count;
    };

    localnet.rest();
    await stop('this', 'rate-poller');
  });

  it('[upgrade-tables] brings the tables up to date while the version before works on them', async () => {
    const applied = await listMigrations();
    expect(applied.slice(0, appliedBefore.length)).toEqual(appliedBefore);
    expect(applied.length).toBeGreaterThan(appliedBefore.length);
  });

  it('[upgrade-reads] answers everything that is asked meanwhile, at both versions', () => {
    expect(traffic.failures).toEqual([]);
    expect([...traffic.counts.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThan(200);
  });

  it('[upgrade-writes] loses nothing that was written: plans, conversations, samples', async () => {
    expect(plans.size).toBeGreaterThan(20);
    expect(traffic.counts.get(BUILT)).toBe(plans.size);
    const wallets = localnet.wallets.map(({ address }) => address as string);
    for (const [key, plan] of plans) {
      const [row] = await query<{ authority: string }>(database, 'select authority from plan where id = $1', [plan]);
      expect(wallets).toContain(row?.authority);
      const again = await fetch(`${urlAt('this')}/v1/tx/create-account`, postOf(row?.authority ?? '', key));
      // On a slow machine its blockhash has run out: the plan is built again, and says so.
      const answer = (await again.json()) as { readonly plan_id?: string; readonly rebuilt?: boolean };
      expect(answer.rebuilt === true || answer.plan_id === plan, JSON.stringify(answer).slice(0, 300)).toBe(true);
    }
    expect(traffic.counts.get(RECORDED)).toBeGreaterThan(20);
    // An entry is written beside its answer, and may come after it.
    await expect.poll(recorded).toBe(traffic.counts.get(RECORDED));
    await untilEachSampleHasItsRow(broker, database, 100);
  });

  it('[upgrade-messages] reads at each version what the other published', async () => {
    expect(setAside + (await countSetAside(urlAt('this', 'indexer')))).toBe(0);
  });

  it('[upgrade-chain] ends with what is on the chain', async () => {
    await untilEqualToChain(database, localnet);
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
