import type { Message, RateSampled } from '@lending/events';
import { insertRateSamples, type RateSampleWrite, type Transaction } from '@lending/store';

/** What the store takes of the event: all of it. A field without a column does not compile here; else it would be lost without a word. */
type StoredSample = Pick<RateSampleWrite, keyof RateSampled>;

/** Writes rate samples. A sample is immutable: the same bank and slot again changes nothing. */
export async function projectRateSampled(
  transaction: Transaction,
  messages: readonly Message<'rate.sampled.v1'>[],
): Promise<void> {
  await insertRateSamples(
    transaction,
    messages.map(({ payload, slot, time, source }) => ({ ...(payload satisfies StoredSample), slot, time, source })),
  );
}
