import { type QueryExecutorProvider, sql } from 'kysely';
import { deleteLongestUnused, insertConversation, lockConversations, type NewConversation } from './conversations.ts';
import type { Database } from './create-store.ts';

/** What is kept of one call. */
export interface EntryWrite {
  readonly door: string;
  readonly tool: string;
  readonly arguments: object;
  readonly outcome: string;
  /** Of an error. */
  readonly code: string | null;
}

/** How much is kept for a caller. */
export interface ConversationBounds {
  /** Conversations; those that are the longest unused go first. */
  readonly most: number;
  /** Entries of one; the oldest go first. */
  readonly mostEntries: number;
}

export interface NamedEntry {
  readonly caller: string;
  /** A UUID. */
  readonly conversation: string;
  /** Of a conversation that has none yet. */
  readonly title: string;
  readonly entry: EntryWrite;
}

export interface UnnamedEntry {
  /** Whose call it was; what is opened for it, where nothing goes on. */
  readonly conversation: NewConversation & { readonly title: string };
  readonly entry: EntryWrite;
  /** A conversation in which nothing was said for longer does not go on. */
  readonly idleMs: number;
}

export interface EntryRow extends EntryWrite {
  readonly conversation: string;
  /** Counts up within the conversation. */
  readonly number: number;
  readonly time: Date;
}

export interface EntryPage {
  /** A UUID. */
  readonly conversation: string;
  /** Number of the last entry of the page before; null: from the newest. */
  readonly before: number | null;
  readonly limit: number;
}

/**
 * Adds to the conversation that a call named.
 * @returns false where there is no such conversation of the caller, any more.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function addNamedEntry(
  db: QueryExecutorProvider,
  { caller, conversation, title, entry }: NamedEntry,
  { mostEntries }: ConversationBounds,
): Promise<boolean> {
  const which = sql`id = ${conversation}::uuid and caller = ${caller}::uuid`;
  return (await addEntry(db, which, { title, entry, mostEntries })) !== null;
}

/**
 * Adds to the conversation that a client of a caller has under way, or opens one. Of several at once, one opens it. Only what was opened
 * so goes on so: a call that names nothing gets into no conversation that was opened by name.
 * @returns the conversation's id.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function addUnnamedEntry(
  db: Database,
  { conversation, entry, idleMs }: UnnamedEntry,
  { most, mostEntries }: ConversationBounds,
): Promise<string> {
  const { caller, client, title } = conversation;
  const underWay = sql`id = (
    select id from conversation
    where caller = ${caller}::uuid and is_implicit and client is not distinct from ${client}
      and updated_at > statement_timestamp() - make_interval(secs => ${idleMs}::float8 / 1000)
    order by updated_at desc, id limit 1
  )`;
  const added = { title, entry, mostEntries };
  const known = await addEntry(db, underWay, added);
  if (known !== null) return known;
  return db.transaction().execute(async (transaction) => {
    await lockConversations(transaction, caller);
    const opened = await addEntry(transaction, underWay, added);
    if (opened !== null) return opened;
    const { id } = await insertConversation(transaction, conversation, true);
    await addEntry(transaction, sql`id = ${id}::uuid`, added);
    await deleteLongestUnused(transaction, caller, id, most);
    return id;
  });
}

/** Times go up with the numbers, though whoever waited for his turn began earlier. */
async function addEntry(
  db: QueryExecutorProvider,
  which: ReturnType<typeof sql>,
  { title, entry, mostEntries }: { readonly title: string; readonly entry: EntryWrite; readonly mostEntries: number },
): Promise<string | null> {
  const { rows } = await sql<{ readonly id: string }>`
    with conversed as (
      update conversation set
        updated_at = greatest(updated_at, statement_timestamp()),
        title = coalesce(title, ${title}),
        last_number = last_number + 1,
        entry_count = least(entry_count + 1, ${mostEntries}::integer)
      where ${which}
      returning id, last_number, updated_at
    ), said as (
      insert into conversation_entry (conversation, number, time, door, tool, arguments, outcome, code)
      select
        id, last_number, updated_at, ${entry.door}, ${entry.tool}, ${JSON.stringify(entry.arguments)}::jsonb,
        ${entry.outcome}, ${entry.code}
      from conversed
    ), forgotten as (
      delete from conversation_entry using conversed
      where conversation_entry.conversation = conversed.id
        and conversation_entry.number <= conversed.last_number - ${mostEntries}::integer
    )
    select id from conversed
  `.execute(db);
  return rows[0]?.id ?? null;
}

/**
 * A page of what was said in a conversation, the newest first. Whose it is was asked before.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function listConversationEntries(
  db: QueryExecutorProvider,
  { conversation, before, limit }: EntryPage,
): Promise<readonly EntryRow[]> {
  const { rows } = await sql<EntryRow>`
    select conversation, number, time, door, tool, arguments, outcome, code from conversation_entry
    where conversation = ${conversation}::uuid ${before === null ? sql`` : sql`and number < ${before}`}
    order by number desc limit ${limit}
  `.execute(db);
  return rows;
}
