import { sql } from 'kysely';
import type { Transaction } from './create-store.ts';
import { newestWriteByKey } from './newest-write-by-key.ts';

/** A standing order of an account as it stood at one write of one slot. Prices and slippage in full precision as decimal text. */
export interface AccountOrderWrite {
  readonly address: string;
  readonly account: string;
  /** Null: the order does not exist any more. */
  readonly state: {
    readonly trigger: string;
    readonly stopLoss: string | null;
    readonly takeProfit: string | null;
    readonly maxSlippage: string;
    readonly tags: readonly number[];
  } | null;
  readonly source: 'chain' | 'localnet';
  readonly slot: bigint;
  readonly writeVersion: string | null;
  readonly slotTime: string;
}

/** Writes standing orders. A write older than the one stored changes nothing. */
export async function upsertAccountOrders(
  transaction: Transaction,
  orders: readonly AccountOrderWrite[],
): Promise<void> {
  const rows = newestWriteByKey(orders, ({ address }) => address);
  if (rows.length === 0) return;
  const column = <K extends keyof AccountOrderWrite>(name: K): AccountOrderWrite[K][] => rows.map((row) => row[name]);
  const states = column('state');
  await sql`
    insert into account_order (
      address, account, trigger, stop_loss, take_profit, max_slippage, tags, is_closed, source, slot, write_version, slot_time
    )
    select
      address, account, trigger, stop_loss, take_profit, max_slippage,
      case when tags is not null then array(select jsonb_array_elements_text(tags)::integer) end,
      is_closed, source, slot, write_version, slot_time
    from unnest(
      ${column('address')}::text[],
      ${column('account')}::text[],
      ${states.map((state) => state?.trigger ?? null)}::text[],
      ${states.map((state) => state?.stopLoss ?? null)}::numeric[],
      ${states.map((state) => state?.takeProfit ?? null)}::numeric[],
      ${states.map((state) => state?.maxSlippage ?? null)}::numeric[],
      ${states.map((state) => (state === null ? null : JSON.stringify(state.tags)))}::jsonb[],
      ${states.map((state) => state === null)}::boolean[],
      ${column('source')}::text[],
      ${column('slot')}::bigint[],
      ${column('writeVersion')}::numeric[],
      ${column('slotTime')}::timestamptz[]
    ) as seen (
      address, account, trigger, stop_loss, take_profit, max_slippage, tags, is_closed, source, slot, write_version, slot_time
    )
    on conflict (address) do update set
      account = excluded.account,
      trigger = excluded.trigger,
      stop_loss = excluded.stop_loss,
      take_profit = excluded.take_profit,
      max_slippage = excluded.max_slippage,
      tags = excluded.tags,
      is_closed = excluded.is_closed,
      source = excluded.source,
      slot = excluded.slot,
      write_version = excluded.write_version,
      slot_time = excluded.slot_time
    where (account_order.slot, coalesce(account_order.write_version, 'infinity'))
      <= (excluded.slot, coalesce(excluded.write_version, 'infinity'))
  `.execute(transaction);
}
