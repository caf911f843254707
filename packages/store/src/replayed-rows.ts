import { sql } from 'kysely';
import { copyField } from './copy-field.ts';
import { copyRows } from './copy-rows.ts';
import { copyText } from './copy-text.ts';
import type { Transaction } from './create-store.ts';

/**
 * Which row a message wrote. What the columns hold depends on the topic: `address` the bank, reserve, account, order, wallet, task,
 * followed address or mint that is swapped; `slot` and `time` the message's, or those of one of the slots or points it carries; `detail`
 * the key of an activity, the id of a group's change, the length of a point, the aspect of a follow, the mint that a swap gives.
 */
export interface ReplayedRow {
  readonly topic: string;
  readonly address?: string;
  readonly slot?: bigint;
  readonly time?: string;
  readonly detail?: string;
}

/** Begins the list of rows that a replay writes anew. It lives as long as the transaction. */
export async function beginReplayedRows(transaction: Transaction): Promise<void> {
  await sql`
    create temporary table replayed (
      topic text not null, address text, slot bigint, time timestamptz, detail text
    ) on commit drop
  `.execute(transaction);
}

/** Adds to the list. The same row several times is no matter. */
export async function addReplayedRows(transaction: Transaction, rows: readonly ReplayedRow[]): Promise<void> {
  if (rows.length === 0) return;
  const text = copyText(
    rows,
    ({ topic, address, slot, time, detail }) =>
      `${topic}\t${copyField(address)}\t${slot ?? '\\N'}\t${copyField(time)}\t${copyField(detail)}\n`,
  );
  await copyRows(transaction, 'copy replayed (topic, address, slot, time, detail) from stdin', text);
}

/**
 * Takes away what the listed messages wrote, so that projecting them again writes it anew, and nothing else.
 *
 * What is added row by row (samples, limit changes, activity, changes of the group and of tags, how slots ended) is deleted. What is the
 * newest state of something is kept and marked as older than any message: what an earlier message is the only one to know, such as the
 * owner of a closed account, stays. Hours and days are rolled up again by the samples that come back late for them. Readings in quarantine
 * are overwritten as they come again, since the time of recording stays.
 */
export async function removeReplayedRows(transaction: Transaction): Promise<void> {
  await sql`analyze replayed`.execute(transaction);
  for (const statement of [...ADDED_ROWS, ...NEWEST_STATES.map(outdate), ...OTHERS]) {
    await statement.execute(transaction);
  }
}

const ADDED_ROWS = [
  sql`
    delete from rate_sample
    using replayed, rate_series
    where replayed.topic = 'rate.sampled.v1' and rate_series.address = replayed.address
      and rate_sample.series = rate_series.id and rate_sample.time = replayed.time and rate_sample.slot = replayed.slot
  `,
  sql`
    delete from rate_hour
    using replayed, rate_series
    where replayed.topic = 'rate.backfilled.v1' and replayed.detail = '1h' and rate_series.address = replayed.address
      and rate_hour.series = rate_series.id and rate_hour.bucket = date_bin('1 hour', replayed.time, 'epoch'::timestamptz)
      and rate_hour.source <> 'poller'
  `,
  sql`
    delete from rate_day
    using replayed, rate_series
    where replayed.topic = 'rate.backfilled.v1' and replayed.detail = '1d' and rate_series.address = replayed.address
      and rate_day.series = rate_series.id and rate_day.bucket = date_bin('1 day', replayed.time, 'epoch'::timestamptz)
      and rate_day.source <> 'poller'
  `,
  sql`
    delete from bank_limit_change
    using replayed
    where replayed.topic in ('bank.updated.v1', 'reserve.updated.v1')
      and bank_limit_change.address = replayed.address and bank_limit_change.slot = replayed.slot
  `,
  sql`
    delete from bank_rejection using replayed where replayed.topic = 'bank.rejected.v1' and bank = replayed.address
  `,
  sql`
    delete from activity_leg
    using replayed
    where replayed.topic = 'activity.recorded.v1'
      and activity_leg.activity = replayed.detail::uuid and activity_leg.slot = replayed.slot
  `,
  sql`
    delete from activity
    using replayed
    where replayed.topic = 'activity.recorded.v1' and key = replayed.detail::uuid and activity.slot = replayed.slot
  `,
  sql`
    delete from group_change
    using replayed
    where group_change.slot = replayed.slot and (
      (replayed.topic = 'group.changed.v1' and group_change.id = replayed.detail)
      or (replayed.topic = 'account.updated.v1' and group_change.address = replayed.address)
    )
  `,
  // A slot whose end no message tells any more keeps it.
  sql`
    delete from slot_finality
    using replayed
    where slot_finality.slot = replayed.slot and (
      replayed.topic in ('slot.finalized.v1', 'fork.dropped.v1')
      or (replayed.topic in ('activity.recorded.v1', 'group.changed.v1') and finality = 'confirmed')
    )
  `,
];

/** Tables of newest states: their key, and the topic that feeds them. */
const NEWEST_STATES = [
  { table: 'bank', key: 'address', topic: 'bank.updated.v1' },
  { table: 'reserve', key: 'address', topic: 'reserve.updated.v1' },
  { table: 'oracle_price', key: 'bank', topic: 'oracle.priced.v1' },
  { table: 'bank_measure', key: 'bank', topic: 'bank.measured.v1' },
  { table: 'account', key: 'address', topic: 'account.updated.v1' },
  { table: 'account_order', key: 'address', topic: 'order.updated.v1' },
  { table: 'rebalance_order', key: 'address', topic: 'rebalance.updated.v1' },
  { table: 'wallet', key: 'address', topic: 'wallet.updated.v1' },
  { table: 'index_progress', key: 'task', topic: 'index.progressed.v1' },
] as const;

function outdate({ table, key, topic }: (typeof NEWEST_STATES)[number]) {
  return sql`
    update ${sql.table(table)} set slot = -1
    where ${sql.ref(key)} in (select address from replayed where topic = ${topic})
  `;
}

const OTHERS = [
  sql`
    update swap_quote set slot = -1
    where (in_mint, out_mint) in (select address, detail from replayed where topic = 'swap.quoted.v1')
  `,
  sql`
    update bank_audit set slot = -1
    where (bank, figure) in (select address, detail from replayed where topic = 'bank.audited.v1')
  `,
  sql`
    update chain_progress set tip_slot = -1, root_slot = -1
    where exists (select from replayed where topic = 'slot.finalized.v1')
  `,
  sql`
    update followed_address set answered_slot = null, answered_time = null, accounts = null, is_complete = null
    where (address, aspect) in (select address, detail from replayed where topic = 'address.followed.v1')
  `,
];
