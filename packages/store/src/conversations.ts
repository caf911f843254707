import { type QueryExecutorProvider, sql } from 'kysely';
import type { Database, Transaction } from './create-store.ts';

/** Conversations deleted in one statement, with all that was said in them. */
const STEP_ROWS = 100;

/** A thread of work of a caller. Times are whole milliseconds. */
export interface ConversationRow {
  readonly id: string;
  /** Null until it is given, or made from the first call. */
  readonly title: string | null;
  /** What the program that opened it calls itself; null where it does not. */
  readonly client: string | null;
  readonly created_at: Date;
  /** Of its newest entry; of its creation where it has none. */
  readonly updated_at: Date;
  readonly entry_count: number;
}

/** A conversation as its caller knows it: to anybody else it is not there. */
export interface ConversationKey {
  /** A UUID. */
  readonly caller: string;
  /** A UUID. */
  readonly id: string;
}

export interface NewConversation {
  readonly caller: string;
  readonly title: string | null;
  readonly client: string | null;
}

/** Where a page of conversations ended. */
export interface ConversationPlace {
  /** When the first page was asked for: the order is that of then. */
  readonly listedAt: Date;
  readonly placedAt: Date;
  readonly id: string;
}

export interface ConversationPage {
  readonly caller: string;
  readonly after: ConversationPlace | null;
  readonly limit: number;
}

export type ListedConversationRow = ConversationRow & { readonly place: ConversationPlace };

const COLUMNS = sql`id, title, client, created_at, updated_at, entry_count`;

/**
 * Opens a conversation, and deletes those of its caller that are the longest unused where he has more than `most` then.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function createConversation(
  db: Database,
  conversation: NewConversation,
  most: number,
): Promise<ConversationRow> {
  return db.transaction().execute(async (transaction) => {
    await lockConversations(transaction, conversation.caller);
    const row = await insertConversation(transaction, conversation, false);
    await deleteLongestUnused(transaction, conversation.caller, row.id, most);
    return row;
  });
}

/** Whoever opens conversations of a caller does it one after the other: two calls at once open one. */
export async function lockConversations(transaction: Transaction, caller: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('conversations of ' || ${caller}, 0))`.execute(transaction);
}

/** Its time is that of the statement, not of the transaction, which may have waited for its turn. */
export async function insertConversation(
  transaction: Transaction,
  { caller, title, client }: NewConversation,
  isImplicit: boolean,
): Promise<ConversationRow> {
  const { rows } = await sql<ConversationRow>`
    insert into conversation (caller, title, client, is_implicit, created_at, updated_at)
    values (${caller}::uuid, ${title}, ${client}, ${isImplicit}, statement_timestamp(), statement_timestamp())
    returning ${COLUMNS}
  `.execute(transaction);
  return rows[0] as ConversationRow;
}

/** All but the newest `most` of a caller, and never the one that was just opened. */
export async function deleteLongestUnused(
  transaction: Transaction,
  caller: string,
  opened: string,
  most: number,
): Promise<void> {
  await sql`
    delete from conversation where id in (
      select id from conversation where caller = ${caller}::uuid and id <> ${opened}::uuid
      order by updated_at desc, id offset ${most - 1}
    )
  `.execute(transaction);
}

/**
 * A conversation of a caller; null where it is another's, or nobody's.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function readConversation(
  db: QueryExecutorProvider,
  { caller, id }: ConversationKey,
): Promise<ConversationRow | null> {
  const { rows } = await sql<ConversationRow>`
    select ${COLUMNS} from conversation where id = ${id}::uuid and caller = ${caller}::uuid
  `.execute(db);
  return rows[0] ?? null;
}

/**
 * Gives a conversation another title. It keeps its place in the list: nothing was said in it.
 * @returns null where there is no such conversation of the caller.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function renameConversation(
  db: QueryExecutorProvider,
  { caller, id }: ConversationKey,
  title: string,
): Promise<ConversationRow | null> {
  const { rows } = await sql<ConversationRow>`
    update conversation set title = ${title} where id = ${id}::uuid and caller = ${caller}::uuid returning ${COLUMNS}
  `.execute(db);
  return rows[0] ?? null;
}

/**
 * Deletes a conversation with all that was said in it.
 * @returns false where there is no such conversation of the caller.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function deleteConversation(db: QueryExecutorProvider, { caller, id }: ConversationKey): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    delete from conversation where id = ${id}::uuid and caller = ${caller}::uuid
  `.execute(db);
  return numAffectedRows > 0n;
}

