import { amountAfterFee, attemptRepay, findEdge, type Limit, smallerOf } from '@lending/domain';
import type { LendingError } from '@lending/errors';
import { type RefusalWords, refusalWordsOf } from '@lending/venues';
import type { CloseAction, SizedClose } from '#leverage.ts';
import type { LeverageState } from '#live/leverage-state.ts';
import { collateralBase } from '#sizing/collateral-base.ts';
import { sizeBy } from '#sizing/size-by.ts';
import type { SwapCost } from '#sizing/swap-cost.ts';
import { neededOf } from '#sizing/swap-need.ts';
import { haltEndOf } from './breaker-refusal.ts';
import { capBase, capRefusal } from './close-cap.ts';
import { limitRefusal } from './limit-refusal.ts';
import { amountsOf, judgeLoan, type LoanState, type LoanVerdict, limitOfVerdict, readLoan } from './loan-check.ts';
import { type ProgramVerdict, ruleRefusal, wordsOfVerdict } from './loan-refusal.ts';
import { maxAmount } from './max-amount.ts';
import type { PriceOptions } from './prices-to-come.ts';
import { staleRefusal } from './program-refusal.ts';
import { refusalOf, tokenName, tokensOf } from './refusal.ts';
import { shownAtLeast } from './shown-amount.ts';
import { findStaleFeeds } from './stale-feeds.ts';
import { venueLimitWords } from './venue-check.ts';

/** A close that is judged, and what its figures are worked out with. */
export interface JudgedClose {
  readonly state: LeverageState;
  readonly loan: LoanState;
  readonly sized: SizedClose;
  /** What fetching the debt costs: by this its collateral covers it or not. */
  readonly coverCost: SwapCost;
  /** What fetching another part of it costs. */
  readonly namedCost: SwapCost;
  readonly options: PriceOptions;
}

const UNCOVERED: RefusalWords = {
  code: 'ACTION__COLLATERAL_EXCEEDED',
  problem: 'The collateral in the deposit bank does not cover the debt that is to be repaid',
  change: 'Pass `amount` instead of `repay_all`, or a lower one, or choose another `deposit_bank`',
};

/** Why a debt is not repaid as asked: there is none, it is less, less than a share of it would be left, or one call repays no more. */
export function findDebtRefusal(judged: JudgedClose): LendingError | null {
  const { state, loan, sized, options } = judged;
  const { live } = state.debt;
  const amounts = amountsOf(loan, 'repay');
  const outcome = attemptRepay(amounts.capacity, sized.repay);
  if (outcome.kind === 'refused') {
    const { balances } = loan.flashLoan.account;
    const verdict = { by: 'program', step: 'repay', error: outcome.error, balances } as const;
    const words = wordsOfVerdict('close_position', verdict);
    return words.code === 'ACTION__REPAY_EXCEEDED'
      ? limitRefusal(words, amounts, live, {}, { ...maxAmount(amounts), maxBase: mostRepaid(judged) })
      : ruleRefusal(state, 'close_position', verdict);
  }
  const repaid = sized.repay === 'all' ? amountAfterFee(live.mint.transferFee, outcome.vaultFlowBase) : sized.repay;
  return capRefusal(state, repaid, options);
}

/** Why the collateral does not pay for it: too little of it, too little that can leave, or an account that is not healthy afterwards. */
export function closeRefusal(judged: JudgedClose, verdict: LoanVerdict | null): LendingError | null {
  const { state } = judged;
  if (!covers(state, judged.sized, judged.coverCost)) return uncoveredRefusal(judged);
  if (verdict === null) return null;
  if (verdict.by === 'venue') return withdrawRefusal(judged, venueLimitWords(state.collateral.live, 'withdraw'));
  const words = wordsOfVerdict('close_position', verdict);
  if (verdict.step === 'redeposit') return redepositRefusal(state, words, verdict);
  switch (words.code) {
    case 'ACTION__WITHDRAW_EXCEEDED':
      return withdrawRefusal(judged, words);
    case 'ACTION__COLLATERAL_EXCEEDED':
      return healthRefusal(judged, words);
    default:
      return ruleRefusal(state, 'close_position', verdict);
  }
}

/** Whether what the account holds fetches it, slippage and all: a swap that gives less than the debt is none. */
function covers(state: LeverageState, action: CloseAction, cost: SwapCost): boolean {
  return cost(neededOf(state, action)) <= collateralBase(state);
}

function uncoveredRefusal(judged: JudgedClose): LendingError {
  const { state } = judged;
  const { collateral, debt } = state;
  const maxBase = mostRepaid(judged);
  const max = tokensOf(debt.live, maxBase);
  const held = tokensOf(collateral.live, collateralBase(state));
  const allowed =
    maxBase > 0n ? `at most ${max.ui} ${tokenName(debt.live)} (details.max_repay)` : 'no amount, as things stand';
  const change = maxBase > 0n ? UNCOVERED.change : 'Choose another `deposit_bank`, or deposit more in this one';
  return refusalOf({ ...UNCOVERED, change }, allowed, {
    ...{ max_repay: max.ui, max_repay_raw: max.raw, limited_by: 'balance' satisfies Limit },
    ...{ collateral: held.ui, collateral_raw: held.raw },
    ...{ deposit_bank: collateral.live.bank.address, borrow_bank: debt.live.bank.address },
  });
}

