import { createHash } from 'node:crypto';
import { createBus } from '@lending/bus';
import { isTopic, TOPICS } from '@lending/events';
import { runProjector } from '@lending/indexer';
import { createLogger, createMetrics, createReadiness } from '@lending/runtime';
import { createStore } from '@lending/store';
import type { KafkaBroker } from '@lending/testing';
import { eventually } from '../eventually.ts';
import { compareDumps, dumpTables } from '../tables/dump-tables.ts';
import { query, type Tables } from '../tables/query.ts';
import { POLL_MS } from './fault-world.ts';
import type { Outage } from './run-fault.ts';
import type { Accepted } from './users.ts';

/** What was accepted and is not there; empty when nothing was lost. */
export async function lostOf({ deposits, calls, follows }: Accepted, tables: Tables): Promise<readonly string[]> {
  const keys = await query<{ key: string; plan: string }>(
    tables,
    'select key, plan::text from idempotency_key join plan on plan.id = idempotency_key.plan',
  );
  const planOf = new Map(keys.map(({ key, plan }) => [key, plan]));
  const entries = await query<{ amount: string }>(
    tables,
    `select arguments ->> 'amount' as amount from conversation_entry where outcome = 'ok'`,
  );
  const kept = new Set(entries.map(({ amount }) => amount));
  const followed = await query<{ address: string }>(
    tables,
    `select address from followed_address where aspect = 'wallet' and answered_slot is not null`,
  );
  const answered = new Set(followed.map(({ address }) => address));
  return [
    ...deposits
      .filter(({ key, planId }) => planOf.get(storedKey(key)) !== planId)
      .map(({ key }) => `the plan of ${key}`),
    ...calls.filter((amount) => !kept.has(amount)).map((amount) => `the entry of the deposit of ${amount}`),
    ...follows.filter((address) => !answered.has(address)).map((address) => `the follow of ${address}`),
  ];
}

/** Keys are stored hashed. */
function storedKey(key: string): string {
  return createHash('sha256').update(key).digest('base64');
}

/**
 * Projects what is in the topics and not in a database yet, as an indexer does to which nothing happens. It is the consumer group of the
 * services, so they have to have ended.
 */
export async function projectUndisturbed(broker: KafkaBroker, database: Tables): Promise<void> {
  const store = createStore({ connectionString: database.connectionString });
  const bus = await createBus({ kind: 'kafka', brokers: broker.brokers, clientId: 'undisturbed' });
  const stopping = new AbortController();
  const logger = createLogger({ level: 'silent', name: 'undisturbed' });
  const parts = { logger, metrics: createMetrics(), readiness: createReadiness() };
  // Nothing comes after the last message, which a tip that waits for others would wait for.
  const running = runProjector({ bus, store, ...parts, tipsAtOnce: true }, stopping.signal);
  try {
    const topics = await bus.readExtents(Object.keys(TOPICS).filter(isTopic));
    await eventually(async () => {
      const rows = await query<{ topic: string; partition: number; next: string }>(
        database,
        'select topic, partition, next_offset::text as next from consumer_offset',
      );
      const at = new Map(rows.map(({ topic, partition, next }) => [`${topic}/${partition}`, BigInt(next)]));
      const behind = topics.filter(
        ({ topic, partition, oldest, next }) => next > oldest && (at.get(`${topic}/${partition}`) ?? 0n) < next,
      );
      if (behind.length > 0) throw new Error(`not projected yet: ${behind.map(({ topic }) => topic).join(', ')}`);
    });
  } finally {
    stopping.abort();
    await running;
    await bus.close();
    await store.close();
  }
}

/**
 * Differences between two databases into which the same topics were projected; empty where there are none. The progress of `found` may lag
 * and never lead: a tip waits in memory until the tables reach it, and is lost when the indexer ends before.
 */
export async function compareProjections(expected: Tables, found: Tables): Promise<readonly string[]> {
  const [reached, said] = [await tipOf(expected), await tipOf(found)];
  const ahead = said > reached ? [`chain_progress: slot ${said}, the topics reach ${reached}`] : [];
  return [...compareDumps(await dumpTables(expected, PROJECTED), await dumpTables(found, PROJECTED)), ...ahead];
}

/** What messages write, to the last column. */
const PROJECTED = [
  'account',
  'account_order',
  'activity',
  'activity_leg',
  'balance',
  'bank',
  'bank_audit',
  'bank_limit_change',
  'bank_measure',
  'group_change',
  'oracle_price',
  'rate_sample',
  'rebalance_order',
  'reserve',
  'swap_quote',
  'wallet',
  'wallet_balance',
] as const;

