import { sql } from 'kysely';
import type { Transaction } from './create-store.ts';
import { newestWriteByKey } from './newest-write-by-key.ts';

/** A standing order to rebalance as it stood at one write of one slot. Numbers as decimal text; times in unix seconds. */
export interface RebalanceOrderWrite {
  readonly address: string;
  readonly account: string;
  /** Null: the order does not exist any more. */
  readonly state: {
    readonly mint: string;
    readonly banks: readonly string[];
    readonly minImprovement: string;
    readonly cooldownSeconds: string;
    readonly amountBase: string | null;
    readonly keeperTipLamports: string;
    readonly lastExecutedAt: string | null;
    readonly feePoolLamports: string;
  } | null;
  readonly source: 'chain' | 'localnet';
  readonly slot: bigint;
  readonly writeVersion: string | null;
  readonly slotTime: string;
}

/** Writes standing orders to rebalance. A write older than the one stored changes nothing. */
export async function upsertRebalanceOrders(
  transaction: Transaction,
  orders: readonly RebalanceOrderWrite[],
): Promise<void> {
  const rows = newestWriteByKey(orders, ({ address }) => address);
  if (rows.length === 0) return;
  const column = <K extends keyof RebalanceOrderWrite>(name: K): RebalanceOrderWrite[K][] =>
    rows.map((row) => row[name]);
  type State = NonNullable<RebalanceOrderWrite['state']>;
  const of = <K extends keyof State>(name: K): (State[K] | null)[] => rows.map(({ state }) => state?.[name] ?? null);
  await sql`
    insert into rebalance_order (
      address, account, mint, banks, min_improvement, cooldown_seconds, amount_base, keeper_tip_lamports, last_executed_at,
      fee_pool_lamports, is_closed, source, slot, write_version, slot_time
    )
    select
      address, account, mint, case when banks is not null then array(select jsonb_array_elements_text(banks)) end,
      min_improvement, cooldown_seconds, amount_base, keeper_tip_lamports, last_executed_at, fee_pool_lamports, is_closed,
      source, slot, write_version, slot_time
    from unnest(
      ${column('address')}::text[],
      ${column('account')}::text[],
      ${of('mint')}::text[],
      ${of('banks').map((banks) => banks && JSON.stringify(banks))}::jsonb[],
      ${of('minImprovement')}::numeric[],
      ${of('cooldownSeconds')}::numeric[],
      ${of('amountBase')}::numeric[],
      ${of('keeperTipLamports')}::numeric[],
      ${of('lastExecutedAt')}::numeric[],
      ${of('feePoolLamports')}::numeric[],
      ${rows.map(({ state }) => state === null)}::boolean[],
      ${column('source')}::text[],
      ${column('slot')}::bigint[],
      ${column('writeVersion')}::numeric[],
      ${column('slotTime')}::timestamptz[]
    ) as seen (
      address, account, mint, banks, min_improvement, cooldown_seconds, amount_base, keeper_tip_lamports, last_executed_at,
      fee_pool_lamports, is_closed, source, slot, write_version, slot_time
    )
    on conflict (address) do update set
      account = excluded.account,
      mint = excluded.mint,
      banks = excluded.banks,
      min_improvement = excluded.min_improvement,
      cooldown_seconds = excluded.cooldown_seconds,
      amount_base = excluded.amount_base,
      keeper_tip_lamports = excluded.keeper_tip_lamports,
      last_executed_at = excluded.last_executed_at,
      fee_pool_lamports = excluded.fee_pool_lamports,
      is_closed = excluded.is_closed,
      source = excluded.source,
      slot = excluded.slot,
      write_version = excluded.write_version,
      slot_time = excluded.slot_time
    where (rebalance_order.slot, coalesce(rebalance_order.write_version, 'infinity'))
      <= (excluded.slot, coalesce(excluded.write_version, 'infinity'))
  `.execute(transaction);
}
