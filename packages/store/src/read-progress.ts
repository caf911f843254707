import { type QueryExecutorProvider, sql } from 'kysely';

/** How far the indexer has come. */
export interface ChainProgressRow {
  readonly tip_slot: bigint;
  readonly tip_time: Date;
  readonly root_slot: bigint;
  readonly source: 'chain' | 'localnet';
}

/**
 * How far the indexer has come; null before it said so.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function readChainProgress(db: QueryExecutorProvider): Promise<ChainProgressRow | null> {
  const { rows } = await sql<ChainProgressRow>`
    select tip_slot, tip_time, root_slot, source from chain_progress
  `.execute(db);
  return rows[0] ?? null;
}

/** How far reading one part of the past has come. */
export interface IndexProgressRow {
  readonly task: string;
  readonly kind: 'accounts' | 'activity';
  readonly address: string | null;
  readonly from_slot: bigint;
  /** Exclusive. */
  readonly until_slot: bigint;
  readonly cursor_signature: string | null;
  readonly cursor_slot: bigint | null;
  readonly done: bigint;
  readonly total: bigint | null;
  readonly is_complete: boolean;
  readonly source: 'chain' | 'localnet';
  readonly slot: bigint;
  readonly slot_time: Date;
}

const COLUMNS = sql.raw(
  'task, kind, address, from_slot, until_slot, cursor_signature, cursor_slot, done, total, is_complete, source, slot, slot_time',
);

/**
 * Tasks of reading the past: of these addresses, or all there are; newest first within an address.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function listIndexProgress(
  db: QueryExecutorProvider,
  addresses?: readonly string[],
): Promise<readonly IndexProgressRow[]> {
  const { rows } = await sql<IndexProgressRow>`
    select ${COLUMNS} from index_progress
    where ${addresses === undefined ? sql`true` : sql`address = any(${[...addresses]}::text[])`}
    order by kind, address, from_slot desc, task
  `.execute(db);
  return rows;
}

/**
 * One task by its name; null before it began.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function readIndexTask(db: QueryExecutorProvider, task: string): Promise<IndexProgressRow | null> {
  const { rows } = await sql<IndexProgressRow>`select ${COLUMNS} from index_progress where task = ${task}`.execute(db);
  return rows[0] ?? null;
}

/**
 * Whether all transactions of an address there ever were have been read: down to slot 0, and nothing open above.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function isPastWhole(db: QueryExecutorProvider, address: string): Promise<boolean> {
  const { rows } = await sql<{ is_whole: boolean }>`
    select coalesce(bool_and(is_complete) and bool_or(until_slot = 0), false) as is_whole
    from index_progress
    where kind = 'activity' and address = ${address}
  `.execute(db);
  return rows[0]?.is_whole === true;
}

/**
 * Tasks that are to be gone on with, newest first.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function listUnfinishedProgress(db: QueryExecutorProvider): Promise<readonly IndexProgressRow[]> {
  const { rows } = await sql<IndexProgressRow>`
    select ${COLUMNS} from index_progress where not is_complete order by from_slot desc, task
  `.execute(db);
  return rows;
}

/**
 * Slots with activity of which it is not known yet how they end, oldest first.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function listUnfinalSlots(db: QueryExecutorProvider): Promise<readonly bigint[]> {
  const { rows } = await sql<{ slot: bigint }>`
    select slot from slot_finality where finality = 'confirmed' order by slot
  `.execute(db);
  return rows.map(({ slot }) => slot);
}
