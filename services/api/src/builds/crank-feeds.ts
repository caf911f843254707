import { isLendingError, LendingError } from '@lending/errors';
import {
  type ActionState,
  type Crank,
  type CrankOptions,
  feedsToCrank,
  findActionRefusal,
  type LendingAction,
  type WalletCosts,
} from '@lending/transactions';
import type { BuildDeps } from './build-deps.ts';

export interface CrankFeedsOptions extends CrankOptions {
  readonly signal?: AbortSignal;
  readonly skipChecks?: boolean;
}

/**
 * Gets fresh prices where an action needs them. Where no oracle signs, the action is judged with the prices as they are: it may pass all
 * the same, because a price was only about to go out of date, or with a smaller amount, which is then told.
 * @throws ORACLE__PRICE_STALE with the feeds and what kept them from being cranked, or the limit that old prices leave.
 */
export async function crankFeeds(
  { cranker, logger }: Pick<BuildDeps, 'cranker' | 'logger'>,
  state: ActionState,
  action: LendingAction,
  costs: WalletCosts,
  { signal, skipChecks = false, forHealth = false }: CrankFeedsOptions,
): Promise<readonly Crank[]> {
  const feeds = feedsToCrank(state, action, { forHealth });
  if (feeds.length === 0) return [];
  try {
    return await cranker.crank(feeds, state.authority, signal === undefined ? {} : { signal });
  } catch (error) {
    if (!isLendingError(error, 'ORACLE__PRICE_STALE')) throw error;
    const uncranked = new Set(feeds.map(({ address }) => address));
    const refusal = skipChecks ? null : findActionRefusal(state, action, { ...costs, uncranked });
    if (refusal !== null) throw refusal.code === error.code ? both(error, refusal) : refusal;
    logger.warn('build.crank.skip', { feeds: [...uncranked], error });
    return [];
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
