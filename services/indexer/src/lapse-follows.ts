import { type Logger, runBeat } from '@lending/runtime';
import { dropIdleFollows, type Store } from '@lending/store';

/** Addresses that nobody asked for in `idleMs` are followed no longer. Resolves when the signal aborts. */
export async function runLapseOfFollows(
  { store, followIdleMs, logger }: { readonly store: Store; readonly followIdleMs: number; readonly logger: Logger },
  signal: AbortSignal,
): Promise<void> {
  await runBeat(
    Math.min(60_000, followIdleMs / 4),
    signal,
    async () => {
      const dropped = await dropIdleFollows(store.db, followIdleMs);
      if (dropped.length > 0) logger.info('address.follow.lapse', { follows: dropped.length });
    },
    { onError: (error) => logger.debug('address.follow.keep', { error }) },
  );
}
