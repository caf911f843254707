import type { Message } from '@lending/events';
import { type Transaction, upsertIndexProgress } from '@lending/store';

/** Writes how far reading the past has come. */
export async function projectIndexProgressed(
  transaction: Transaction,
  messages: readonly Message<'index.progressed.v1'>[],
): Promise<void> {
  await upsertIndexProgress(
    transaction,
    messages.map(({ payload, slot, time, source }) => ({
      ...payload,
      fromSlot: BigInt(payload.fromSlot),
      untilSlot: BigInt(payload.untilSlot),
      cursor: payload.cursor && { signature: payload.cursor.signature, slot: BigInt(payload.cursor.slot) },
      source,
      slot,
      slotTime: time,
    })),
  );
}
