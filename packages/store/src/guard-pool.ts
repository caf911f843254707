import { isLendingError } from '@lending/errors';
import { inChildSpan, type NewSpan } from '@lending/tracing';
import { SpanKind } from '@opentelemetry/api';
import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import type pg from 'pg';
import { copyFrom, rowsOfCopy } from './copy-rows.ts';
import { querySummary } from './query-summary.ts';
import { toStoreFailure } from './store-failure.ts';

/**
 * A pool whose failures are named by `toStoreFailure`, at the one place every query passes.
 * A connection that failed as such is thrown away instead of being handed to the next query: the answer to the last one
 * may still be on its way.
 * @param tooLate aborts when no answer is waited for any more; its reason is what queries then fail with.
 */
export function guardPool(pool: pg.Pool, tooLate: AbortSignal): PostgresPool {
  const gaveUp = Promise.withResolvers<never>();
  gaveUp.promise.catch(() => undefined);
  tooLate.addEventListener('abort', () => gaveUp.reject(tooLate.reason), { once: true });
  const inTime = <T>(answer: Promise<T>): Promise<T> => Promise.race([answer, gaveUp.promise]);

  async function connect(): Promise<pg.PoolClient> {
    tooLate.throwIfAborted();
    const connecting = pool.connect();
    // One that comes when nobody waits for it any more would keep the pool from ending.
    connecting.then((client) => tooLate.aborted && client.release(true)).catch(() => undefined);
    return inTime(connecting);
  }

  return {
    connect: async () => guardClient(await connect().catch(rethrow), inTime),
    end: () => pool.end(),
    options: pool.options,
  };
}

function guardClient(client: pg.PoolClient, inTime: <T>(answer: Promise<T>) => Promise<T>): PostgresPoolClient {
  let isBroken = false;
  function query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    return inChildSpan(
      'lending.store',
      () => spanOf(sql),
      () => run<R>(sql, parameters),
    );
  }
  async function run<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    try {
      const copied = rowsOfCopy(parameters);
      if (copied !== undefined)
        return { command: 'INSERT', rowCount: await inTime(copyFrom(client, sql, copied)), rows: [] };
      return (await inTime(client.query(sql, [...parameters]))) as unknown as PostgresQueryResult<R>;
    } catch (error) {
      const failure = toStoreFailure(error);
      isBroken ||= isLendingError(failure, 'STORE__UNAVAILABLE');
      throw failure;
    }
  }
  return {
    query: query as PostgresPoolClient['query'],
    release: (destroy?: boolean) => client.release(destroy === true || isBroken),
  };
}

/** Of a text, no parameter: those are what callers wrote. */
const SHOWN_LENGTH = 300;

function spanOf(sql: string): NewSpan {
  const summary = querySummary(sql);
  return {
    name: summary,
    kind: SpanKind.CLIENT,
    attributes: {
      'db.system.name': 'postgresql',
      'db.query.summary': summary,
      'db.query.text': sql.slice(0, SHOWN_LENGTH).replaceAll(/\s+/g, ' ').trim(),
    },
  };
}

function rethrow(error: unknown): never {
  throw toStoreFailure(error);
}
