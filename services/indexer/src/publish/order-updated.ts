import {
  createMessage,
  type Message,
  type MessageSource,
  type OrderUpdated,
  type RebalanceUpdated,
} from '@lending/events';
import type { Slot } from '@solana/kit';

/** The message of what a standing order is as of a slot. */
export function toOrderUpdated(payload: OrderUpdated, ...rest: Rest): Message<'order.updated.v1'> {
  return createMessage({ topic: 'order.updated.v1', ...placeOf(payload, ...rest), payload });
}

/** The same of an order to rebalance. */
export function toRebalanceUpdated(payload: RebalanceUpdated, ...rest: Rest): Message<'rebalance.updated.v1'> {
  return createMessage({ topic: 'rebalance.updated.v1', ...placeOf(payload, ...rest), payload });
}

type Rest = [moment: { readonly slot: Slot; readonly unixTimestamp: bigint }, source: MessageSource];

function placeOf({ order, account, writeVersion }: OrderUpdated | RebalanceUpdated, ...[moment, source]: Rest) {
  return { ...moment, source, key: account, part: writeVersion === null ? order : `${order}:${writeVersion}` };
}
