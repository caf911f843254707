import type { Message, Topic } from '@lending/events';
import { activityKey, type ReplayedRow } from '@lending/store';

/** What a message wrote, so that it can be written anew. */
export function replayedRowsOf(message: Message): readonly ReplayedRow[] {
  return rowsOf(message.type, message);
}

function rowsOf<T extends Topic>(topic: T, message: Message): readonly ReplayedRow[] {
  return ROWS[topic](message as Message<T>).map((row) => ({ topic, ...row }));
}

type Row = Omit<ReplayedRow, 'topic'>;

/** Of every topic: which rows its messages are responsible for. */
const ROWS: { readonly [T in Topic]: (message: Message<T>) => readonly Row[] } = {
  'account.updated.v1': ({ payload, slot }) => [{ address: payload.account, slot }],
  'activity.recorded.v1': ({ payload, slot }) => [{ detail: activityKey(payload.id), slot }],
  'address.followed.v1': ({ payload }) => [{ address: payload.address, detail: payload.aspect }],
  'bank.audited.v1': ({ payload }) => [{ address: payload.bank, detail: payload.figure }],
  'bank.measured.v1': ({ payload }) => [{ address: payload.bank }],
  'bank.rejected.v1': ({ payload }) => [{ address: payload.bank }],
  'bank.updated.v1': ({ payload, slot }) => [{ address: payload.bank, slot }],
  'fork.dropped.v1': ({ payload }) => payload.slots.map((slot) => ({ slot: BigInt(slot) })),
  'group.changed.v1': ({ payload, slot }) => [{ detail: payload.id, slot }],
  'index.progressed.v1': ({ payload }) => [{ address: payload.task }],
  'oracle.priced.v1': ({ payload }) => [{ address: payload.bank }],
  'order.updated.v1': ({ payload }) => [{ address: payload.order }],
  'rate.backfilled.v1': ({ payload: { bank: address, interval: detail, points } }) =>
    points.map(({ time }) => ({ address, detail, time })),
  // Overwritten as it comes again.
  'rate.quarantined.v1': () => [],
  'rate.sampled.v1': ({ payload, slot, time }) => [{ address: payload.bank, slot, time }],
  'rebalance.updated.v1': ({ payload }) => [{ address: payload.order }],
  'reserve.updated.v1': ({ payload, slot }) => [{ address: payload.reserve, slot }],
  'slot.finalized.v1': ({ payload }) => [{}, ...payload.slots.map((slot) => ({ slot: BigInt(slot) }))],
  'swap.quoted.v1': ({ payload }) => [{ address: payload.inMint, detail: payload.outMint }],
  'wallet.updated.v1': ({ payload }) => [{ address: payload.wallet }],
};
