import { type Logger, runBeat } from '@lending/runtime';
import { dropIdleFollows, forgetUnfollowedPast, type Store } from '@lending/store';

export interface LapseOfFollowsOptions {
  readonly store: Pick<Store, 'db'>;
  /** Whose past is everybody's. */
  readonly program: string;
  readonly followIdleMs: number;
  readonly logger: Logger;
}

/**
 * Addresses that nobody asked for in `followIdleMs` are followed no longer, and how far their past was read is forgotten. Resolves when
 * the signal aborts.
 */
export async function runLapseOfFollows(
  { store, program, followIdleMs, logger }: LapseOfFollowsOptions,
  signal: AbortSignal,
): Promise<void> {
  await runBeat(
    Math.min(60_000, followIdleMs / 4),
    signal,
    async () => {
      const dropped = await dropIdleFollows(store.db, followIdleMs);
      if (dropped.length > 0) logger.info('address.follow.lapse', { follows: dropped.length });
      await forgetUnfollowedPast(store.db, { program, idleMs: followIdleMs });
    },
    { onError: (error) => logger.debug('address.follow.keep', { error }) },
  );
}
