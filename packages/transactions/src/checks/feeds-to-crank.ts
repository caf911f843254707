import { computeRequirement, hasLiability, isLimiterEnabled, type RiskBalance } from '@lending/domain';
import type { Address } from '@solana/kit';
import { readOrNull, switchboardFeed } from '#account-readers.ts';
import type { LendingAction } from '#action.ts';
import type { FeedToCrank } from '#cranks/cranker.ts';
import type { ActionState, LiveBank } from '#live/action-state.ts';
import { judgeAmount } from './amount-check.ts';
import { capacityStateOf } from './capacity-state.ts';
import { feedsOf, switchboardFeedOf } from './feeds-of-banks.ts';
import { takesPulse } from './needs-pulse.ts';
import { feedsOfPremiums } from './premium-feeds.ts';
import type { PriceOptions } from './prices-to-come.ts';
import { feedsOfSave } from './save-feeds.ts';
import { readVenue } from './venue-check.ts';

/** Whoever signs takes about this long; a feed that goes out of date meanwhile is cranked too. */
const SIGNING_SECONDS = 60;

export interface CrankOptions {
  /** All that the account's health is told by, though the action lands without: somebody decides by it. */
  readonly forHealth?: boolean;
  /** With the feeds that premiums alone need, without which no withdrawal, deposit or repayment fails. Default: true. */
  readonly forPremiums?: boolean;
}

/**
 * The Switchboard feeds that have to be fresher for an action to land. Deposits and repayments ask no price, but where Save does. Where the account owes
 * afterwards, the feeds of its debts have to be up to date; collateral only as far as the rest does not carry the debt: the fewest
 * feeds that do, the most valuable first. Where they do not either, all of them: the action is then refused, or the prices decide.
 * Where debts bear a premium, all feeds that its rate is set by: without one a borrow fails, a withdrawal can only raise the rate, and the
 * pulse behind a deposit or a repayment leaves it as it was.
 */
export function feedsToCrank(
  state: ActionState,
  action: LendingAction,
  { forHealth = false, forPremiums = true }: CrankOptions = {},
): readonly FeedToCrank[] {
  const { target } = state;
  const isPulsed = forPremiums && takesPulse(state, action);
  const ofSave = feedsOfSave(state, action);
  if (target !== null && forHealth) {
    return toFeeds(new Set([...ofSave, ...agingFeeds([...state.held.values(), target], state)]), state);
  }
  if (target === null) return toFeeds(new Set(ofSave), state);
  const isUnpriced = action.kind === 'deposit' || action.kind === 'repay';
  if (isUnpriced && !isPulsed) return toFeeds(new Set(ofSave), state);
  const banks = new Map([...state.held, [target.bank.address, target]]);
  const aging = new Set([...agingFeeds(banks.values(), state), ...ofSave]);
  if (aging.size === 0) return [];
  const ofPremiums = forPremiums ? feedsOfPremiums(state, action, target, aging) : [];
  if (isUnpriced) return toFeeds(new Set([...ofSave, ...ofPremiums]), state);
  const ofAction = neededFeeds(state, action, banks).filter((feed) => aging.has(feed));
  const needed = new Set([...ofSave, ...ofAction, ...ofPremiums]);
  const owes = action.kind === 'borrow' || (state.account.state?.balances ?? []).some(hasLiability);
  const collateral = owes ? collateralFeeds(state, target, banks).filter((feed) => aging.has(feed)) : [];
  const optional = collateral.filter((feed) => !needed.has(feed));
  for (let count = 0; count <= optional.length; count += 1) {
    const cranked = new Set([...needed, ...optional.slice(0, count)]);
    if (count === optional.length || passesWith(state, action, target, aging, cranked)) return toFeeds(cranked, state);
  }
  return [];
}

/** Feeds that are out of date, or will be before the action lands. */
export function agingFeeds(
  banks: Iterable<LiveBank>,
  { accounts }: Pick<ActionState, 'accounts'>,
): ReadonlySet<Address> {
  const aging = new Set<Address>();
  for (const { bank, oracle } of banks) {
    const feed = switchboardFeedOf({ bank });
    if (feed === null || oracle.kind !== 'loaded' || oracle.rawFeed.publishTime === null) continue;
    const { maxAgeSeconds } = bank.oracle;
    // A feed that is never good for so long cannot be younger than its bank allows for all of it.
    const margin = Math.min(SIGNING_SECONDS, Math.floor(maxAgeSeconds / 2));
    const age = accounts.unixTimestamp - oracle.rawFeed.publishTime;
    if (age > BigInt(maxAgeSeconds - margin)) aging.add(feed);
  }
  return aging;
}

/** Those that fail the action when they are out of date: of debts, and what a limited outflow is priced by. */
function neededFeeds(
  { account, group }: ActionState,
  { kind, bank }: LendingAction,
  banks: ReadonlyMap<Address, LiveBank>,
): readonly Address[] {
  const debts = (account.state?.balances ?? []).filter(hasLiability).map((balance) => balance.bank);
  const isPriced = kind === 'borrow' || isLimiterEnabled(group.rateLimiter);
  return feedsOf(isPriced ? [...debts, bank] : debts, banks);
}

/** Those of collateral, the most valuable first; one feed may price several banks. */
function collateralFeeds(
  state: ActionState,
  target: LiveBank,
  banks: ReadonlyMap<Address, LiveBank>,
): readonly Address[] {
  return feedsByWorth(capacityStateOf(state, target).account.balances, banks);
}

/** The feeds of what these balances hold, the most valuable first. */
export function feedsByWorth(
  balances: readonly RiskBalance[],
  banks: ReadonlyMap<Address, LiveBank>,
): readonly Address[] {
  const worth = new Map<Address, bigint>();
  for (const [index, value] of valuesOf(balances).entries()) {
    const [feed] = feedsOf([balances[index]?.bank.address as Address], banks);
    if (feed !== undefined) worth.set(feed, (worth.get(feed) ?? 0n) + value);
  }
  return [...worth].sort(([, one], [, other]) => (one > other ? -1 : one < other ? 1 : 0)).map(([feed]) => feed);
}

/** What each balance counts as collateral, once all prices are up to date. */
function valuesOf(balances: readonly RiskBalance[]): readonly bigint[] {
  const { values } = computeRequirement(balances, 'initial');
  return balances.map((_, index) => (values[index]?.side === 'asset' ? values[index].value : 0n));
}

/** Whether the action passes when of the feeds that go out of date only these are cranked. */
function passesWith(
  state: ActionState,
  { kind, amount }: LendingAction,
  target: LiveBank,
  aging: ReadonlySet<Address>,
  cranked: ReadonlySet<Address>,
): boolean {
  const found = readVenue(state, target, kind);
  if ('refusal' in found) return false;
  const lapsed = new Set([...aging].filter((feed) => !cranked.has(feed)));
  const options: PriceOptions = { lapsed };
  const capacity = capacityStateOf(state, target, options);
  return judgeAmount({ kind, capacity, ...found.venue }, amount) === null;
}

/** What the cranker is asked for. */
export function toFeeds(
  feeds: ReadonlySet<Address>,
  { accounts }: Pick<ActionState, 'accounts'>,
): readonly FeedToCrank[] {
  return [...feeds].flatMap((address) => {
    const feed = readOrNull(switchboardFeed, accounts.get(address));
    return feed === null ? [] : [{ address, feed }];
  });
}
