import { isLendingError, LendingError } from '@lending/errors';
import type { Crank, FeedToCrank } from '@lending/transactions';
import type { Address } from '@solana/kit';
import type { BuildDeps } from './build-deps.ts';

/** Feeds that are wanted fresh, and what comes of it where they are not. */
export interface FeedsWanted {
  readonly feeds: readonly FeedToCrank[];
  /** Those among them that the action needs for more than premiums: where not all are signed for, these are tried alone. */
  readonly least: readonly FeedToCrank[];
  readonly payer: Address;
  /** Why the action does not land with these feeds as they are; null where it does. */
  refusalWithout(uncranked: ReadonlySet<Address>): LendingError | null;
}

/**
 * Gets fresh prices where an action needs them. Where no oracle signs, the action is judged with the prices as they are: it may pass all
 * the same, because a price was only about to go out of date, or with a smaller amount, which is then told.
 * @throws ORACLE__PRICE_STALE with the feeds and what kept them from being cranked, or the limit that old prices leave.
 */
export async function crankFeeds(
  deps: Pick<BuildDeps, 'cranker' | 'logger'>,
  { feeds, least, payer, refusalWithout }: FeedsWanted,
  signal?: AbortSignal,
): Promise<readonly Crank[]> {
  if (feeds.length === 0) return [];
  const { cranker, logger } = deps;
  try {
    return await cranker.crank(feeds, payer, signal === undefined ? {} : { signal });
  } catch (error) {
    if (!isLendingError(error, 'ORACLE__PRICE_STALE')) throw error;
    const kept = new Set(least.map(({ address }) => address));
    const isAll = feeds.every(({ address }) => kept.has(address));
    const uncranked = new Set(feeds.map(({ address }) => address).filter((feed) => isAll || !kept.has(feed)));
    const refusal = refusalWithout(uncranked);
    if (refusal !== null) throw refusal.code === error.code ? both(error, refusal) : refusal;
    logger.warn('build.crank.skip', { feeds: [...uncranked], error });
    if (isAll) return [];
    const without = (more: ReadonlySet<Address>) => refusalWithout(new Set([...uncranked, ...more]));
    return crankFeeds(deps, { feeds: least, least, payer, refusalWithout: without }, signal);
  }
}

/** Why nobody signs, and which price of which bank is too old. */
function both(failure: LendingError, refusal: LendingError): LendingError {
  return new LendingError(failure.code, {
    message: failure.message,
    context: { ...refusal.context, ...failure.context },
    cause: failure,
  });
}
