import type { Message } from '@lending/events';
import { answerFollows, type Transaction } from '@lending/store';

/** Notes that the chain was read for an address somebody asked for. Nothing is kept of one that nobody follows any more. */
export async function projectAddressFollowed(
  transaction: Transaction,
  messages: readonly Message<'address.followed.v1'>[],
): Promise<void> {
  await answerFollows(
    transaction,
    messages.map(({ payload, slot, time }) => ({ ...payload, slot, slotTime: time })),
  );
}
