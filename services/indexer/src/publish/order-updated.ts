import { createMessage, type Message, type MessageSource, type OrderUpdated } from '@lending/events';
import type { Slot } from '@solana/kit';

/** The message of what a standing order is as of a slot. */
export function toOrderUpdated(
  payload: OrderUpdated,
  moment: { readonly slot: Slot; readonly unixTimestamp: bigint },
  source: MessageSource,
): Message<'order.updated.v1'> {
  const { order, account, writeVersion } = payload;
  const part = writeVersion === null ? order : `${order}:${writeVersion}`;
  return createMessage({ topic: 'order.updated.v1', key: account, ...moment, source, part, payload });
}
