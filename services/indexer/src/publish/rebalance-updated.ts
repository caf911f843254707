import { createMessage, type Message, type MessageSource, type RebalanceUpdated } from '@lending/events';

/** The message of what a standing order to rebalance is as of a slot. */
export function toRebalanceUpdated(
  payload: RebalanceUpdated,
  moment: { readonly slot: bigint; readonly unixTimestamp: bigint },
  source: MessageSource,
): Message<'rebalance.updated.v1'> {
  const { order, account, writeVersion } = payload;
  const part = writeVersion === null ? order : `${order}:${writeVersion}`;
  return createMessage({ topic: 'rebalance.updated.v1', key: account, ...moment, source, part, payload });
}
