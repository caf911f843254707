import { computeRequirement, type ProgramErrorName, type RiskBalance } from '@lending/domain';
import { type LoadedOracle, priceSourcesOf, staleSourcesOf } from '@lending/venues';
import type { Address } from '@solana/kit';
import type { ActionState, LiveBank } from '#live/action-state.ts';
import { oracleToCome, type PriceOptions } from './prices-to-come.ts';

/** A price that the program will not take, with the numbers that say why. */
export interface StaleFeed {
  readonly bank: Address;
  /** Or the stake pool that is out of date; null for a price that no feed gives. */
  readonly feed: Address | null;
  readonly age_seconds: number | null;
  readonly max_age_seconds: number;
}

/** The banks among these whose price is out of date when the action runs, though venues are refreshed and feeds cranked. */
export function findStaleFeeds(
  banks: Iterable<LiveBank>,
  state: Pick<ActionState, 'accounts'>,
  options: PriceOptions,
): readonly StaleFeed[] {
  return [...banks].flatMap((live) => {
    const oracle = oracleToCome(live, state, options);
    return oracle.kind === 'loaded' && oracle.staleError !== null ? [describeFeed(live, state, oracle)] : [];
  });
}

/** What there is to say of a bank's feed, stale or not. */
export function describeFeed(
  { bank, oracle }: LiveBank,
  { accounts }: Pick<ActionState, 'accounts'>,
  seen: LoadedOracle = oracle,
): StaleFeed {
  const sources = [...staleSourcesOf(bank, seen), ...priceSourcesOf(bank)];
  const feed = sources.find(({ refreshedBy }) => refreshedBy !== 'instruction');
  const isDated = feed?.what !== 'stake_pool' && seen.kind === 'loaded';
  const publishTime = isDated ? seen.rawFeed.publishTime : null;
  return {
    bank: bank.address,
    feed: feed?.account ?? null,
    age_seconds: publishTime === null ? null : Number(accounts.unixTimestamp - publishTime),
    max_age_seconds: bank.oracle.maxAgeSeconds,
  };
}

/** The balance whose price fails the valuation with this error. */
export function findFailing(balances: readonly RiskBalance[], error: ProgramErrorName): RiskBalance | null {
  const outcome = computeRequirement(balances, 'initial');
  if (outcome.kind === 'refused' && outcome.error === error) return balances[outcome.index] ?? null;
  return balances.find(({ price }) => price.kind === 'failed' && price.error === error) ?? null;
}
