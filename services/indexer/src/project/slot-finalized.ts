import type { Message } from '@lending/events';
import { advanceChainProgress, finalizeSlots, type Transaction } from '@lending/store';

/** Marks slots as final, and moves how far the indexer has come, never back. */
export async function projectSlotFinalized(
  transaction: Transaction,
  messages: readonly Message<'slot.finalized.v1'>[],
): Promise<void> {
  await finalizeSlots(
    transaction,
    messages.flatMap(({ payload }) => payload.slots.map(BigInt)),
  );
  await advanceChainProgress(
    transaction,
    messages.map(({ payload, slot, time, source }) => ({
      tipSlot: slot,
      tipTime: time,
      rootSlot: BigInt(payload.root),
      source,
    })),
  );
}
