import { type AccountUpdated, createMessage, type Message, type MessageSource } from '@lending/events';
import type { Slot } from '@solana/kit';

/** The message of what a lending account is as of a slot. */
export function toAccountUpdated(
  payload: AccountUpdated,
  moment: { readonly slot: Slot; readonly unixTimestamp: bigint },
  source: MessageSource,
): Message<'account.updated.v1'> {
  const { account, writeVersion } = payload;
  const part = writeVersion === null ? {} : { part: writeVersion };
  return createMessage({ topic: 'account.updated.v1', key: account, ...moment, source, ...part, payload });
}
