import { type QueryExecutorProvider, sql } from 'kysely';

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
 * A page of what happened to banks, the group and liquidation tags, newest first.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function listGroupChanges(
  db: QueryExecutorProvider,
  { addresses, kinds, since, until, before, limit }: GroupChangePage,
): Promise<readonly GroupChangeRow[]> {
  const conditions = [
    sql`not exists (select from group_change as later where later.id = change.id and later.slot > change.slot)`,
  ];
  if (addresses !== undefined) conditions.push(sql`address = any(${[...addresses]}::text[])`);
  if (kinds !== undefined) conditions.push(sql`kind = any(${[...kinds]}::text[])`);
  if (since !== undefined) conditions.push(sql`time >= ${since}::timestamptz`);
  if (until !== undefined) conditions.push(sql`time < ${until}::timestamptz`);
  if (before !== undefined) conditions.push(sql`(slot, id) < (${before.slot}::bigint, ${before.id})`);
  const { rows } = await sql<GroupChangeRow>`
    select
      id, slot, time, kind, address, actor, detail,
      case when kind = 'liquidation_tag' then null when exists (
        select from slot_finality where slot_finality.slot = change.slot and slot_finality.finality = 'confirmed'
      ) then 'confirmed' else 'finalized' end as finality
    from group_change as change
    where ${sql.join(conditions, sql` and `)}
    order by slot desc, id desc
    limit ${limit}
  `.execute(db);
  return rows;
}