/**
 * A page of a caller's conversations, the one with the newest entry first, those of one time by id.
 *
 * All pages are in the order of the moment at which the first one was asked for, whatever is said meanwhile: a conversation that goes on
 * keeps the place that it had, so none comes twice and none is left out. One that was opened since is not in them.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function listConversations(
  db: QueryExecutorProvider,
  { caller, after, limit }: ConversationPage,
): Promise<readonly ListedConversationRow[]> {
  const listed = after === null ? newest(caller, limit) : newestBefore(caller, after, limit);
  const { rows } = await sql<ConversationRow & { readonly listed_at: Date; readonly placed_at: Date }>`
    ${listed} order by placed_at desc, id limit ${limit}
  `.execute(db);
  // A row can be newer than the moment: the clock of a database that was moved may go back.
  const listedAt = after?.listedAt ?? latest(rows[0]?.listed_at, rows[0]?.placed_at);
  return rows.map(({ listed_at: _moment, placed_at: placedAt, ...row }) => ({
    ...row,
    place: { listedAt, placedAt, id: row.id },
  }));
}

function newest(caller: string, limit: number) {
  return sql`
    select ${COLUMNS}, updated_at as placed_at, statement_timestamp()::timestamptz(3) as listed_at from (
      select * from conversation where caller = ${caller}::uuid order by updated_at desc, id limit ${limit}
    ) as conversation
  `;
}

/** Of what went on since, its last entry before then says where it stood. */
function newestBefore(caller: string, { listedAt, placedAt, id }: ConversationPlace, limit: number) {
  const comesAfter = (time: string) => sql`
    ${sql.ref(time)} <= ${placedAt}::timestamptz and (${sql.ref(time)} < ${placedAt}::timestamptz or id > ${id}::uuid)
  `;
  return sql`
    select * from (
      (
        select ${COLUMNS}, updated_at as placed_at, null::timestamptz as listed_at
        from conversation
        where caller = ${caller}::uuid and updated_at <= ${listedAt}::timestamptz and ${comesAfter('updated_at')}
        order by updated_at desc, id limit ${limit}
      )
      union all
      select ${COLUMNS}, coalesce((
        select time from conversation_entry
        where conversation = conversation.id and time <= ${listedAt}::timestamptz
        order by number desc limit 1
      ), created_at) as placed_at, null
      from conversation
      where caller = ${caller}::uuid and updated_at > ${listedAt}::timestamptz and created_at <= ${listedAt}::timestamptz
    ) as conversation
    where ${comesAfter('placed_at')}
  `;
}

function latest(...times: readonly (Date | undefined)[]): Date {
  return new Date(Math.max(...times.map((time) => time?.getTime() ?? 0)));
}

/**
 * Deletes conversations in which nothing was said for so many days, some at a time, so that nobody waits for it; several processes may.
 * @returns how many.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function deleteOldConversations(db: QueryExecutorProvider, days: number): Promise<number> {
  let deleted = 0;
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      delete from conversation where id in (
        select id from conversation where updated_at < now() - make_interval(days => ${days}::integer)
        limit ${sql.lit(STEP_ROWS)} for update skip locked
      )
    `.execute(db);
    deleted += Number(numAffectedRows);
    if (numAffectedRows < BigInt(STEP_ROWS)) return deleted;
  }
}
