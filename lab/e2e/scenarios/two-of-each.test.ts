import { createChain } from '@lending/chain';
import { type OpenedLocalnet, openLocalnet } from '@lending/localnet';
import { useDatabase } from '@lending/store/testing';
import { isKafkaMissing, KAFKA_NEEDS, type KafkaBroker, startKafkaBroker } from '@lending/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { SERVICES } from '../src/cluster/cluster.ts';
import { type ApiHere, startApiHere, startIndexerHere } from '../src/cluster/in-process.ts';
import { useOpened } from '../src/cluster/opened.ts';
import { untilEachSampleHasItsRow } from '../src/cluster/published-samples.ts';
import { type Asker, startTraffic, type Traffic } from '../src/cluster/traffic.ts';
import { eventually } from '../src/eventually.ts';
import { type AskersOptions, createFreshness, mcpAsker, readersOf } from '../src/fleet/askers.ts';
import { type Balancer, startBalancer } from '../src/fleet/balancer.ts';
import { askForDeposit, type BuildAsker, createBuildAsker } from '../src/fleet/build-asker.ts';
import { banksOf, type ChainRecord, judgeSamples, recordChain } from '../src/fleet/chain-record.ts';
import { Fleet } from '../src/fleet/fleet.ts';
import { type Listener, startListener } from '../src/fleet/listener.ts';
import { USDC_BANK } from '../src/genesis-folder.ts';
import { connectLegacy, connectModern } from '../src/mcp-story/mcp-callers.ts';
import { standStill } from '../src/stand-still.ts';
import { untilEqualToChain } from '../src/tables/chain-truth.ts';
import { compareDumps, dumpTables } from '../src/tables/dump-tables.ts';
import { query } from '../src/tables/query.ts';

/** Longer than the balancer takes to notice. */
const DRAIN_MS = 3_000;
/** Of every api: one that calls data of a chain that stands still stale before another does answers otherwise. */
const STALE_LATE = { RATES_STALE_AFTER_MS: '600000', ACCOUNTS_STALE_AFTER_MS: '600000' };
const SETTINGS = {
  API_DRAIN_MS: String(DRAIN_MS),
  TRUSTED_PROXIES: '127.0.0.1',
  INDEX_SCOPE: 'all',
  POLL_P0_MS: '2000',
  STREAMS_MAX_PER_CLIENT: '50',
  // How fast the machine is shall not be judged: the chain, and all who ask, share one of its threads.
  RPC_TIMEOUT_MS: '30000',
  ...STALE_LATE,
};
const CHAIN = { genesis: { kind: 'demo' }, slotMs: 800, transactionsPerSecond: 4 } as const;
/** An instance may learn of what was written a moment after another: twenty seconds, on a machine that has much else to do. */
const MOST_SLOTS_BACK = 25;
/** A kill is noticed by the next probe, and by the first request that is refused. */
const UNNOTICED_MS = 3_000;
/** Percent are shown to so much. */
const SHOWN_PCT = 0.0001;
const WATCHED_ACCOUNTS = 12;
const isSkipped = await isKafkaMissing();

/** What only pollers and callers write, which the undisturbed indexer has none of. */
const NOT_INDEXED: ReadonlySet<string> = new Set([
  // Counts what each of the indexers and pollers had seen.
  'bank_audit',
  'bank_measure',
  'oracle_price',
  'rate_quarantine',
  'rate_sample',
  'rate_series',
  'rate_roll_up',
  'rate_hour',
  'rate_day',
  'reserve',
  'swap_quote',
  'venue_beat',
  // How far each is behind, and how its sources are: of two logs.
  'consumer_lag',
  'dead_topic',
  'source_status',
  'followed_address',
  'plan',
  'idempotency_key',
]);