function withdrawRefusal(judged: JudgedClose, words: RefusalWords): LendingError {
  const { state, loan, sized } = judged;
  const max = tokensOf(state.debt.live, mostRepaid(judged));
  const needed = sized.withdraw === 'all' ? null : tokensOf(state.collateral.live, sized.withdraw);
  return limitRefusal(words, amountsOf(loan, 'withdraw'), state.collateral.live, {
    ...{ withdraw: needed?.ui ?? 'all', max_repay: max.ui, max_repay_raw: max.raw },
  });
}

function redepositRefusal(state: LeverageState, { code, problem }: RefusalWords, { error }: ProgramVerdict) {
  const { bank } = state.debt.live;
  const change = 'Leave `surplus` out: what is over then arrives in the wallet';
  return refusalOf({ code, problem, change }, 'a `surplus` that goes to the wallet', {
    ...{ field: 'surplus', bank: bank.address, state: bank.operationalState, reason: error },
    ...(error === 'BankCircuitBreakerHalted' ? { until: haltEndOf(bank) } : {}),
  });
}

/** Less collateral and less debt may be worth less than what must stay: then only more of it lands. */
function healthRefusal(judged: JudgedClose, { code, problem }: RefusalWords): LendingError {
  const { state, sized, options } = judged;
  const { collateral, debt, held, account } = state;
  const leastBase = leastRepaid(judged);
  const stale = findStaleFeeds(new Set([collateral.live, debt.live, ...held.values()]), state, options);
  const [first] = stale;
  if (first !== undefined && leastBase === null && passesWhenFresh(judged, sized)) {
    return staleRefusal(refusalWordsOf('PythPushStalePrice', 'close-position'), first, { stale_feeds: stale });
  }
  const least = leastBase === null ? null : shownAtLeast(leastBase, debt.live.mint.decimals);
  // All of it is the most already: what another debt needs beside it is what is short.
  const change =
    sized.repay === 'all'
      ? 'Choose another `deposit_bank`, repay from the wallet with `svc_repay`, or add collateral with `svc_deposit`'
      : 'Raise `amount`, choose another `deposit_bank`, or add collateral with `svc_deposit`';
  const allowed =
    least === null
      ? 'accounts that are above their initial requirement afterwards'
      : `at least ${least.ui} ${tokenName(debt.live)} (details.min_repay)`;
  return refusalOf({ code, problem, change }, allowed, {
    ...(least === null ? {} : { min_repay: least.ui, min_repay_raw: least.raw }),
    ...{ limited_by: 'health' satisfies Limit, account: account.address, bank: debt.live.bank.address },
    ...(first === undefined ? {} : { stale_feeds: stale }),
  });
}

function passesWhenFresh({ state, options }: JudgedClose, sized: SizedClose): boolean {
  const fresh = readLoan(state, 'close_position', { ...options, ignoresAge: true });
  return 'loan' in fresh && judgeLoan(fresh.loan, sized) === null;
}

/** The most below what was asked for that the collateral fetches and the venue pays out, where the account is healthy with it; or 0. */
function mostRepaid(judged: JudgedClose): bigint {
  const { loan, sized } = judged;
  const owed = maxAmount(amountsOf(loan, 'repay')).maxBase;
  const ceiling = sized.repay === 'all' || sized.repay > owed ? owed : sized.repay - 1n;
  const most = mostFetched(judged, ceiling);
  return most > 0n && judgeRepay(judged, most) === null ? most : 0n;
}

/** The same whatever health says of it. */
function mostFetched(judged: JudgedClose, ceiling: bigint): bigint {
  if (ceiling <= 0n) return 0n;
  const limit = (repay: bigint): Limit | null => {
    const found = judgeRepay(judged, repay);
    return found === null || found === 'health' ? null : found;
  };
  return findEdge(limit, 0n, ceiling, ceiling).last;
}

/** The least above what was asked for that lands; null where none does. */
function leastRepaid(judged: JudgedClose): bigint | null {
  const { state, loan, sized, options } = judged;
  if (sized.repay === 'all') return null;
  const owed = maxAmount(amountsOf(loan, 'repay')).maxBase;
  const cap = capBase(state, options);
  const most = mostFetched(judged, smallerOf(owed, cap));
  if (most <= sized.repay || judgeRepay(judged, most) !== null) return null;
  const { last } = findEdge((less) => judgeRepay(judged, most - less), 0n, most - sized.repay, most - sized.repay);
  return most - last;
}

/** What stops a repayment of so much. */
function judgeRepay(judged: JudgedClose, repay: bigint): Limit | null {
  const { state, loan, sized, namedCost } = judged;
  const { kind, depositBank, borrowBank, surplus } = sized;
  const action: CloseAction = { kind, depositBank, borrowBank, repay, surplus };
  if (!covers(state, action, namedCost)) return 'balance';
  const verdict = judgeLoan(loan, sizeBy(state, action, namedCost));
  return verdict === null
    ? null
    : verdict.by === 'program' && verdict.step === 'end'
      ? 'health'
      : limitOfVerdict(verdict);
}
