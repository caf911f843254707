import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';

/** Where a change stands: pages go on before it. */
export interface GroupChangePlace {
  readonly slot: bigint;
  readonly id: string;
}

export interface GroupChangePage {
  /** Banks, accounts, or the group; left out: all. */
  readonly addresses?: readonly string[] | undefined;
  readonly kinds?: readonly string[] | undefined;
  /** Inclusive. */
  readonly since?: Date | undefined;
  /** Exclusive. */
  readonly until?: Date | undefined;
  readonly before?: GroupChangePlace | undefined;
  readonly limit: number;
}

/** What happened to a bank, the group or the liquidation tag of an account. Numbers of `detail` that a float cannot hold are text. */
export interface GroupChangeRow {
  readonly id: string;
  readonly slot: bigint;
  readonly time: Date;
  /** Null of tags: accounts have none. */
  readonly finality: 'confirmed' | 'finalized' | null;
  readonly kind: string;
  readonly address: string;
  /** Null of tags. */
  readonly actor: string | null;
  readonly detail: Readonly<Record<string, string | number | boolean | null>>;
}

/**
 * A page of what happened to banks, the group and liquidation tags, newest first. Addresses, else kinds, are read one by one, of each the
 * newest from one end of an index.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function listGroupChanges(
  db: QueryExecutorProvider,
  page: GroupChangePage,
): Promise<readonly GroupChangeRow[]> {
  const { rows } = await sql<GroupChangeRow>`
    select
      id, slot, time, kind, address, actor, detail,
      case when kind = 'liquidation_tag' then null when exists (
        select from slot_finality where slot_finality.slot = found.slot and slot_finality.finality = 'confirmed'
      ) then 'confirmed' else 'finalized' end as finality
    from (${found(page)}) as found
    order by slot desc, id desc
    limit ${page.limit}
  `.execute(db);
  return rows;
}

function found(page: GroupChangePage): RawBuilder<unknown> {
  const { addresses, kinds } = page;
  if (addresses !== undefined) return ofEach('address', addresses, page);
  return kinds === undefined ? newest(page) : ofEach('kind', kinds, { ...page, kinds: undefined });
}

function ofEach(column: 'address' | 'kind', values: readonly string[], page: GroupChangePage): RawBuilder<unknown> {
  return sql`
    select newest.*
    from unnest(${[...new Set(values)]}::text[]) as asked (value)
    cross join lateral (${newest(page, sql`change.${sql.ref(column)} = asked.value`)}) as newest
  `;
}

function newest(
  { kinds, since, until, before, limit }: GroupChangePage,
  ...conditions: RawBuilder<unknown>[]
): RawBuilder<unknown> {
  conditions.push(
    sql`not exists (select from group_change as later where later.id = change.id and later.slot > change.slot)`,
  );
  if (kinds !== undefined) conditions.push(sql`kind = any(${[...kinds]}::text[])`);
  // The bound of slots ends the walk. A tag may be dated before its slot, never after: no bound of slots follows from `until`.
  if (since !== undefined) conditions.push(sql`time >= ${since}::timestamptz and slot > ${lastSlotBefore(since)}`);
  if (until !== undefined) conditions.push(sql`time < ${until}::timestamptz`);
  if (before !== undefined) conditions.push(sql`(slot, id) < (${before.slot}::bigint, ${before.id})`);
  return sql`
    select * from group_change as change where ${sql.join(conditions, sql` and `)} order by slot desc, id desc limit ${limit}
  `;
}

/** Of those in which a change was that has its block's time: along a chain, that never goes back. */
function lastSlotBefore(time: Date): RawBuilder<unknown> {
  return sql`coalesce(
    (
      select slot from group_change as timed
      where kind <> 'liquidation_tag' and timed.time < ${time}::timestamptz
      order by timed.time desc, slot desc limit 1
    ), -1
  )`;
}
