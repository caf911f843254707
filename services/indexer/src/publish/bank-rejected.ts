import { createMessage, type Message, type MessageSource, type RejectionReason } from '@lending/events';
import type { BankDescription } from '#decode/bank-description.ts';

/** The message of a bank that cannot be read since a slot, and why. */
export function toBankRejected(
  { bank, slot, unixTimestamp }: BankDescription,
  reason: RejectionReason,
  source: MessageSource,
): Message<'bank.rejected.v1'> {
  return createMessage({
    topic: 'bank.rejected.v1',
    key: bank,
    slot,
    unixTimestamp,
    source,
    payload: { bank, reason },
  });
}