describe.skipIf(isSkipped)(`three services, two of each (a Kafka broker ${KAFKA_NEEDS})`, () => {
  const calm = useDatabase();
  const tried = useDatabase();
  // Those first that are asked.
  const names = SERVICES.toReversed().flatMap((service) =>
    [1, 2].map((nth) => ({ name: `${service} ${nth}`, service })),
  );
  const opened = useOpened();
  let broker: KafkaBroker;
  let chain: OpenedLocalnet;
  let record: ChainRecord;
  let balancer: Balancer;
  let fleet: Fleet;
  let witness: ApiHere;
  let askers: AskersOptions;
  let traffic: Traffic;
  let readers: readonly Asker[];
  let builders: readonly BuildAsker[];
  let listeners: readonly Listener[] = [];
  let uncut: Listener;
  let allHearFrom = 0n;
  /** Of rates: at the witness, and through the balancer. */
  let heardRates: readonly Listener[] = [];

  beforeAll(async () => {
    broker = opened.keep(await startKafkaBroker());
    chain = opened.keep(await openLocalnet(CHAIN));
    await chain.start();
    const { ledger, rpcUrl, wsUrl } = chain;
    record = opened.keep(recordChain(ledger, banksOf(ledger)));
    const node = createChain({ rpcUrls: [rpcUrl], source: 'localnet' });
    opened.keep(await startIndexerHere(calm, node));
    balancer = opened.keep(await startBalancer());
    const { connectionString: databaseUrl } = tried;
    fleet = opened.keep(
      new Fleet({ kafka: broker.brokers[0] ?? '', databaseUrl, rpcUrl, wsUrl, settings: SETTINGS }, balancer),
    );
    // Two at a time: the chain, on this thread, answers what each reads of it first.
    for (const of of ['indexer', 'rate-poller', 'api'] as const)
      await Promise.all(names.map(({ name, service }) => (service === of ? fleet.add(name, service) : null)));
    witness = opened.keep(await startApiHere(tried, { chain: node, settings: STALE_LATE }));
    const accounts = await eventually(async () => {
      const found = await query<{ address: string; authority: string }>(
        tried,
        `select address, authority from account join (select account, count(*) from activity group by 1) as busy on account = address
           where not is_closed order by count desc, address limit ${WATCHED_ACCOUNTS}`,
      );
      if (found.length < WATCHED_ACCOUNTS) throw new Error(`${found.length} accounts did something`);
      return found;
    });
    const banks = banksOf(ledger).filter(({ venue }) => venue === 'p0');
    const freshness = createFreshness(MOST_SLOTS_BACK);
    askers = { url: balancer.url, ledger, record, freshness, accounts, banks: banks.map(({ address }) => address) };
    await eventually(async () => expect((await fetch(`${balancer.url}/v1/banks`)).status).toBe(200));
    const mcpUrl = new URL('/mcp', balancer.url);
    const callers = await Promise.all([connectLegacy(mcpUrl), connectModern(mcpUrl)]);
    opened.defer(() => Promise.allSettled(callers.map((caller) => caller.close())));
    builders = await Promise.all(['one', 'two'].map((name) => createBuildAsker(name, balancer.url, ledger, USDC_BANK)));
    const question = `activity=${accounts.map(({ address }) => address).join()}`;
    uncut = opened.keep(startListener(`${witness.url}/v1/stream?${question}`));
    listeners = [1, 2, 3, 4].map(() => opened.keep(startListener(`${balancer.url}/v1/stream?${question}`)));
    await Promise.all([uncut, ...listeners].map(({ begun }) => begun));
    // What is being written now one may take for history, and another for news.
    allHearFrom = ledger.slot('processed') + 1n;
    heardRates = [witness.url, balancer.url, balancer.url].map((url) =>
      opened.keep(startListener(`${url}/v1/stream?rates=banks`)),
    );
    readers = [...readersOf(askers), ...callers.map((caller) => mcpAsker(caller.revision ?? '', caller, askers))];
    traffic = opened.keep(startTraffic([...readers, ...builders]));
    await traffic.untilAsked(readers);
  });

  /** Nobody was told that something is not so, whoever was replaced and how. */
  function wrongAnswers(): readonly unknown[] {
    return traffic.failures.filter(({ reason }) => reason.startsWith('Error: wrong'));
  }

  async function findPlansAgain(): Promise<void> {
    for (const builder of builders) {
      const last = builder.accepted.at(-1);
      if (last === undefined) throw new Error(`nothing was built for ${builder.name}`);
      const again = await askForDeposit(balancer.url, last.body);
      expect([builder.name, again.plan_id]).toEqual([builder.name, last.planId]);
    }
  }

  it('[rolling-restart] answers everything, and nothing wrongly, while each process is replaced', async () => {
    for (const { name } of names) {
      const { code } = await fleet.restart(name);
      expect([name, code]).toEqual([name, 0]);
      await traffic.untilAsked(readers);
    }
    await findPlansAgain();
    const asked = [...traffic.counts.values()].reduce((sum, count) => sum + count, 0);
    expect(traffic.failures).toEqual([]);
    expect(balancer.lost).toEqual([]);
    expect(balancer.failed).toEqual([]);
    expect(listeners.flatMap(({ refusals }) => refusals)).toEqual([]);
    expect(Math.min(...listeners.map(({ cuts }) => cuts()))).toBeGreaterThan(0);
    expect(asked).toBeGreaterThan(200);
  });

  it('[two-of-each-killed] loses what a killed api was answering, and nothing else', async () => {
    for (const { name, service } of names) {
      const lostBefore = balancer.lost.length;
      const { goneMs } = await fleet.killAndStart(name);
      await traffic.untilAsked(readers);
      const lost = balancer.lost.slice(lostBefore);
      expect(lost.filter(({ instance }) => instance !== name)).toEqual([]);
      expect(lost.filter(({ beganMs }) => beganMs > goneMs + UNNOTICED_MS)).toEqual([]);
      if (service !== 'api') expect(lost).toEqual([]);
      await findPlansAgain();
    }
    expect(wrongAnswers()).toEqual([]);
    // Each of those who were not answered asked what was lost.
    expect(traffic.failures.length).toBeLessThanOrEqual(balancer.lost.length);
    expect(balancer.failed).toEqual([]);
  });

  it('[two-of-each-tables] ends with the tables of an indexer that nothing happened to, each sample once, no build lost', async () => {
    await traffic.stop();
    await standStill(chain);
    await chain.ledger.pause();
    await eventually(
      async () => {
        const [expected, found] = await Promise.all([dumpTables(calm), dumpTables(tried)]);
        expect(compareDumps(indexed(expected), indexed(found))).toEqual([]);
      },
      120_000,
      1_000,
    );
    for (const database of [calm, tried]) await untilEqualToChain(database, chain);
    const plans = new Set((await query<{ id: string }>(tried, 'select id::text from plan')).map(({ id }) => id));
    const accepted = builders.flatMap((builder) => builder.accepted);
    expect(accepted.filter(({ planId }) => !plans.has(planId))).toEqual([]);
    expect(accepted.length).toBeGreaterThan(10);
  });

  it('[two-of-each-tables] ends with one answer at every instance', async () => {
    const [account] = askers.accounts;
    const paths = ['/v1/banks', '/v1/reserves', '/v1/strategies', `/v1/account/${account?.authority}`];
    const urls = [...fleet.members.values()].filter(({ service }) => service === 'api').map(({ url }) => url);
    for (const path of paths) {
      await eventually(async () => {
        const [expected, ...found] = await Promise.all([witness.url, ...urls].map((url) => readAgeless(url + path)));
        expect(found).toEqual([expected, expected]);
      });
    }
  });

  it('[two-of-each-samples] wrote each sample that was published once, as the chain had it', async () => {
    for (const name of ['rate-poller 1', 'rate-poller 2']) await fleet.stopOne(name);
    await untilEachSampleHasItsRow(broker, tried);
    const { judged, wrong } = await judgeSamples(tried, record, chain.ledger);
    expect(wrong).toEqual([]);
    expect(judged).toBeGreaterThan(50);
  });

  it('[two-of-each-samples] told of one sample one thing, at whichever instance', async () => {
    await Promise.all(heardRates.map((listener) => listener.stop()));
    const rows = await query<{ id: string; utilization: string | null }>(
      tried,
      `select address || ':' || slot as id, utilization::text from rate_sample join rate_series on rate_series.id = series`,
    );
    const stored = new Map(rows.map(({ id, utilization }) => [id, utilization]));
    const told = heardRates.flatMap(({ events }) => events.map(({ data }) => data as RateTold));
    const own = told.filter(({ venue }) => venue === 'P0');
    const wrong = own.filter(({ address, slot, rates }) => {
      const utilization = stored.get(`${address}:${slot}`);
      if (utilization === undefined) return true;
      if (utilization === null || rates.utilization_pct === null) return utilization !== rates.utilization_pct;
      return Math.abs(Number(utilization) * 100 - rates.utilization_pct) > SHOWN_PCT;
    });
    expect(wrong).toEqual([]);
    expect(own.length).toBeGreaterThan(50);
    const samples = Map.groupBy(told, ({ address, slot }) => `${address}:${slot}`);
    const apart = [...samples.values()].filter((all) => new Set(all.map(textOfRates)).size > 1);
    expect(apart).toEqual([]);
  });

  it('[two-of-each-streams] told whoever was cut off what it told whoever was not', async () => {
    const idsOf = ({ events }: Listener) =>
      events.map(({ data }) => data as ActivityTold).flatMap(({ id, slot }) => (slot > allHearFrom ? [id] : []));
    await Promise.all([...listeners, uncut].map((listener) => listener.stop()));
    const expected = idsOf(uncut);
    expect(expected.length).toBeGreaterThan(10);
    for (const listener of listeners) {
      expect(idsOf(listener).sort()).toEqual(expected.toSorted());
      expect(listener.cuts()).toBeGreaterThan(1);
    }
  });
});

