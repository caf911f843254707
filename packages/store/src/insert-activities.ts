import { hash } from 'node:crypto';
import { isLendingError } from '@lending/errors';
import { sql } from 'kysely';
import { activityText, COPIED_ACTIVITY_COLUMNS, COPIED_LEG_COLUMNS, legText } from './activity-text.ts';
import type { ActivityWrite, KeyedActivity } from './activity-write.ts';
import { copyRows } from './copy-rows.ts';
import type { Transaction } from './create-store.ts';
import { holdFinality } from './lock-finality.ts';

/**
 * Adds activity. The same id in the same slot again changes nothing; of a dropped slot nothing is taken in. Rows are only added, so
 * that it does not matter in which order they come, nor in which order with the finality of their slots.
 */
export async function insertActivities(transaction: Transaction, activities: readonly ActivityWrite[]): Promise<void> {
  if (activities.length === 0) return;
  await holdFinality(transaction);
  const dropped = await noteSlots(transaction, activities);
  const rows = inOrder(activities.filter(({ slot }) => !dropped.has(slot)));
  if (rows.length === 0) return;
  if (!(await tryCopy(transaction, rows))) await insertNew(transaction, rows);
}

/** Under which key the tables have an activity: a sixth of the width of its id. */
export function activityKey(id: string): string {
  return hash('md5', id);
}

/** Once each, in order of the keys, so that two transactions that write the same rows never wait for each other in a ring. */
function inOrder(activities: readonly ActivityWrite[]): KeyedActivity[] {
  const byKey = new Map<string, KeyedActivity>();
  for (const activity of activities) {
    const key = activityKey(activity.id);
    const place = `${key}:${activity.slot.toString().padStart(20, '0')}`;
    if (!byKey.has(place)) byKey.set(place, { ...activity, key });
  }
  return [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

/** Adds slots that are not known yet, and marks as final those whose activity or changes were read as final. Returns the dropped ones. */
export async function noteSlots(
  transaction: Transaction,
  happened: readonly Pick<ActivityWrite, 'slot' | 'finality'>[],
): Promise<ReadonlySet<bigint>> {
  const seen = new Map<bigint, ActivityWrite['finality']>();
  for (const { slot, finality } of happened) if (seen.get(slot) !== 'finalized') seen.set(slot, finality);
  const known = await readFinality(transaction, [...seen.keys()]);
  const changed = [...seen]
    .filter(([slot, finality]) => {
      const before = known.get(slot);
      return before === undefined || (before === 'confirmed' && finality === 'finalized');
    })
    .sort(([a], [b]) => (a < b ? -1 : 1));
  if (changed.length > 0) {
    await sql`
      insert into slot_finality (slot, finality)
      select * from unnest(${changed.map(([slot]) => slot)}::bigint[], ${changed.map(([, finality]) => finality)}::text[])
      on conflict (slot) do update set finality = excluded.finality
      where slot_finality.finality = 'confirmed' and excluded.finality = 'finalized'
    `.execute(transaction);
  }
  return new Set([...known].filter(([, finality]) => finality === 'dropped').map(([slot]) => slot));
}

async function readFinality(
  transaction: Transaction,
  slots: readonly bigint[],
): Promise<ReadonlyMap<bigint, 'confirmed' | 'finalized' | 'dropped'>> {
  const { rows } = await sql<{ slot: bigint; finality: 'confirmed' | 'finalized' | 'dropped' }>`
    select slot, finality from slot_finality where slot = any(${[...slots]}::bigint[])
  `.execute(transaction);
  return new Map(rows.map(({ slot, finality }) => [slot, finality]));
}

const UNIQUE_VIOLATION = '23505';

/** New rows, which most batches are, by COPY. False when one is there already: COPY refuses all of them. */
async function tryCopy(transaction: Transaction, rows: readonly KeyedActivity[]): Promise<boolean> {
  const legs = legText(rows);
  const text = activityText(rows);
  try {
    await copyRows(transaction, `savepoint copying; copy activity (${COPIED_ACTIVITY_COLUMNS}) from stdin`, text);
    await copyRows(
      transaction,
      `copy activity_leg (${COPIED_LEG_COLUMNS}) from stdin; release savepoint copying`,
      legs,
    );
    return true;
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    await sql`rollback to savepoint copying`.execute(transaction);
    return false;
  }
}

function isUniqueViolation(error: unknown): boolean {
  if (!isLendingError(error, 'STORE__ROW_INVALID')) return false;
  return (error.cause as { readonly code?: string } | undefined)?.code === UNIQUE_VIOLATION;
}

/** The slower way, which skips rows that are there already; their legs are, too. */
async function insertNew(transaction: Transaction, rows: readonly KeyedActivity[]): Promise<void> {
  const column = <K extends keyof KeyedActivity>(name: K): KeyedActivity[K][] => rows.map((row) => row[name]);
  const json = (name: 'liquidation' | 'rebalance') =>
    column(name).map((value) => (value == null ? null : JSON.stringify(value)));
  const legs = rows.flatMap((row) =>
    row.legs.map((leg, nth) => ({ activity: row.key, slot: row.slot, leg: nth, ...leg })),
  );
  const legColumn = <K extends keyof (typeof legs)[number]>(name: K) => legs.map((leg) => leg[name]);
  await sql`
    with added as (
      insert into activity (${sql.raw(COPIED_ACTIVITY_COLUMNS)})
      select * from unnest(
        ${column('key')}::uuid[],
        ${column('slot')}::bigint[],
        ${column('time')}::timestamptz[],
        ${column('feeLamports')}::bigint[],
        ${column('tipLamports')}::bigint[],
        ${column('instructionIndex')}::smallint[],
        ${column('innerIndex')}::smallint[],
        ${column('kind')}::text[],
        ${column('account')}::text[],
        ${column('authority')}::text[],
        ${rows.map(({ actor, authority }) => (actor === authority ? null : actor))}::text[],
        ${column('counterparty')}::text[],
        ${column('signature')}::text[],
        ${column('groupId')}::text[],
        ${json('liquidation')}::jsonb[],
        ${json('rebalance')}::jsonb[]
      )
      on conflict (key, slot) do nothing
      returning key, slot
    )
    insert into activity_leg (${sql.raw(COPIED_LEG_COLUMNS)})
    select seen.*
    from unnest(
      ${legColumn('activity')}::uuid[],
      ${legColumn('slot')}::bigint[],
      ${legColumn('leg')}::smallint[],
      ${legColumn('closesSide')}::boolean[],
      ${legColumn('action')}::text[],
      ${legColumn('bank')}::text[],
      ${legColumn('mint')}::text[],
      ${legColumn('amountBase')}::numeric[],
      ${legColumn('shares')}::numeric[],
      ${legs.map(({ premium }) => premium?.settledBase ?? null)}::numeric[],
      ${legs.map(({ premium }) => premium?.writtenOffBase ?? null)}::numeric[]
    ) as seen (activity, slot)
    join added on added.key = seen.activity and added.slot = seen.slot
  `.execute(transaction);
}
