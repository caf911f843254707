import type { Message } from '@lending/events';
import { type Transaction, upsertAccountOrders } from '@lending/store';

/** Writes standing orders of accounts. An older write never overwrites a newer one. */
export async function projectOrderUpdated(
  transaction: Transaction,
  messages: readonly Message<'order.updated.v1'>[],
): Promise<void> {
  await upsertAccountOrders(
    transaction,
    messages.map(({ payload: { order, ...payload }, slot, time, source }) => ({
      ...payload,
      address: order,
      source,
      slot,
      slotTime: time,
    })),
  );
}
