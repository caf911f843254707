import type { Message } from '@lending/events';
import { dropSlots, type Transaction } from '@lending/store';

/** Takes back the activity of slots that the chain went on without. */
export async function projectForkDropped(
  transaction: Transaction,
  messages: readonly Message<'fork.dropped.v1'>[],
): Promise<void> {
  await dropSlots(
    transaction,
    messages.flatMap(({ payload }) => payload.slots.map(BigInt)),
  );
}
