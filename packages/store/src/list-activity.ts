import { ACTIVITY_KINDS, type ActivityKind, LEG_ACTIONS, type LegAction } from '@lending/domain';
import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';
import {
  type ActivityPlace,
  type ActivityRow,
  activityRows,
  isBefore,
  NEWEST_FIRST,
  notSeenLater,
} from './read-activity.ts';

/** What activity is looked for by; everything given must hold. */
export interface ActivityFilter {
  readonly accounts?: readonly string[] | undefined;
  readonly authority?: string | undefined;
  /** Who acted: the authority where nobody else did. */
  readonly actor?: string | undefined;
  /** With a leg in one of these banks. */
  readonly banks?: readonly string[] | undefined;
  readonly kinds?: readonly ActivityKind[] | undefined;
  /** Inclusive. */
  readonly since?: Date | undefined;
  /** Exclusive. */
  readonly until?: Date | undefined;
  readonly finality?: ActivityRow['finality'] | undefined;
}

export interface ActivityListPage extends ActivityFilter {
  /** Only what is older than this. */
  readonly before?: ActivityPlace | undefined;
  readonly limit: number;
}

/**
 * A page of everybody's activity with its legs, newest first.
 *
 * Read by whatever narrows it most, backwards from the page's place until there are enough: accounts, who, banks, else kinds. Time is
 * a bound of slots, which never goes back along a chain, so that what lies outside is not looked at.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function listActivity(db: QueryExecutorProvider, page: ActivityListPage): Promise<readonly ActivityRow[]> {
  const sources = sourcesOf(page);
  if (sources.length === 0) return [];
  const found = sql`
    select distinct on (slot, signature, instruction_index, coalesce(inner_index, -1)) *
    from (${sql.join(sources, sql` union all `)}) as seen
    order by ${NEWEST_FIRST}
    limit ${page.limit}
  `;
  const { rows } = await activityRows(found).execute(db);
  return rows;
}

/**
 * The newest activity of each account, as its own: what others did to it, and not what it did to others.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function listNewestActivity(
  db: QueryExecutorProvider,
  {
    accounts,
    limit,
    kinds,
  }: { readonly accounts: readonly string[]; readonly limit: number } & Pick<ActivityFilter, 'kinds'>,
): Promise<readonly ActivityRow[]> {
  if (accounts.length === 0) return [];
  const { rows } = await activityRows(byAccount({ accounts, kinds, limit })).execute(db);
  return rows;
}

function sourcesOf(page: ActivityListPage): RawBuilder<unknown>[] {
  const { accounts, authority, actor, banks } = page;
  if (accounts !== undefined) return [byAccount({ ...page, accounts })];
  if (authority !== undefined) return [newest({ ...page, authority: undefined }, sql`authority = ${authority}`)];
  if (actor !== undefined) {
    const rest = { ...page, actor: undefined };
    return [newest(rest, sql`actor = ${actor}`), newest(rest, sql`authority = ${actor} and actor is null`)];
  }
  return banks === undefined ? [byKind(page, page.kinds ?? ACTIVITY_KINDS)] : byBank({ ...page, banks });
}

function byAccount(page: ActivityListPage & { readonly accounts: readonly string[] }): RawBuilder<unknown> {
  return sql`
    select newest.*
    from unnest(${[...new Set(page.accounts)]}::text[]) as asked (account)
    cross join lateral ${newest({ ...page, accounts: undefined }, sql`activity.account = asked.account`)} as newest
  `;
}

/** Kinds one by one: of each the newest are at one end of the index. */
function byKind(page: ActivityListPage, kinds: readonly ActivityKind[]): RawBuilder<unknown> {
  return sql`
    select newest.*
    from unnest(${[...new Set(kinds)]}::text[]) as asked (kind)
    cross join lateral ${newest({ ...page, kinds: undefined }, sql`activity.kind = asked.kind`)} as newest
  `;
}

/**
 * A kind that is named like the action of its only leg is found by the leg. Other kinds are few, so that theirs are gone through for the
 * bank; of its legs hardly one would be theirs.
 */
function byBank(page: ActivityListPage & { readonly banks: readonly string[] }): RawBuilder<unknown>[] {
  const { kinds } = page;
  if (kinds === undefined) return [byLeg(page, LEG_ACTIONS)];
  const others = kinds.filter((kind) => !isAction(kind));
  const actions = kinds.filter(isAction);
  return [
    ...(actions.length === 0 ? [] : [byLeg({ ...page, kinds: actions }, actions)]),
    ...(others.length === 0 ? [] : [byKind(page, others)]),
  ];
}

