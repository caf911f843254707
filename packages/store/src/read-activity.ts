import type { ActivityKind, LegAction } from '@lending/domain';
import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';

/** As what an address can be part of an activity. */
const ROLES = ['account', 'authority', 'counterparty'] as const;
export type ActivityRole = (typeof ROLES)[number];

/** Where an activity stands in time: pages go on before it. */
export interface ActivityPlace {
  readonly slot: bigint;
  readonly signature: string;
  readonly instructionIndex: number;
  readonly innerIndex: number | null;
}

export interface ActivityPage {
  readonly addresses: readonly string[];
  /** As what they are looked for. Default: any. */
  readonly roles?: readonly ActivityRole[];
  readonly kinds?: readonly ActivityKind[] | undefined;
  /** Inclusive. */
  readonly since?: Date | undefined;
  /** Exclusive. */
  readonly until?: Date | undefined;
  /** Only what is older than this. */
  readonly before?: ActivityPlace | undefined;
  /** Only what happened in later slots. */
  readonly afterSlot?: bigint | undefined;
  readonly limit: number;
}

/** One leg; base units and shares as exact decimal text, null where they are not known. */
export interface ActivityLegRow {
  readonly bank: string;
  readonly mint: string;
  readonly action: LegAction;
  readonly amount_base: string | null;
  readonly shares: string | null;
  readonly closes_side: boolean;
  readonly premium_settled: string | null;
  readonly premium_written_off: string | null;
}

interface RebalanceSettled {
  readonly tipLamports: string;
  readonly realized: boolean | null;
}

export interface ActivityRow {
  readonly id: string;
  readonly signature: string;
  readonly instruction_index: number;
  readonly inner_index: number | null;
  readonly kind: ActivityKind;
  readonly group_id: string | null;
  readonly account: string;
  readonly authority: string;
  readonly actor: string;
  readonly counterparty: string | null;
  readonly fee_lamports: bigint;
  readonly tip_lamports: bigint;
  readonly finality: 'confirmed' | 'finalized';
  /** Base units as text. */
  readonly liquidation: {
    readonly liquidator: string;
    readonly assetBank: string | null;
    readonly liabilityBank: string | null;
    readonly seizedBase: string | null;
    readonly repaidBase: string | null;
  } | null;
  /** An execution of an order to rebalance, with its settlement once there is one; or a settlement, with `realized` set. Not a placement. */
  readonly rebalance:
    | (RebalanceSettled & {
        readonly order: string;
        readonly executor: string;
        readonly record: string | null;
        readonly moved: string | null;
        readonly settlement: RebalanceSettled | null;
      })
    | null;
  readonly slot: bigint;
  readonly time: Date;
  /** In the order they happened. */
  readonly legs: readonly ActivityLegRow[];
}

/** Newest first; of one slot by signature, of one transaction the last first. */
export const NEWEST_FIRST = sql`slot desc, signature desc, instruction_index desc, coalesce(inner_index, -1) desc`;

