import { hasLiability, isLimiterEnabled } from '@lending/domain';
import { isLendingError } from '@lending/errors';
import type { Address } from '@solana/kit';
import type { FeedToCrank } from '#cranks/cranker.ts';
import type { LeverageAction, SizedLeverage } from '#leverage.ts';
import type { LiveBank } from '#live/action-state.ts';
import type { LeverageState } from '#live/leverage-state.ts';
import { sizeBy } from '#sizing/size-by.ts';
import { costByOracles } from '#sizing/swap-cost.ts';
import { feedsOf, switchboardFeedOf } from './feeds-of-banks.ts';
import { agingFeeds, type CrankOptions, feedsByWorth, toFeeds } from './feeds-to-crank.ts';
import { balancesAfter, judgeLoan, readLoan } from './loan-check.ts';
import type { PriceOptions } from './prices-to-come.ts';
import { feedsOfSaveBanks } from './save-feeds.ts';

/** What quotes may lose against oracles besides slippage: with less, a feed could be left out that the real swap needs. */
const CAUTION_BPS = 100;

export interface LeverageCrankOptions extends CrankOptions {
  /** What a swap may lose. Default: nothing. */
  readonly slippageBps?: number;
}

/**
 * The Switchboard feeds that have to be fresher for a loop or a close to land: of what is owed at its end, of what Save refreshes, of a
 * withdrawal that the group's windows are asked about, and of collateral as far as the rest does not carry the debt, the fewest feeds that do.
 * Where a debt that is left bears a premium, the loan passes only with the price of all collateral that sets it, so these are all in.
 */
export function feedsToCrankForLeverage(
  state: LeverageState,
  action: LeverageAction,
  { forHealth = false, slippageBps = 0 }: LeverageCrankOptions = {},
): readonly FeedToCrank[] {
  const { collateral, debt, held } = state;
  const all = [...held.values(), collateral.live, debt.live];
  const banks = new Map(all.map((live) => [live.bank.address, live]));
  const owed = owedAfter(state, action);
  const ofSave = feedsOfSaveBanks(owed.length > 0 ? all : [collateral.live], state);
  const aging = new Set([...agingFeeds(banks.values(), state), ...ofSave]);
  if (aging.size === 0) return [];
  if (forHealth) return toFeeds(aging, state);
  const isPriced = action.kind === 'close_position' && isLimiterEnabled(state.group.rateLimiter);
  const ofDebts = feedsOf(isPriced ? [...owed, collateral.live.bank.address] : owed, banks);
  const needed = new Set([...ofSave, ...[...ofDebts, ...watchedFeeds(banks)].filter((feed) => aging.has(feed))]);
  const sized = sizedOrNull(state, action, slippageBps + CAUTION_BPS);
  // Without any price of one of the two tokens nothing is refused here but by whoever measures the swap.
  if (sized === null) return toFeeds(aging, state);
  const optional =
    owed.length === 0 ? [] : carryingFeeds(state, sized, banks).filter((feed) => aging.has(feed) && !needed.has(feed));
  for (let count = 0; count < optional.length; count += 1) {
    const cranked = new Set([...needed, ...optional.slice(0, count)]);
    const lapsed = new Set([...aging].filter((feed) => !cranked.has(feed)));
    if (passesWith(state, sized, { lapsed })) return toFeeds(cranked, state);
  }
  return toFeeds(new Set([...needed, ...optional]), state);
}

/** Every Switchboard feed of the account and the pair: with what cranks bring in the state, all of them are as the action will find them. */
export function feedsOfLeverage({ held, collateral, debt }: LeverageState): ReadonlySet<Address> {
  const all = [...held.values(), collateral.live, debt.live];
  return new Set(all.flatMap((live) => switchboardFeedOf(live) ?? []));
}

/** Banks that the account owes to at the end. */
function owedAfter({ account }: LeverageState, action: LeverageAction): readonly Address[] {
  const owed = (account.state?.balances ?? []).filter(hasLiability).map(({ bank }) => bank);
  if (action.kind === 'loop') return [...new Set([...owed, action.borrowBank])];
  return action.repay === 'all' ? owed.filter((bank) => bank !== action.borrowBank) : owed;
}

/** Those that a circuit breaker watches: the loan's withdrawal asks for them while the debt is still there. */
function watchedFeeds(banks: ReadonlyMap<Address, LiveBank>): readonly Address[] {
  const watched = [...banks.values()].filter(({ bank }) => bank.breaker !== null);
  return feedsOf(
    watched.map(({ bank }) => bank.address),
    banks,
  );
}

/** Those of what the account has at the end, the most valuable first. */
function carryingFeeds(
  state: LeverageState,
  sized: SizedLeverage,
  banks: ReadonlyMap<Address, LiveBank>,
): readonly Address[] {
  const found = readLoan(state, sized.kind);
  return 'loan' in found ? feedsByWorth(balancesAfter(found.loan, sized), banks) : [];
}

function passesWith(state: LeverageState, sized: SizedLeverage, options: PriceOptions): boolean {
  const found = readLoan(state, sized.kind, options);
  return 'loan' in found && judgeLoan(found.loan, sized) === null;
}

function sizedOrNull(state: LeverageState, action: LeverageAction, lostBps: number): SizedLeverage | null {
  try {
    return sizeBy(state, action, costByOracles(state, action.kind, lostBps));
  } catch (error) {
    if (isLendingError(error, 'ORACLE__PRICE_STALE')) return null;
    throw error;
  }
}
