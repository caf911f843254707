import { type ComponentStatus, withinMs } from '@lending/runtime';
import type { ChainProgressRow, ConsumerStatusRow } from '@lending/store';
import type { AsOf } from '#records/reply-fields.ts';
import { describeAsOf, type Reading } from './as-of.ts';
import type { ReadStore } from './read-store.ts';

/** The service as a whole: which part works, and how old the newest data is. */
export interface ServiceStatus {
  readonly ready: boolean;
  /** False while the database does not answer: then nobody knows how old the data is. */
  readonly isDatabaseReachable: boolean;
  readonly components: readonly ComponentStatus[];
  /** The newest data of any bank; null before there is any, or without a database. */
  readonly newest: AsOf | null;
  readonly banks: number | null;
  readonly consumers: readonly ConsumerStatusRow[];
  /** How far accounts are followed, as `components` judged it; null before the indexer said so, or without a database. */
  readonly chain: ChainProgressRow | null;
  /** The moment that all of it was judged at, ms since 1970. */
  readonly nowMs: number;
}

export interface ServiceStatusOptions {
  readonly store: ReadStore;
  /** What the parts of this process say about themselves; none where nobody reports. */
  readonly components: () => readonly ComponentStatus[];
  readonly now: () => number;
  readonly staleAfterMs: number;
  /** The chain tip that accounts are followed to may be this old. */
  readonly accountsStaleAfterMs: number;
  /** A database that takes longer is called unreachable: a probe must answer. */
  readonly timeoutMs?: number;
}

/** Asks the tables how the service stands. Never throws: a database that does not answer is an answer. */
export async function readServiceStatus(options: ServiceStatusOptions): Promise<ServiceStatus> {
  const tables = await readTables(options.store, options.timeoutMs ?? 2_000);
  // After the read: under load that takes a while, and what it found is as old as it is when it is said.
  const nowMs = options.now();
  const newest = tables.newest === null ? null : describeAsOf(tables.newest, nowMs, options.staleAfterMs);
  const since = new Date(nowMs);
  const derived: ComponentStatus[] = [
    { name: 'database', ready: tables.databaseReason === null, reason: tables.databaseReason, since },
    describeData(tables, newest, options.staleAfterMs, since),
    ...describeTip(tables.chain, nowMs, options.accountsStaleAfterMs, since),
  ];
  const reported = options.components();
  const derivedNames = new Set(derived.map(({ name }) => name));
  const components = [...derived, ...reported.filter(({ name }) => !derivedNames.has(name))];
  return {
    ready: components.every(({ ready }) => ready),
    isDatabaseReachable: tables.databaseReason !== UNREACHABLE,
    components,
    newest,
    banks: tables.banks,
    consumers: tables.consumers,
    chain: tables.chain,
    nowMs,
  };
}

const UNREACHABLE = 'the database does not answer';

interface Tables {
  readonly databaseReason: string | null;
  readonly banks: number | null;
  readonly newest: Reading | null;
  readonly consumers: readonly ConsumerStatusRow[];
  readonly chain: ChainProgressRow | null;
}

const NO_TABLES = { banks: null, newest: null, consumers: [], chain: null } as const;

async function readTables(store: ReadStore, timeoutMs: number): Promise<Tables> {
  try {
    return await withinMs(timeoutMs, askTables(store));
  } catch {
    // The cause can name hosts; the pool logs it, a probe does not show it.
    return { ...NO_TABLES, databaseReason: UNREACHABLE };
  }
}

async function askTables(store: ReadStore): Promise<Tables> {
  if (!(await store.hasTables())) return { ...NO_TABLES, databaseReason: 'the migrations have not run yet' };
  const [status, consumers, chain] = await Promise.all([
    store.readServiceStatus(),
    store.listConsumers(),
    store.readChainProgress(),
  ]);
  const { newest_slot: slot, newest_time: time, source } = status;
  const newest: Reading | null =
    slot === null || time === null || source === null ? null : { slot, timeMs: time.getTime(), source, kind: 'sample' };
  return { databaseReason: null, banks: status.banks, newest, consumers, chain };
}

function describeData(tables: Tables, newest: AsOf | null, staleAfterMs: number, since: Date): ComponentStatus {
  const reason = dataReason(tables, newest, staleAfterMs);
  return { name: 'data', ready: reason === null, reason, since };
}

/** Whether accounts are still followed; nothing before the indexer said for the first time how far it came. */
function describeTip(
  chain: ChainProgressRow | null,
  nowMs: number,
  staleAfterMs: number,
  since: Date,
): readonly ComponentStatus[] {
  if (chain === null) return [];
  const ageMs = Math.max(0, nowMs - chain.tip_time.getTime());
  const reason =
    ageMs <= staleAfterMs
      ? null
      : `accounts were followed until ${Math.round(ageMs / 1000)} s ago, the limit is ${staleAfterMs / 1000} s`;
  return [{ name: 'accounts', ready: reason === null, reason, since }];
}

function dataReason(tables: Tables, newest: AsOf | null, staleAfterMs: number): string | null {
  if (tables.databaseReason !== null) return 'unknown without the database';
  if (tables.banks === 0) return 'no bank has been projected yet';
  if (newest === null) return 'no rate sample has been projected yet';
  if (!newest.stale) return null;
  return `the newest rate sample is ${Math.round(newest.age_seconds)} s old, the limit is ${staleAfterMs / 1000} s`;
}
