import { sql } from 'kysely';
import type { Transaction } from './create-store.ts';
import { noteSlots } from './insert-activities.ts';
import { holdFinality } from './lock-finality.ts';

/** Something that happened to a bank or the group, in one slot; `time` is that block's, an ISO-8601 instant. */
export interface GroupChangeWrite {
  readonly id: string;
  readonly slot: bigint;
  readonly time: string;
  readonly kind: string;
  /** The bank; the group where it is of all banks. */
  readonly address: string;
  readonly actor: string;
  readonly finality: 'confirmed' | 'finalized';
  /** What the column shall hold as JSON. */
  readonly detail: object;
}

/**
 * Adds what happened to banks and their group. The same id in the same slot again changes nothing; of a dropped slot nothing is taken in.
 */
export async function insertGroupChanges(
  transaction: Transaction,
  changes: readonly GroupChangeWrite[],
): Promise<void> {
  if (changes.length === 0) return;
  await holdFinality(transaction);
  const dropped = await noteSlots(transaction, changes);
  const rows = changes.filter(({ slot }) => !dropped.has(slot));
  const column = <K extends keyof GroupChangeWrite>(name: K): GroupChangeWrite[K][] => rows.map((row) => row[name]);
  await sql`
    insert into group_change (id, slot, time, kind, address, actor, detail)
    select * from unnest(
      ${column('id')}::text[],
      ${column('slot')}::bigint[],
      ${column('time')}::timestamptz[],
      ${column('kind')}::text[],
      ${column('address')}::text[],
      ${column('actor')}::text[],
      ${column('detail').map((detail) => JSON.stringify(detail))}::jsonb[]
    ) as seen (id, slot)
    order by id, slot
    on conflict (id, slot) do nothing
  `.execute(transaction);
}
