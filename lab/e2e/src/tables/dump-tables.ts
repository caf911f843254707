import { query, readRows, type Tables } from './query.ts';

/**
 * What two indexers of one chain may tell otherwise, and why: how they came to know it, and when. Everything else has to be the same to
 * the last row, in tables and columns that are yet to be made, too. `*` is all of a table.
 */
const LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  bank: ['slot', 'slot_time'],
  // What each saw of touches, and compared.
  bank_audit: ['*'],
  // When a limit was seen for the first time.
  bank_limit_change: ['slot', 'time'],
  wallet: ['slot', 'slot_time'],
  // Dated by a clock that is read on a beat: the reading at the slot or before it.
  chain_progress: ['tip_time'],
  // When somebody asked and was answered, by the clock on the wall and by the chain's.
  followed_address: ['followed_at', 'asked_at', 'answered_slot', 'answered_time'],
  // Positions in two different logs.
  consumer_offset: ['*'],
  // How the pipeline stood when it was last looked at.
  consumer_lag: ['*'],
  dead_topic: ['*'],
  source_status: ['*'],
  venue_beat: ['*'],
  // The embedded log itself, where there is one.
  log_claim: ['*'],
  log_member: ['*'],
  log_message: ['*'],
  log_partition: ['*'],
  chain_identity: ['claimed_at'],
  // What the api granted of late to whoever asked it.
  rate_window: ['*'],
  // Parts of the past that each had to read: that they are all read is asserted by itself.
  index_progress: ['*'],
  // Slots of which somebody heard. Compared through the activity in them, below.
  slot_finality: ['*'],
};

/** Of accounts of the chain, which have a `write_version`: a notification is of the slot that changed them, a repair of the slot read. */
const LEFT_OUT_OF_ACCOUNTS: readonly string[] = ['slot', 'write_version', 'slot_time'];

/** Rows that one of two indexers may have alone. */
const MAY_BE_ALONE: Readonly<Record<string, string>> = {
  // An account that was opened on a fork that lost was never there: who listened meanwhile keeps it as closed, and who did not has never
  // heard of it.
  account: 'is_closed and not exists (select from activity where activity.account = kept.address)',
  // Read from accounts, so dated as those are; and who reads an account later misses what it was between. Compared by itself, below.
  group_change: `kind = 'liquidation_tag'`,
};

type Dump = ReadonlyMap<string, readonly string[]>;

/** All tables in order, each row as text: what two databases have to have in common. Of the named ones: all columns of all rows. */
export async function dumpTables(database: Tables, named?: readonly string[]): Promise<Dump> {
  if (named !== undefined) {
    const dumps = named.map(async (table) => [table, await wholeOf(database, table)] as const);
    return new Map(await Promise.all(dumps));
  }
  const columns = await query<{ table: string; column: string }>(
    database,
    `select c.table_name as table, c.column_name as column
     from information_schema.columns c
     join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and t.table_type = 'BASE TABLE'
       and not exists (select from pg_inherits where inhrelid = format('%I.%I', c.table_schema, c.table_name)::regclass)
     order by c.table_name, c.ordinal_position`,
  );
  const tables = Map.groupBy(columns, ({ table }) => table);
  const dump = new Map<string, readonly string[]>();
  for (const [table, all] of tables) {
    const names = all.map(({ column }) => column);
    const left = names.includes('write_version') ? LEFT_OUT_OF_ACCOUNTS : (LEFT_OUT[table] ?? []);
    const kept = names.filter((column) => !left.includes(column) && !left.includes('*'));
    if (kept.length > 0) dump.set(table, await rowsOf(database, table, kept));
  }
  dump.set('finality of activity', await finalityOfActivity(database));
  dump.set('tags', await tagsOfAccounts(database));
  return dump;
}

async function wholeOf(database: Tables, table: string): Promise<readonly string[]> {
  if (table !== 'rate_sample') {
    const rows = await query<{ row: string }>(database, `select to_json(kept)::text as row from "${table}" as kept`);
    return rows.map(({ row }) => row);
  }
  const rows = await readRows(database, table);
  return rows.map((row) => JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? String(value) : value)));
}

async function rowsOf(database: Tables, table: string, columns: readonly string[]): Promise<readonly string[]> {
  const list = columns.map((column) => `"${column}"`).join(', ');
  const rows = await query<{ row: string }>(
    database,
    `select to_json(kept)::text as row from (select ${list} from "${table}") as kept
     where not (${MAY_BE_ALONE[table] ?? 'false'}) order by 1`,
  );
  return rows.map(({ row }) => row);
}

/** A slot that nobody had to judge was final when its activity was read. */
async function finalityOfActivity(database: Tables): Promise<readonly string[]> {
  const rows = await query<{ row: string }>(
    database,
    `select distinct slot || ' ' || coalesce(finality, 'finalized') as row
     from activity left join slot_finality using (slot) order by 1`,
  );
  return rows.map(({ row }) => row);
}

/** Since when accounts are tagged, as the newest change of each has it. */
async function tagsOfAccounts(database: Tables): Promise<readonly string[]> {
  const rows = await query<{ row: string }>(
    database,
    `select address || ' ' || tag as row from (
       select distinct on (address) address, detail ->> 'taggedAt' as tag from group_change
       where kind = 'liquidation_tag' order by address, slot desc, (detail ->> 'version')::numeric desc
     ) as newest where tag is not null order by 1`,
  );
  return rows.map(({ row }) => row);
}

/** Where two dumps differ, shortly; empty when nowhere. */
export function compareDumps(expected: Dump, found: Dump): readonly string[] {
  return [...new Set([...expected.keys(), ...found.keys()])].flatMap((table) => {
    const [before, after] = [count(expected.get(table) ?? []), count(found.get(table) ?? [])];
    const missing = [...before].filter(([row, times]) => (after.get(row) ?? 0) < times).map(([row]) => row);
    const extra = [...after].filter(([row, times]) => (before.get(row) ?? 0) < times).map(([row]) => row);
    if (missing.length === 0 && extra.length === 0) return [];
    return [
      `${table}: ${missing.length} rows missing, ${extra.length} too many`,
      ...missing.slice(0, 3).map((row) => `  - ${row.slice(0, 700)}`),
      ...extra.slice(0, 3).map((row) => `  + ${row.slice(0, 700)}`),
    ];
  });
}

function count(rows: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(row, (counts.get(row) ?? 0) + 1);
  return counts;
}
