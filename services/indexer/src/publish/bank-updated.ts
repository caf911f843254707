import { type BankUpdated, createMessage, type Message, type MessageSource } from '@lending/events';
import type { BankDescription } from '#decode/bank-description.ts';

/** The message of what a bank is since a slot. */
export function toBankUpdated(
  { bank, slot, unixTimestamp }: BankDescription,
  description: BankUpdated,
  source: MessageSource,
): Message<'bank.updated.v1'> {
  return createMessage({ topic: 'bank.updated.v1', key: bank, slot, unixTimestamp, source, payload: description });
}
