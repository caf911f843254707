import { CompiledQuery } from 'kysely';
import type pg from 'pg';
import copyStreams from 'pg-copy-streams';
import type { Transaction } from './create-store.ts';

const ROWS = Symbol('rows of a COPY');

/** Stands where the parameters of a query stand, so that a COPY goes the way of all queries: same client, same names of failures. */
interface CopyRows {
  readonly [ROWS]: Buffer;
}

/**
 * Sends rows into a table by `COPY … FROM STDIN`, the fastest way in, on the connection of the transaction.
 * @param sql the statement, or several of which one is the COPY
 * @param rows the rows in COPY's text format
 * @returns how many rows were written.
 * @throws STORE__ROW_INVALID and the others of `toStoreFailure`; the transaction is then to be rolled back, or to a savepoint.
 */
export async function copyRows(transaction: Transaction, sql: string, rows: Buffer): Promise<number> {
  const source: CopyRows = { [ROWS]: rows };
  const { numAffectedRows } = await transaction.executeQuery(CompiledQuery.raw(sql, [source]));
  return Number(numAffectedRows ?? 0n);
}

/** The rows that a query's parameters carry; undefined when it is no COPY. */
export function rowsOfCopy(parameters: readonly unknown[]): Buffer | undefined {
  const [first] = parameters;
  return typeof first === 'object' && first !== null && ROWS in first ? (first as CopyRows)[ROWS] : undefined;
}

/** Runs a COPY on a client of the driver; how many rows were written. */
export async function copyFrom(client: pg.ClientBase, sql: string, rows: Buffer): Promise<number> {
  const stream = client.query(copyStreams.from(sql));
  await new Promise<void>((resolve, reject) => {
    // An error of the server ends the COPY for it, too: nothing is to be sent or cancelled any more.
    stream.once('error', reject);
    stream.once('finish', resolve);
    // In one piece: of several, pg-copy-streams goes on with the next after the server refused an earlier one, and has no connection then.
    stream.end(rows);
  });
  return stream.rowCount;
}
