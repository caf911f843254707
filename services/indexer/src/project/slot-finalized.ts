import type { Message } from '@lending/events';
import { finalizeSlots, type Transaction } from '@lending/store';

/** Marks slots as final. How far the indexer has come, which the same messages say, is written once the tables came as far (`tip-gate.ts`). */
export async function projectSlotFinalized(
  transaction: Transaction,
  messages: readonly Message<'slot.finalized.v1'>[],
): Promise<void> {
  await finalizeSlots(
    transaction,
    messages.flatMap(({ payload }) => payload.slots.map(BigInt)),
  );
}
