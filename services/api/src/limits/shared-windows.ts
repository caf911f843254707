import { type Logger, type Metrics, withinMs } from '@lending/runtime';
import type { PermitAnswer, PermitRequest } from '@lending/store';
import type { RateStore } from './rate-store.ts';

/** A request waits no longer to be counted by everybody. */
export const ANSWER_MS = 1_000;

/** How long after a failure the database is asked again. */
const AWAY_MS = 1_000;

export interface SharedWindowsOptions {
  readonly store: RateStore;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** A clock that is never set, ms. */
  readonly clock: () => number;
}

/** What processes count together, while the database answers. */
export interface SharedWindows {
  /** Null while it does not. Never throws. */
  take(client: string, requests: readonly PermitRequest[]): Promise<PermitAnswer | null>;
  /** Deletes rows that nobody needs. Never throws. */
  tidy(): Promise<void>;
  /** Resolves when no deleting is under way. */
  close(): Promise<void>;
}

/** Says once that the database is away, and asks it no more than once in a while until it is back: nobody waits for it in a row. */
export function createSharedWindows({ store, logger, metrics, clock }: SharedWindowsOptions): SharedWindows {
  const alone = metrics.counter({
    name: 'api.rate.alone',
    help: 'Requests counted by this process alone, because the database was away',
  });
  let isAway = false;
  let askAgainMs = 0;
  let tidying: Promise<void> = Promise.resolve();

  async function ask(client: string, requests: readonly PermitRequest[]) {
    if (isAway) {
      if (clock() < askAgainMs) return null;
      askAgainMs = clock() + AWAY_MS;
    }
    try {
      const answer = await withinMs(ANSWER_MS, store.takePermits(client, requests));
      if (isAway) logger.info('api.rate.share');
      isAway = false;
      return answer;
    } catch (error) {
      if (!isAway) logger.warn('api.rate.alone', { error });
      isAway = true;
      askAgainMs = clock() + AWAY_MS;
      return null;
    }
  }

  return {
    async take(client, requests) {
      const answer = await ask(client, requests);
      if (answer === null) alone.inc();
      return answer;
    },
    tidy() {
      if (isAway) return Promise.resolve();
      tidying = store.deleteLapsedWindows().then(
        () => undefined,
        (error) => logger.debug('api.rate.tidy', { error }),
      );
      return tidying;
    },
    close: () => tidying,
  };
}
