import { type Logger, runBeat } from '@lending/runtime';
import {
  deleteOldQuarantine,
  deleteOldRateHours,
  dropOldRateSamples,
  forgetFinalSlots,
  forgetReadPast,
  readServiceStatus,
  type Store,
} from '@lending/store';

const EVERY_MS = 3_600_000;
const READ_PAST_DAYS = 1;

export interface RetentionOptions {
  readonly store: Store;
  /** Of whose past every reconnection reads a part. */
  readonly program: string;
  readonly rawSampleDays: number;
  readonly rateHourDays: number;
  readonly logger: Logger;
}

/**
 * Drops raw rate samples and hours that are older than allowed, once an hour; days stay. Nothing goes that is not rolled up. Quarantined
 * readings stay as long as samples. What became final long ago is not remembered slot by slot, nor what was read of the past part by part.
 */
export async function runRetention(
  { store, program, rawSampleDays, rateHourDays, logger }: RetentionOptions,
  signal: AbortSignal,
): Promise<void> {
  await runBeat(
    EVERY_MS,
    signal,
    async () => {
      await forgetFinalSlots(store.db);
      await forgetReadPast(store.db, { address: program, keepDays: READ_PAST_DAYS });
      // Age is counted in chain time: a chain of recorded accounts may stand years in the past.
      const { newest_time: newest } = await readServiceStatus(store.db);
      if (newest === null) return;
      // It is never later than it is: one sample from the far future would make all others too old.
      const now = new Date(Math.min(newest.getTime(), Date.now()));
      const dropped = await dropOldRateSamples(store.db, { keepDays: rawSampleDays, now });
      if (dropped.length > 0) logger.info('rate.partition.drop', { partitions: dropped });
      const hours = await deleteOldRateHours(store.db, { keepDays: rateHourDays, now });
      if (hours > 0) logger.info('rate.hours.delete', { hours });
      await deleteOldQuarantine(store.db, { keepDays: rawSampleDays });
    },
    { onError: (error) => logger.warn('rate.partition.keep', { error }) },
  );
}
