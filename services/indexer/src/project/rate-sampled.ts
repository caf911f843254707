import type { Message } from '@lending/events';
import { insertRateSamples, type Transaction } from '@lending/store';

/** Writes rate samples. A sample is immutable: the same bank and slot again changes nothing. */
export async function projectRateSampled(
  transaction: Transaction,
  messages: readonly Message<'rate.sampled.v1'>[],
): Promise<void> {
  await insertRateSamples(
    transaction,
    messages.map(({ payload, slot, time, source }) => ({ ...payload, slot, time, source })),
  );
}
