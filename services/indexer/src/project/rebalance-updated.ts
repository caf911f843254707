import type { Message } from '@lending/events';
import { type Transaction, upsertRebalanceOrders } from '@lending/store';

/** Writes standing orders to rebalance. An older write never overwrites a newer one. */
export async function projectRebalanceUpdated(
  transaction: Transaction,
  messages: readonly Message<'rebalance.updated.v1'>[],
): Promise<void> {
  await upsertRebalanceOrders(
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