/** Of caps, those of banks are the indexer's, and those of reserves the poller's. */
const OF_RESERVE = '"kind":"reserve"';

function indexed(dump: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, readonly string[]> {
  return new Map(
    [...dump]
      .filter(([table]) => !NOT_INDEXED.has(table))
      .map(([table, rows]) => [
        table,
        table === 'bank_limit_change' ? rows.filter((row) => !row.includes(OF_RESERVE)) : rows,
      ]),
  );
}

interface ActivityTold {
  readonly id: string;
  readonly slot: number;
}

interface RateTold {
  readonly address: string;
  readonly venue: string;
  readonly slot: number;
  readonly rates: {
    readonly utilization_pct: number | null;
    readonly interest_deposit_apy_pct: number | null;
    readonly interest_borrow_apy_pct: number | null;
  };
}

/** What a sample alone decides: means over days are of whenever they were asked for. */
function textOfRates({ rates }: RateTold): string {
  return [rates.utilization_pct, rates.interest_deposit_apy_pct, rates.interest_borrow_apy_pct].join();
}

/** An answer without its age. */
async function readAgeless(url: string): Promise<unknown> {
  const response = await fetch(url);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}: ${text.slice(0, 300)}`);
  return JSON.parse(text, (key, value: unknown) => (key === 'age_seconds' ? undefined : value));
}
