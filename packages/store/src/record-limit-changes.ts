import type { Venue } from '@lending/domain';
import { sql } from 'kysely';
import type { Transaction } from './create-store.ts';
import { lockBanks } from './lock-banks.ts';

/** The limits of a bank or reserve at one slot. Amounts are base units as text, null is no limit; `time` is the slot's. */
export interface LimitsSeen {
  readonly address: string;
  readonly kind: 'bank' | 'reserve';
  readonly venue: Venue;
  readonly depositLimitBase: string | null;
  readonly borrowLimitBase: string | null;
  /** Most USD that a bank counts as collateral; null on reserves. */
  readonly valueLimitUsd: string | null;
  readonly source: 'chain' | 'localnet';
  readonly slot: bigint;
  readonly time: string;
}

/**
 * Adds a row for each time that limits differ from those before, in the order of slots. History only grows at its end: what was seen
 * at or before the newest slot known of an address changes nothing, so replays and duplicates leave no trace. Belongs before the write
 * of what the bank or reserve is, which moves that slot.
 */
export async function recordLimitChanges(transaction: Transaction, seen: readonly LimitsSeen[]): Promise<void> {
  if (seen.length === 0) return;
  const column = <K extends keyof LimitsSeen>(name: K): LimitsSeen[K][] => seen.map((row) => row[name]);
  // Of two transactions about the same bank the second has to see what the first wrote.
  await lockBanks(transaction, column('address'));
  await sql`
    with seen as (
      -- The same address and slot twice is the same reading, published twice.
      select distinct on (address, slot) *
      from unnest(
        ${column('address')}::text[],
        ${column('kind')}::text[],
        ${column('venue')}::text[],
        ${column('depositLimitBase')}::numeric[],
        ${column('borrowLimitBase')}::numeric[],
        ${column('valueLimitUsd')}::numeric[],
        ${column('source')}::text[],
        ${column('slot')}::bigint[],
        ${column('time')}::timestamptz[]
      ) as seen (address, kind, venue, deposit_limit_base, borrow_limit_base, value_limit_usd, source, slot, time)
      order by address, slot
    ),
    known as (
      select distinct on (address)
        address,
        slot,
        greatest(
          slot,
          (select bank.slot from bank where bank.address = bank_limit_change.address),
          (select reserve.slot from reserve where reserve.address = bank_limit_change.address)
        ) as newest_slot,
        deposit_limit_base,
        borrow_limit_base,
        value_limit_usd
      from bank_limit_change
      where address in (select address from seen)
      order by address, slot desc
    ),
    later as (
      select seen.* from seen left join known using (address) where known.address is null or seen.slot > known.newest_slot
    ),
    in_order as (
      select address, slot, deposit_limit_base, borrow_limit_base, value_limit_usd, false as is_new from known
      union all
      select address, slot, deposit_limit_base, borrow_limit_base, value_limit_usd, true from later
    ),
    compared as (
      select
        address,
        slot,
        is_new,
        lag(slot) over before is null
          or deposit_limit_base is distinct from lag(deposit_limit_base) over before
          or borrow_limit_base is distinct from lag(borrow_limit_base) over before
          or value_limit_usd is distinct from lag(value_limit_usd) over before as differs
      from in_order
      window before as (partition by address order by slot)
    )
    insert into bank_limit_change (
      address, slot, time, kind, venue, deposit_limit_base, borrow_limit_base, value_limit_usd, source
    )
    select
      address, slot, time, kind, venue, deposit_limit_base, borrow_limit_base, value_limit_usd, source
    from later
    join compared using (address, slot)
    where compared.is_new and compared.differs
    on conflict (address, slot) do nothing
  `.execute(transaction);
}
