import type { Message } from '@lending/events';
import { insertActivities, type Transaction } from '@lending/store';

/** Adds activity. The same again changes nothing, and of a dropped slot nothing is taken in. */
export async function projectActivityRecorded(
  transaction: Transaction,
  messages: readonly Message<'activity.recorded.v1'>[],
): Promise<void> {
  await insertActivities(
    transaction,
    messages.map(({ payload, slot, time }) => ({ ...payload, slot, time })),
  );
}
