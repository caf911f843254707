import { type Logger, runBeat } from '@lending/runtime';
import { dropOldRateSamples, readServiceStatus, type Store } from '@lending/store';

const EVERY_MS = 3_600_000;

export interface RetentionOptions {
  readonly store: Store;
  readonly rawSampleDays: number;
  readonly logger: Logger;
}

/** Drops raw rate samples that are older than allowed, once an hour. */
export async function runRetention(
  { store, rawSampleDays, logger }: RetentionOptions,
  signal: AbortSignal,
): Promise<void> {
  await runBeat(
    EVERY_MS,
    signal,
    async () => {
      // Age is counted in chain time: a chain of recorded accounts may stand years in the past.
      const { newest_time: now } = await readServiceStatus(store.db);
      if (now === null) return;
      const dropped = await dropOldRateSamples(store.db, { keepDays: rawSampleDays, now });
      if (dropped.length > 0) logger.info('rate.partition.drop', { partitions: dropped });
    },
    { onError: (error) => logger.warn('rate.partition.keep', { error }) },
  );
}
