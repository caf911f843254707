import type { Message } from '@lending/events';
import { insertQuarantinedRates, type Transaction } from '@lending/store';

/** Keeps readings that were not believed, for people to look at. Nothing is ever answered from them. */
export async function projectRateQuarantined(
  transaction: Transaction,
  messages: readonly Message<'rate.quarantined.v1'>[],
): Promise<void> {
  await insertQuarantinedRates(
    transaction,
    messages.map(({ payload, slot, time, source }) => ({ ...payload, slot, time, source })),
  );
}
