import type { Message } from '@lending/events';
import { insertBackfilledRates, type Transaction } from '@lending/store';

/** Fills hours and days of the past that nobody here saw with what a venue says about them. */
export async function projectRateBackfilled(
  transaction: Transaction,
  messages: readonly Message<'rate.backfilled.v1'>[],
): Promise<void> {
  await insertBackfilledRates(
    transaction,
    messages.map(({ payload, time, source }) => ({
      ...payload,
      askedAt: time,
      kind: 'reserve',
      origin: 'backfill_venue_api',
      source,
    })),
  );
}
