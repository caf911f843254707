import type { Message } from '@lending/events';
import { type Transaction, upsertAccountOrders, upsertRebalanceOrders } from '@lending/store';

/** Writes standing orders of accounts. An older write never overwrites a newer one. */
export async function projectOrderUpdated(
  transaction: Transaction,
  messages: readonly Message<'order.updated.v1'>[],
): Promise<void> {
  await upsertAccountOrders(transaction, messages.map(toRow));
}

/** The same of orders to rebalance. */
export async function projectRebalanceUpdated(
  transaction: Transaction,
  messages: readonly Message<'rebalance.updated.v1'>[],
): Promise<void> {
  await upsertRebalanceOrders(transaction, messages.map(toRow));
}

function toRow<P extends { readonly order: string }>({
  payload,
  slot,
  time,
  source,
}: Message & { readonly payload: P }) {
  const { order, ...state } = payload;
  return { ...state, address: order, source, slot, slotTime: time };
}