/**
 * Activity of addresses with its legs, newest first, a page at a time. Each activity once, whatever it has to do with the addresses.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function readActivity(db: QueryExecutorProvider, page: ActivityPage): Promise<readonly ActivityRow[]> {
  const { roles = ROLES, limit } = page;
  const found = sql`
    select distinct on (slot, signature, instruction_index, coalesce(inner_index, -1)) *
    from (${sql.join(
      roles.map((role) => newestAs(role, page)),
      sql` union all `,
    )}) as seen
    order by ${NEWEST_FIRST}
    limit ${limit}
  `;
  const { rows } = await activityRows(found).execute(db);
  return rows;
}

/**
 * The newest executions of orders to rebalance, of each order so many, newest first. An order may be closed and another one placed at its
 * address: what was executed before the newest placement that is known is of an order that is gone. Slots and, in one transaction,
 * instructions say what was before; an execution in another transaction of the placement's slot counts as after it, because only one that was
 * closed in that slot, too, could be of another order.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function readExecutions(
  db: QueryExecutorProvider,
  orders: readonly { readonly address: string; readonly account: string }[],
  limit: number,
): Promise<readonly ActivityRow[]> {
  if (orders.length === 0) return [];
  const { rows } = await activityRows(sql`
    select newest.*
    from unnest(${orders.map(({ address }) => address)}::text[], ${orders.map(({ account }) => account)}::text[])
      as asked (address, account)
    cross join lateral (
      select * from activity
      where activity.account = asked.account and kind = 'order' and rebalance ->> 'order' = asked.address
        and rebalance ->> 'moved' is not null and ${notSeenLater}
      order by ${NEWEST_FIRST} limit ${limit}
    ) as newest
    -- Looked for in the account from each execution on. As not exists it would be a join, for which all activity is read.
    where (
      select true from activity as placed
      where placed.account = asked.account and placed.kind = 'order' and placed.rebalance ->> 'order' = asked.address
        and placed.rebalance ->> 'executor' is null and placed.slot >= newest.slot
        and (
          placed.slot > newest.slot or (
            placed.signature = newest.signature
            and (placed.instruction_index, coalesce(placed.inner_index, -1))
              > (newest.instruction_index, coalesce(newest.inner_index, -1))
          )
        )
      limit 1
    ) is null
  `).execute(db);
  return rows;
}

/** Rows of `activity` with their legs and how final their slot is, newest first. */
export function activityRows(found: RawBuilder<unknown>): RawBuilder<ActivityRow> {
  return sql<ActivityRow>`
    select
      found.signature || ':' || instruction_index || coalesce(':' || inner_index, '') as id,
      found.signature, instruction_index, inner_index, kind, group_id, account, authority,
      coalesce(actor, authority) as actor, counterparty, fee_lamports, tip_lamports,
      case when exists (
        select from slot_finality where slot_finality.slot = found.slot and slot_finality.finality = 'confirmed'
      ) then 'confirmed' else 'finalized' end as finality,
      liquidation, slot, time,
      case when found.rebalance ->> 'executor' is not null then
        found.rebalance || jsonb_build_object(
          'settlement',
          (
            select settled.rebalance from activity as settled
            where found.rebalance ->> 'realized' is null
              -- Without a tip there is nothing to settle: all that the account did since would be searched in vain.
              and found.rebalance ->> 'tipLamports' <> '0' and settled.rebalance ->> 'realized' is not null
              and settled.rebalance ->> 'record' = found.rebalance ->> 'record'
              and settled.account = found.account and settled.kind = 'order' and settled.slot >= found.slot
            order by settled.slot limit 1
          )
        )
      end as rebalance,
      coalesce(
        (
          -- Amounts as text: a number in JSON would be read as a float.
          select json_agg(
            json_build_object(
              'bank', bank, 'mint', mint, 'action', action, 'amount_base', amount_base::text, 'shares', shares::text,
              'closes_side', closes_side, 'premium_settled', premium_settled::text,
              'premium_written_off', premium_written_off::text
            ) order by leg
          )
          from activity_leg where activity_leg.activity = found.key and activity_leg.slot = found.slot
        ),
        '[]'
      ) as legs
    from (${found}) as found
    order by ${NEWEST_FIRST}
  `;
}

/** Of a transaction that was seen in slots of two forks, the later one counts. */
export const notSeenLater = sql`not exists (
  select from activity as later where later.key = activity.key and later.slot > activity.slot
)`;

/** What is older than a place; the first of the two is there for an index. */
export function isBefore({ slot, signature, instructionIndex, innerIndex }: ActivityPlace): RawBuilder<unknown>[] {
  return [
    sql`activity.slot <= ${slot}::bigint`,
    sql`(activity.slot, signature, instruction_index, coalesce(inner_index, -1))
      < (${slot}::bigint, ${signature}, ${instructionIndex}::smallint, ${innerIndex ?? -1}::integer)`,
  ];
}

/** The newest of each address in one role: an index each, read backwards until there are enough. */
function newestAs(role: ActivityRole, page: ActivityPage): RawBuilder<unknown> {
  const { addresses, kinds, since, until, before, afterSlot, limit } = page;
  const conditions = [sql`activity.${sql.ref(role)} = asked.address`, notSeenLater];
  if (kinds !== undefined) conditions.push(sql`kind = any(${[...kinds]}::text[])`);
  if (since !== undefined) conditions.push(sql`time >= ${since}::timestamptz`);
  if (until !== undefined) conditions.push(sql`time < ${until}::timestamptz`);
  if (afterSlot !== undefined) conditions.push(sql`slot > ${afterSlot}::bigint`);
  if (before !== undefined) conditions.push(...isBefore(before));
  return sql`
    select newest.*
    from unnest(${[...addresses]}::text[]) as asked (address)
    cross join lateral (
      select * from activity where ${sql.join(conditions, sql` and `)} order by ${NEWEST_FIRST} limit ${limit}
    ) as newest
  `;
}
