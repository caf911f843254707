import { COSTLY_LIMIT, findUnpricedOfBorrow, isCostly, type ProgramErrorName } from '@lending/domain';
import type { LendingError } from '@lending/errors';
import { MAX_BALANCES } from '@lending/programs';
import { type RefusalWords, refusalWordsOf } from '@lending/venues';
import type { LendingAction } from '#action.ts';
import type { ActionState, LiveBank } from '#live/action-state.ts';
import { type AmountState, judgeAmount } from './amount-check.ts';
import { findBreakerError } from './breaker-refusal.ts';
import { capacityStateOf } from './capacity-state.ts';
import { limitRefusal } from './limit-refusal.ts';
import { maxAmount } from './max-amount.ts';
import type { PriceOptions } from './prices-to-come.ts';
import { programErrorOf, refusalOf } from './refusal.ts';
import { describeFeed, findFailing, findStaleFeeds, type StaleFeed } from './stale-feeds.ts';

/** What was asked, and the state it was judged on. */
export interface JudgedAction {
  readonly state: ActionState;
  readonly action: LendingAction;
  readonly target: LiveBank;
  readonly amounts: AmountState;
  readonly options: PriceOptions;
}

/** What a caller is told of an error that P0's program would end in: with the numbers that say what would pass. */
export function programRefusal(judged: JudgedAction, error: ProgramErrorName): LendingError {
  const { action, amounts, target, state } = judged;
  const words = refusalWordsOf(error, action.kind);
  const bank = target.bank.address;
  const { bank: targeted, account, unixTimestamp } = amounts.capacity;
  const priced = { target: { bank: targeted.risk, price: targeted.price }, balances: account.balances };
  const ofBreaker = findBreakerError(words, error, priced, unixTimestamp);
  if (ofBreaker !== null) return ofBreaker;
  switch (words.code) {
    case 'ACTION__BORROW_EXCEEDED':
    case 'ACTION__COLLATERAL_EXCEEDED':
      return error === 'RiskEngineInitRejected' ? healthRefusal(judged, words) : limitRefusal(words, amounts, target);
    case 'ACTION__WITHDRAW_EXCEEDED':
    case 'ACTION__DEPOSIT_EXCEEDED':
    case 'ACTION__REPAY_EXCEEDED':
      return limitRefusal(words, amounts, target);
    case 'ORACLE__PRICE_STALE':
      return priceRefusal(judged, words, error);
    case 'ACTION__BANK_UNAVAILABLE':
      return refusalOf(words, 'banks and times in which the program takes the action', {
        bank,
        state: error === 'ProtocolPaused' ? 'ProtocolPaused' : target.bank.operationalState,
      });
    case 'ACTION__ASSET_TAG_MISMATCH':
      return refusalOf(words, 'banks whose `asset_tag` goes with those the account holds', {
        bank,
        asset_tag: target.bank.assetTag,
        held: (state.account.state?.balances ?? []).map((each) => ({ bank: each.bank, asset_tag: each.assetTag })),
      });
    case 'ACTION__SLOTS_EXCEEDED':
      return slotsRefusal(judged, words, error);
    case 'ACTION__BORROW_UNSUPPORTED':
      return refusalOf(words, 'banks that lend out to this account', {
        bank,
        state: target.bank.operationalState,
        reason: error,
      });
    default:
      return otherRefusal(judged, words, error);
  }
}

/** Collateral whose price is out of date counts nothing: where that alone is why, it is said. */
function healthRefusal(judged: JudgedAction, words: RefusalWords): LendingError {
  const { state, action, target, amounts, options } = judged;
  const stale = findStaleFeeds(new Set([...state.held.values(), target]), state, options);
  const max = maxAmount(amounts);
  if (stale.length === 0) return limitRefusal(words, amounts, target, {}, max);
  const fresh = { ...amounts, capacity: capacityStateOf(state, target, { ...options, ignoresAge: true }) };
  const isOnlyStale = judgeAmount(fresh, action.amount) === null;
  if (!isOnlyStale || max.maxBase > 0n) return limitRefusal(words, amounts, target, { stale_feeds: stale }, max);
  return staleRefusal(refusalWordsOf('PythPushStalePrice', action.kind), stale[0] as StaleFeed, { stale_feeds: stale });
}

function priceRefusal(judged: JudgedAction, words: RefusalWords, error: ProgramErrorName): LendingError {
  const { state, target, amounts } = judged;
  const { balances } = amounts.capacity.account;
  const unpriced =
    error === 'PremiumSnapshotUnavailable' ? findUnpricedOfBorrow(amounts.capacity) : findFailing(balances, error);
  const failing = unpriced?.bank.address ?? target.bank.address;
  const live = [target, ...state.held.values()].find(({ bank }) => bank.address === failing) ?? target;
  return staleRefusal(words, describeFeed(live, state), { reason: error });
}

/** Of a price that is too old, with how old it may be. */
export function staleRefusal(
  words: RefusalWords,
  stale: StaleFeed,
  extra: Readonly<Record<string, unknown>>,
): LendingError {
  const age = stale.age_seconds === null ? '' : `; this one is ${stale.age_seconds} s old`;
  const allowed = `a price of bank ${stale.bank} of the last ${stale.max_age_seconds} s${age}`;
  return refusalOf(words, allowed, { ...stale, ...extra });
}

function slotsRefusal({ state, target }: JudgedAction, words: RefusalWords, error: ProgramErrorName): LendingError {
  const max = error === 'CostlyPositionLimitExceeded' ? COSTLY_LIMIT.max : MAX_BALANCES;
  const own = state.account.state?.balances ?? [];
  const used = own.filter(({ assetTag }) => max === MAX_BALANCES || isCostly(assetTag, COSTLY_LIMIT)).length;
  return refusalOf(words, `at most ${max} of them`, { bank: target.bank.address, max_slots: max, used_slots: used });
}

/** Any borrow above the most that passes is told with that figure, whatever stops it. */
function otherRefusal(judged: JudgedAction, words: RefusalWords, error: ProgramErrorName): LendingError {
  const { action, amounts, target, state } = judged;
  const context = { bank: target.bank.address, reason: error, ...programErrorOf(state, error, words) };
  if (action.kind === 'borrow' && action.amount !== 'all') {
    const max = maxAmount(amounts);
    const code = 'ACTION__BORROW_EXCEEDED';
    if (max.maxBase > 0n && action.amount > max.maxBase)
      return limitRefusal({ ...words, code }, amounts, target, {}, max);
  }
  return refusalOf(words, 'what the program does on the account and the bank as they stand', context);
}
