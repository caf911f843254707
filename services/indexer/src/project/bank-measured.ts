import type { Message } from '@lending/events';
import { type Transaction, upsertBankMeasures } from '@lending/store';

/** Writes the newest measure of each bank's books, price and limits. An older slot never overwrites a newer one. */
export async function projectBankMeasured(
  transaction: Transaction,
  messages: readonly Message<'bank.measured.v1'>[],
): Promise<void> {
  await upsertBankMeasures(
    transaction,
    messages.map(({ payload, slot, time, source }) => ({ ...payload, source, slot, slotTime: time })),
  );
}
