import type { Message } from '@lending/events';
import { type Transaction, upsertBankRejections } from '@lending/store';

/** Writes which banks cannot be read, and why. A reading of the bank at the same or a later slot wins. */
export async function projectBankRejected(
  transaction: Transaction,
  messages: readonly Message<'bank.rejected.v1'>[],
): Promise<void> {
  await upsertBankRejections(
    transaction,
    messages.map(({ payload, slot, time, source }) => ({
      bank: payload.bank,
      reason: payload.reason,
      source,
      slot,
      slotTime: time,
    })),
  );
}
