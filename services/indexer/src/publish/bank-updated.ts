import { type BankUpdated, type Message, type MessageSource, messageId } from '@lending/events';
import type { BankDescription } from '#watch/read-bank-descriptions.ts';

/** The message of what a bank is since a slot. */
export function toBankUpdated(
  { bank, slot, unixTimestamp }: BankDescription,
  description: BankUpdated,
  source: MessageSource,
): Message<'bank.updated.v1'> {
  const time = new Date(Number(unixTimestamp) * 1000).toISOString();
  const type = 'bank.updated.v1';
  return { id: messageId(type, bank, slot), type, key: bank, slot, time, source, payload: description };
}
