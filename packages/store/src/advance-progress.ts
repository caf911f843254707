import { sql } from 'kysely';
import type { Database, Transaction } from './create-store.ts';
import { newestByKey } from './newest-by-key.ts';

/** How far the indexer has come. `tipTime` is an ISO-8601 instant. */
export interface ChainProgressWrite {
  readonly tipSlot: bigint;
  readonly tipTime: string;
  readonly rootSlot: bigint;
  readonly source: 'chain' | 'localnet';
}

/** Moves how far the indexer has come; never back, neither tip nor root. */
export async function advanceChainProgress(
  transaction: Transaction,
  steps: readonly ChainProgressWrite[],
): Promise<void> {
  const [newest] = newestByKey(
    steps.map((step) => ({ ...step, slot: step.tipSlot })),
    () => '',
  );
  if (newest === undefined) return;
  const roots = steps.map(({ rootSlot }) => rootSlot);
  await sql`
    insert into chain_progress as known (tip_slot, tip_time, root_slot, source)
    select ${newest.tipSlot}::bigint, ${newest.tipTime}::timestamptz, max(root), ${newest.source}
    from unnest(${roots}::bigint[]) as root
    on conflict (only_one) do update set
      tip_slot = greatest(known.tip_slot, excluded.tip_slot),
      tip_time = case when excluded.tip_slot >= known.tip_slot then excluded.tip_time else known.tip_time end,
      root_slot = greatest(known.root_slot, excluded.root_slot),
      source = excluded.source
  `.execute(transaction);
}

/** How far reading one part of the past has come, as of a slot. `slotTime` is an ISO-8601 instant. */
export interface IndexProgressWrite {
  readonly task: string;
  readonly kind: 'accounts' | 'activity';
  readonly address: string | null;
  readonly fromSlot: bigint;
  readonly untilSlot: bigint;
  readonly cursor: { readonly signature: string; readonly slot: bigint } | null;
  readonly done: number;
  readonly total: number | null;
  readonly isComplete: boolean;
  readonly source: 'chain' | 'localnet';
  readonly slot: bigint;
  readonly slotTime: string;
}

/** Writes how far tasks have come. What an older message says changes nothing; of one slot the one that has done more is newer. */
export async function upsertIndexProgress(
  transaction: Transaction,
  progress: readonly IndexProgressWrite[],
): Promise<void> {
  const rows = newestByKey([...progress].sort(compareWithinSlot), ({ task }) => task);
  if (rows.length === 0) return;
  const column = <K extends keyof IndexProgressWrite>(name: K): IndexProgressWrite[K][] => rows.map((row) => row[name]);
  await sql`
    insert into index_progress as known (
      task, kind, address, from_slot, until_slot, cursor_signature, cursor_slot, done, total, is_complete,
      source, slot, slot_time
    )
    select * from unnest(
      ${column('task')}::text[],
      ${column('kind')}::text[],
      ${column('address')}::text[],
      ${column('fromSlot')}::bigint[],
      ${column('untilSlot')}::bigint[],
      ${column('cursor').map((cursor) => cursor?.signature ?? null)}::text[],
      ${column('cursor').map((cursor) => cursor?.slot ?? null)}::bigint[],
      ${column('done')}::bigint[],
      ${column('total')}::bigint[],
      ${column('isComplete')}::boolean[],
      ${column('source')}::text[],
      ${column('slot')}::bigint[],
      ${column('slotTime')}::timestamptz[]
    )
    on conflict (task) do update set
      kind = excluded.kind,
      address = excluded.address,
      from_slot = excluded.from_slot,
      until_slot = excluded.until_slot,
      cursor_signature = excluded.cursor_signature,
      cursor_slot = excluded.cursor_slot,
      done = excluded.done,
      total = excluded.total,
      is_complete = excluded.is_complete,
      source = excluded.source,
      slot = excluded.slot,
      slot_time = excluded.slot_time
    where (known.slot, known.is_complete, known.done) <= (excluded.slot, excluded.is_complete, excluded.done)
  `.execute(transaction);
}

/**
 * Forgets parts of an address's past that were read to their end long ago: every reconnection leaves one. The newest stays, and so do
 * those that reach down to the beginning: they say that the past is whole.
 * @returns how many.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function forgetReadPast(
  db: Database,
  { address, keepDays }: { readonly address: string; readonly keepDays: number },
): Promise<number> {
  const result = await sql`
    delete from index_progress as old
    using chain_progress
    where old.kind = 'activity' and old.address = ${address} and old.is_complete and old.until_slot > 0
      and old.slot_time < tip_time - make_interval(days => ${keepDays}::int)
      and exists (
        select from index_progress as newer
        where newer.kind = 'activity' and newer.address = old.address
          and (newer.slot, newer.from_slot, newer.task) > (old.slot, old.from_slot, old.task)
      )
  `.execute(db);
  return Number(result.numAffectedRows ?? 0n);
}

/**
 * Forgets how far the past of addresses was read whose activity nobody follows any more; who asks again has it read again. What came
 * on within `idleMs` of the tip stays: of an address that is being answered the accounts are not written down yet.
 * @returns how many.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function forgetUnfollowedPast(
  db: Database,
  { program, idleMs }: { readonly program: string; readonly idleMs: number },
): Promise<number> {
  const result = await sql`
    delete from index_progress as old
    using chain_progress
    where old.kind = 'activity' and old.address <> ${program}
      and old.slot_time < tip_time - make_interval(secs => ${idleMs}::float8 / 1000)
      and old.address not in (
        select unnest(array[address] || coalesce(accounts, '{}')) from followed_address where aspect = 'activity'
      )
  `.execute(db);
  return Number(result.numAffectedRows ?? 0n);
}

/** `newestByKey` takes the last of one slot. */
function compareWithinSlot(a: IndexProgressWrite, b: IndexProgressWrite): number {
  return Number(a.isComplete) - Number(b.isComplete) || a.done - b.done;
}
