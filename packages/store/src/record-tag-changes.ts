import { sql } from 'kysely';
import type { Transaction } from './create-store.ts';
import { risingWrites } from './newest-write-by-key.ts';
import type { AccountWrite } from './upsert-accounts.ts';

/**
 * Adds a row for each write in which an account's liquidation tag differs from the one before, in the order of the writes. Few of these
 * changes have an event; the account's bytes show all. Rows are only added behind the newest write that is known of an account: duplicates
 * add none, and a write that comes after a newer one is left out whether the two are in one batch or not, because what was between them is
 * not kept. So the rows follow from the order in which the writes come, which is the topic's, and not from how that is cut into batches. An
 * account that is gone has no tag. Rows of a slot that is dropped stay, because accounts have no finality: the account is read again, and
 * the next row corrects it. Call it before `upsertAccounts`, which moves the newest known write.
 */
export async function recordTagChanges(transaction: Transaction, writes: readonly AccountWrite[]): Promise<void> {
  const rows = risingWrites(writes, ({ address }) => address);
  if (rows.length === 0) return;
  const column = <K extends keyof AccountWrite>(name: K): AccountWrite[K][] => rows.map((row) => row[name]);
  await sql`
    with seen as (
      select *, coalesce(write_version, 'infinity') as version
      from unnest(
        ${column('address')}::text[],
        ${column('slot')}::bigint[],
        ${column('writeVersion')}::numeric[],
        ${column('slotTime')}::timestamptz[],
        ${rows.map(({ state }) => state?.liquidationTaggedAt ?? null)}::bigint[]
      ) as written (address, slot, write_version, time, tagged_at)
    ),
    later as (
      select seen.*, last.tagged_at as known_tag
      from seen
      left join account using (address)
      left join lateral (
        select slot, (detail ->> 'version')::numeric as version, (detail ->> 'taggedAt')::bigint as tagged_at
        from group_change
        where address = seen.address and kind = 'liquidation_tag'
        order by slot desc, version desc
        limit 1
      ) as last on true
      where (seen.slot, seen.version) > (coalesce(account.slot, -1), coalesce(account.write_version, 'infinity'))
        and (seen.slot, seen.version) > (coalesce(last.slot, -1), coalesce(last.version, 'infinity'))
    ),
    compared as (
      select
        *,
        case when row_number() over before = 1 then known_tag else lag(tagged_at) over before end as tag_before
      from later
      window before as (partition by address order by slot, version)
    )
    insert into group_change (id, slot, time, kind, address, detail)
    select
      address || ':' || slot || coalesce(':' || write_version, ''), slot, time, 'liquidation_tag', address,
      jsonb_build_object('taggedAt', tagged_at::text, 'version', version::text)
    from compared
    where tagged_at is distinct from tag_before
    on conflict (id, slot) do nothing
  `.execute(transaction);
}
