import { isLendingError } from '@lending/errors';
import { inChildSpan, type NewSpan } from '@lending/tracing';
import { SpanKind } from '@opentelemetry/api';
import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import type pg from 'pg';
import { copyFrom, rowsOfCopy } from './copy-rows.ts';
import { querySummary } from './query-summary.ts';
import { toStoreFailure } from './store-failure.ts';
import { unlessAborted } from './unless-aborted.ts';

/**
 * A pool whose failures are named by `toStoreFailure`, at the one place every query passes.
 * A connection that failed as such is thrown away instead of being handed to the next query: the answer to the last one
 * may still be on its way.
 * @param tooLate aborts when no answer is waited for any more; its reason is what queries then fail with.
 */
export function guardPool(pool: pg.Pool, tooLate: AbortSignal): PostgresPool {
  async function connect(): Promise<pg.PoolClient> {
    tooLate.throwIfAborted();
    const connecting = pool.connect();
    // One that comes when nobody waits for it any more would keep the pool from ending.
    connecting.then((client) => tooLate.aborted && client.release(true)).catch(() => undefined);
    return unlessAborted(connecting, tooLate);
  }

  return {
    connect: async () => guardClient(await connect().catch(rethrow), tooLate),
    end: () => pool.end(),
    options: pool.options,
  };
}

function guardClient(client: pg.PoolClient, tooLate: AbortSignal): PostgresPoolClient {
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
        return { command: 'INSERT', rowCount: await unlessAborted(copyFrom(client, sql, copied), tooLate), rows: [] };
      const answer = client.query(sql, [...parameters]);
      return (await unlessAborted(answer, tooLate)) as unknown as PostgresQueryResult<R>;
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
