import type { Message } from '@lending/events';
import { type Transaction, upsertSwapQuotes } from '@lending/store';

/** Writes what swapping each pair of mints gave when it was last asked. An older slot never overwrites a newer one. */
export async function projectSwapQuoted(
  transaction: Transaction,
  messages: readonly Message<'swap.quoted.v1'>[],
): Promise<void> {
  await upsertSwapQuotes(
    transaction,
    messages.map(({ payload, slot, time, source }) => ({ ...payload, source, slot, slotTime: time })),
  );
}