/** An activity with several legs in a bank is there once. */
function byLeg(
  page: ActivityListPage & { readonly banks: readonly string[] },
  actions: readonly LegAction[],
): RawBuilder<unknown> {
  const { banks, before, limit } = page;
  const legs = [
    sql`activity_leg.bank = asked.bank and activity_leg.action = asked.action`,
    ...slotBounds(page, sql`activity_leg.slot`),
  ];
  if (before !== undefined) legs.push(sql`activity_leg.slot <= ${before.slot}::bigint`);
  const conditions = conditionsOf({ ...page, banks: undefined });
  return sql`
    select newest.*
    from (
      select bank, action
      from unnest(${[...new Set(banks)]}::text[]) as bank cross join unnest(${[...new Set(actions)]}::text[]) as action
    ) as asked
    cross join lateral (
      select distinct on (activity_leg.slot, signature, instruction_index, coalesce(inner_index, -1)) of_leg.*
      from activity_leg
      -- Apart: of a join by key and slot the planner expects one row in all, and would read every leg of the bank to find it.
      cross join lateral (
        select activity.* from activity
        where activity.key = activity_leg.activity and activity.slot = activity_leg.slot and ${sql.join(conditions, sql` and `)}
        offset 0
      ) as of_leg
      where ${sql.join(legs, sql` and `)}
      order by activity_leg.slot desc, signature desc, instruction_index desc, coalesce(inner_index, -1) desc
      limit ${limit}
    ) as newest
  `;
}

/** The newest rows that meet a condition and the page's. */
function newest(page: ActivityListPage, condition: RawBuilder<unknown>): RawBuilder<unknown> {
  const conditions = [condition, ...slotBounds(page, sql`activity.slot`), ...conditionsOf(page)];
  return sql`(
    select * from activity where ${sql.join(conditions, sql` and `)} order by ${NEWEST_FIRST} limit ${page.limit}
  )`;
}

function conditionsOf(page: ActivityListPage): RawBuilder<unknown>[] {
  const { authority, actor, banks, kinds, since, until, finality, before } = page;
  const conditions = [notSeenLater];
  if (authority !== undefined) conditions.push(sql`authority = ${authority}`);
  if (actor !== undefined) conditions.push(sql`coalesce(actor, authority) = ${actor}`);
  if (kinds !== undefined) conditions.push(sql`kind = any(${[...kinds]}::text[])`);
  if (since !== undefined) conditions.push(sql`time >= ${since}::timestamptz`);
  if (until !== undefined) conditions.push(sql`time < ${until}::timestamptz`);
  if (finality !== undefined) {
    const isOpen = sql`exists (
      select from slot_finality where slot_finality.slot = activity.slot and slot_finality.finality = 'confirmed'
    )`;
    conditions.push(finality === 'confirmed' ? isOpen : sql`not ${isOpen}`);
  }
  if (banks !== undefined) {
    conditions.push(sql`exists (
      select from activity_leg
      where activity_leg.activity = activity.key and activity_leg.slot = activity.slot
        and activity_leg.bank = any(${[...banks]}::text[])
    )`);
  }
  if (before !== undefined) conditions.push(...isBefore(before));
  return conditions;
}

/** The same bounds as those of time and finality, in what the indexes are ordered by. */
function slotBounds({ since, until, finality }: ActivityListPage, slot: RawBuilder<unknown>): RawBuilder<unknown>[] {
  const bounds: RawBuilder<unknown>[] = [];
  if (since !== undefined) bounds.push(sql`${slot} > ${lastSlotBefore(since)}`);
  if (until !== undefined) bounds.push(sql`${slot} <= ${lastSlotBefore(until)}`);
  if (finality === 'confirmed') {
    bounds.push(sql`${slot} >= (select min(slot) from slot_finality where slot_finality.finality = 'confirmed')`);
  }
  return bounds;
}

/** Of those that anything happened in. */
function lastSlotBefore(time: Date): RawBuilder<unknown> {
  return sql`coalesce(
    (select slot from activity as timed where timed.time < ${time}::timestamptz order by timed.time desc, slot desc limit 1), -1
  )`;
}

function isAction(kind: ActivityKind | LegAction): kind is ActivityKind & LegAction {
  return (LEG_ACTIONS as readonly string[]).includes(kind);
}
