import { sql } from 'kysely';
import type { Database, Transaction } from './create-store.ts';
import { lockFinality } from './lock-finality.ts';

/** Marks slots as final. One that was dropped stays so. */
export async function finalizeSlots(transaction: Transaction, slots: readonly bigint[]): Promise<void> {
  if (slots.length === 0) return;
  await sql`
    insert into slot_finality (slot, finality)
    select slot, 'finalized' from (select distinct slot from unnest(${[...slots]}::bigint[]) as slot) as final order by slot
    on conflict (slot) do update set finality = excluded.finality
    where slot_finality.finality = 'confirmed'
  `.execute(transaction);
}

/** Takes the activity and the group's changes of slots back and refuses what still comes of them: the chain went on without them. */
export async function dropSlots(transaction: Transaction, slots: readonly bigint[]): Promise<void> {
  if (slots.length === 0) return;
  await lockFinality(transaction);
  await sql`
    insert into slot_finality (slot, finality)
    select slot, 'dropped' from (select distinct slot from unnest(${[...slots]}::bigint[]) as slot) as gone order by slot
    on conflict (slot) do update set finality = excluded.finality
    where slot_finality.finality <> 'dropped'
  `.execute(transaction);
  await sql`delete from group_change where slot = any(${[...slots]}::bigint[]) and kind <> 'liquidation_tag'`.execute(
    transaction,
  );
  await sql`
    with gone as (
      delete from activity where slot = any(${[...slots]}::bigint[]) returning key, slot
    )
    delete from activity_leg using gone where activity_leg.activity = gone.key and activity_leg.slot = gone.slot
  `.execute(transaction);
}

/** Slots behind the root whose finality is remembered, on a chain that makes two or three a second: some days. */
const REMEMBERED_SLOTS = 1_000_000;

/**
 * Forgets that slots became final, long after they did: activity of a slot that nothing is known of counts as final. Dropped ones are
 * remembered for good.
 * @returns how many.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function forgetFinalSlots(db: Database): Promise<number> {
  const result = await sql`
    delete from slot_finality
    using chain_progress
    where finality = 'finalized' and slot < root_slot - ${sql.lit(REMEMBERED_SLOTS)}
  `.execute(db);
  return Number(result.numAffectedRows ?? 0n);
}
