import type { Logger, Metrics } from '@lending/runtime';

/** Counts and says a transaction that cannot be read or decoded: it has no activity, and must not hold up what comes after it. */
export type RejectTransaction = (signature: string, error: unknown) => void;

/** One count for all who meet such a transaction, whether it was told or read from the past. */
export function createRejectTransaction({
  logger,
  metrics,
}: {
  readonly logger: Logger;
  readonly metrics: Metrics;
}): RejectTransaction {
  const rejected = metrics.counter({ name: 'activity.transaction.reject', help: 'Transactions nobody could decode' });
  return (signature, error) => {
    rejected.inc();
    logger.warn('activity.transaction.reject', { signature, error });
  };
}
