import { isLendingError, LendingError } from '@lending/errors';
import { Kysely, type Transaction as KyselyTransaction, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { columnTypes } from './column-types.ts';
import { guardPool } from './guard-pool.ts';
import type { DB } from './schema.generated.ts';

export type Database = Kysely<DB>;
export type Transaction = KyselyTransaction<DB>;

/** The part of a logger that is used here. */
export interface StoreLog {
  info(event: `${string}.${string}.${string}`, fields: Readonly<Record<string, unknown>>): void;
  warn(event: `${string}.${string}.${string}`, fields: Readonly<Record<string, unknown>>): void;
}

export interface CreateStoreOptions {
  readonly connectionString: string;
  /** Connections at most. Default 10. */
  readonly poolSize?: number;
  /** After this a statement is given up, by the server and by us. Default 30 s. */
  readonly statementTimeoutMs?: number;
  /** Aborts when the process stops. What the database has not answered soon after that is given up, and nothing more is asked. */
  readonly stopping?: AbortSignal;
  readonly log?: StoreLog;
}

/** Connections of one pool. */
export interface PoolUsage {
  readonly most: number;
  readonly busy: number;
  readonly idle: number;
  /** Statements that wait for one. */
  readonly waiting: number;
}

/** The tables, for as long as a process needs them. */
export interface Store {
  /** Queries and transactions. Failures come as `toStoreFailure` names them. */
  readonly db: Database;
  /** Its connections at this moment. */
  readonly connections: () => PoolUsage;
  /** @throws STORE__UNAVAILABLE when the database does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** How long a database that does not answer is waited for once the process stops: well below what all of a stop may take. */
const STOP_PATIENCE_MS = 3_000;
/** An answer that takes longer than the server's own limit was lost on the way. */
const ANSWER_GRACE_MS = 2_000;
const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Opens the tables. Connects on first use, and again by itself whenever the database comes back.
 * Values: int8 is a bigint, numeric its exact decimal text (never a float), timestamptz a Date, jsonb what it parses to.
 */
export function createStore(options: CreateStoreOptions): Store {
  const { poolSize = 10, statementTimeoutMs = 30_000, stopping, log } = options;
  const pool = new pg.Pool({
    connectionString: options.connectionString,
    max: poolSize,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs + ANSWER_GRACE_MS,
    // A process that hangs inside a transaction would keep its locks, and with them the place of its consumer group.
    idle_in_transaction_session_timeout: statementTimeoutMs,
    keepAlive: true,
    types: columnTypes,
  });
  // A connection can break while nobody waits for it: idle, or between two statements of a transaction. It is replaced on next
  // use, and the transaction's next statement fails. Without a listener it would end the process.
  // All idle connections of a server that goes down are lost at once: one line says so, until there is a connection again.
  let isLost = false;
  pool.on('connect', (client) => {
    isLost = false;
    client.on('error', () => undefined);
  });
  pool.on('error', (error) => {
    if (!pool.ending && !isLost) log?.warn('store.connection.lost', { reason: error.message });
    isLost = true;
  });
  const tooLate = soonAfter(stopping);
  const db: Database = new Kysely<DB>({ dialect: new PostgresDialect({ pool: guardPool(pool, tooLate) }) });
  let closed: Promise<void> | undefined;
  return {
    db,
    connections: () => ({
      most: poolSize,
      busy: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    ping: async () => {
      await sql`select 1`.execute(db);
    },
    close: () => {
      // Ending waits for connections that are being made, and a server that is out of reach says nothing to them.
      closed ??= Promise.race([pool.end(), untilAborted(tooLate)]);
      return closed;
    },
  };
}

/** Aborts a little later than the other one. */
function soonAfter(stopping: AbortSignal | undefined): AbortSignal {
  const late = new AbortController();
  const reason = new LendingError('STORE__UNAVAILABLE', { message: 'The process stops' });
  const start = (): void => void setTimeout(() => late.abort(reason), STOP_PATIENCE_MS).unref();
  if (stopping?.aborted) start();
  else stopping?.addEventListener('abort', start, { once: true });
  return late.signal;
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Whether a failure lies in the rows and not in the database: trying the same rows again is pointless. */
export function isRowFailure(error: unknown): boolean {
  return isLendingError(error, 'STORE__ROW_INVALID');
}