async function tipOf(database: Tables): Promise<bigint> {
  const [progress] = await query<{ slot: string }>(database, 'select tip_slot::text as slot from chain_progress');
  if (progress === undefined) throw new Error('the indexer never said how far it has come');
  return BigInt(progress.slot);
}

interface SampleText {
  readonly address: string;
  readonly slot: string;
  readonly time: Date;
  readonly sample: string;
  /** What the token is worth by itself; null until its pool was found, for which no beat waits. */
  readonly native: string | null;
}

/**
 * Samples of one series at one slot, whoever read them, are one reading of the chain; how many there are, and which differ. Not those of
 * `believed`: a node that calls old accounts new is believed until its clock gives it away, and only the time of such a sample is true.
 */
export async function compareReadings(
  calm: Tables,
  struck: Tables,
  believed: readonly Outage[],
): Promise<{ readonly both: number; readonly different: readonly string[] }> {
  const [expected, found] = await Promise.all([readings(calm, []), readings(struck, believed)]);
  const different: string[] = [];
  let both = 0;
  for (const [at, one] of found) {
    const other = expected.get(at);
    if (other === undefined) continue;
    both += 1;
    const isNativeKnown = one.native !== null && other.native !== null;
    if (other.sample !== one.sample) different.push(`${at}: ${one.sample} where it is ${other.sample}`);
    else if (isNativeKnown && other.native !== one.native)
      different.push(`${at}: a native exchange rate of ${one.native} where it is ${other.native}`);
  }
  return { both, different };
}

async function readings(database: Tables, without: readonly Outage[]): Promise<ReadonlyMap<string, SampleText>> {
  const rows = await query<SampleText>(database, SAMPLES);
  const isWithout = ({ time }: SampleText) =>
    without.some(({ fromMs, toMs }) => fromMs - GAP_MS <= time.getTime() && time.getTime() <= toMs + GAP_MS);
  return new Map(rows.flatMap((row) => (isWithout(row) ? [] : [[`${row.address} at ${row.slot}`, row]])));
}

/**
 * What the chain held, without what hangs on how long slots last, which each process measures by itself: venues that count by slots have
 * their APRs by that.
 */
const SAMPLES = `
  select address, slot::text, time, native_exchange_rate::text as native,
    (to_jsonb(rate_sample) - array['series', 'slot', 'slot_ms', 'native_apr', 'deposit_apr', 'borrow_apr', 'emissions_deposit_apr',
      'emissions_borrow_apr', 'native_exchange_rate'])::text as sample
  from rate_sample join rate_series on rate_series.id = series`;

/** Longer than a beat, whatever the machine: a pause that a busy machine makes is no gap, one that a fault makes is. */
const GAP_MS = 12 * POLL_MS;

/**
 * Where the services have a gap that the undisturbed pipeline has not, although the node answered them: samples that were lost. While
 * the node was away nobody could read: those gaps are in `outages`.
 */
export async function lostStretches(
  calm: Tables,
  struck: Tables,
  outages: readonly Outage[],
): Promise<readonly string[]> {
  const [expected, found] = await Promise.all([gapsOf(calm), gapsOf(struck)]);
  return found
    .filter((gap) => !outages.some(({ fromMs, toMs }) => fromMs - GAP_MS <= gap.fromMs && gap.toMs <= toMs + GAP_MS))
    .filter((gap) => !expected.some((other) => other.fromMs < gap.toMs && other.toMs > gap.fromMs))
    .map(
      ({ address, fromMs, toMs }) =>
        `${address}: nothing for ${toMs - fromMs} ms from ${new Date(fromMs).toISOString()}`,
    );
}

interface Gap {
  readonly address: string;
  readonly fromMs: number;
  readonly toMs: number;
}

async function gapsOf(database: Tables): Promise<readonly Gap[]> {
  const rows = await query<{ address: string; from_time: Date; to_time: Date }>(
    database,
    `select * from (
       select address, time as from_time, lead(time) over (partition by series order by time, slot) as to_time
       from rate_sample join rate_series on rate_series.id = series
     ) as pair where to_time - from_time > $1 * interval '1 millisecond'`,
    [GAP_MS],
  );
  return rows.map(({ address, from_time: from, to_time: to }) => ({
    address,
    fromMs: from.getTime(),
    toMs: to.getTime(),
  }));
}
