import type { Message } from '@lending/events';
import { type Transaction, upsertOraclePrices } from '@lending/store';

/** Writes the newest price reading of each bank. An older slot never overwrites a newer one. */
export async function projectOraclePriced(
  transaction: Transaction,
  messages: readonly Message<'oracle.priced.v1'>[],
): Promise<void> {
  await upsertOraclePrices(
    transaction,
    messages.map(({ payload, slot, time, source }) => ({ ...payload, slot, slotTime: time, source })),
  );
}
