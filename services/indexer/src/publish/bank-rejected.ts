import { type Message, type MessageSource, messageId } from '@lending/events';
import type { BankDescription } from '#watch/read-bank-descriptions.ts';

/** The message of a bank that cannot be read since a slot, and why. */
export function toBankRejected(
  { bank, slot, unixTimestamp }: BankDescription,
  reason: string,
  source: MessageSource,
): Message<'bank.rejected.v1'> {
  const time = new Date(Number(unixTimestamp) * 1000).toISOString();
  const type = 'bank.rejected.v1';
  return { id: messageId(type, bank, slot), type, key: bank, slot, time, source, payload: { bank, reason } };
}
