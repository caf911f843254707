import { attemptDeposit, findEdge, type Limit } from '@lending/domain';
import type { LendingError } from '@lending/errors';
import { type RefusalWords, refusalWordsOf } from '@lending/venues';
import type { LoopAction, SizedLoop } from '#leverage.ts';
import type { LeverageState } from '#live/leverage-state.ts';
import { sizeBy } from '#sizing/size-by.ts';
import type { SwapCost } from '#sizing/swap-cost.ts';
import { limitRefusal } from './limit-refusal.ts';
import { amountsOf, judgeLoan, type LoanState, type LoanVerdict, limitOfVerdict, readLoan } from './loan-check.ts';
import { type ProgramVerdict, ruleRefusal, wordsOfVerdict } from './loan-refusal.ts';
import { maxAmount } from './max-amount.ts';
import { hundredthBelow, pairLeverageOf } from './pair-leverage.ts';
import type { PriceOptions } from './prices-to-come.ts';
import { staleRefusal } from './program-refusal.ts';
import { refusalOf, tokenName, tokensOf } from './refusal.ts';
import { findStaleFeeds, type StaleFeed } from './stale-feeds.ts';
import { venueLimitWords } from './venue-check.ts';

/** A loop that is judged, and what its figures are worked out with. */
export interface JudgedLoop {
  readonly state: LeverageState;
  readonly loan: LoanState;
  readonly sized: SizedLoop;
  /** What more or less of it would cost. */
  readonly namedCost: SwapCost;
  readonly options: PriceOptions;
}

/** The highest leverage that lands on the state as it is, in hundredths, and what stops the next. */
interface Landing {
  readonly hundredths: bigint;
  readonly limitedBy: Limit;
}

const NO_LEVERAGE = 100n;
const LEVERAGE_WORDS: RefusalWords = {
  code: 'ACTION__LEVERAGE_EXCEEDED',
  problem: 'The leverage is above what the pair of banks allows',
  change: 'Lower `leverage`, or choose another pair that `svc_get_strategies` lists',
};

/** What a caller is told of a leverage that the configuration of the pair rules out, whatever is held or quoted. */
export function pairRefusal(state: LeverageState, maxHundredths: bigint): LendingError {
  const landing = { hundredths: maxHundredths, limitedBy: 'health' } as const;
  return leverageRefusal(state, LEVERAGE_WORDS, landing);
}

/** Why the deposit bank takes nothing from this account, however little. */
export function findGateRefusal({ state, loan }: JudgedLoop): LendingError | null {
  const gate = attemptDeposit(amountsOf(loan, 'deposit').capacity, 0n);
  if (gate.kind === 'done') return null;
  const { balances } = loan.flashLoan.account;
  return ruleRefusal(state, 'loop', { by: 'program', step: 'deposit', error: gate.error, balances });
}

/** What a caller is told of a loop that does not land: with the leverage that would, or the most that the borrow bank lends. */
export function loopRefusal(judged: JudgedLoop, verdict: LoanVerdict | null): LendingError | null {
  if (verdict === null) return null;
  if (verdict.by === 'venue') return depositRefusal(judged, verdict);
  const { code } = wordsOfVerdict('loop', verdict);
  switch (code) {
    case 'ACTION__BORROW_EXCEEDED':
      return borrowRefusal(judged, verdict);
    case 'ACTION__DEPOSIT_EXCEEDED':
      return depositRefusal(judged, verdict);
    case 'ACTION__LEVERAGE_EXCEEDED':
      return healthRefusal(judged, verdict);
    default:
      return ruleRefusal(judged.state, 'loop', verdict);
  }
}

function leverageRefusal(
  state: LeverageState,
  { code, problem }: RefusalWords,
  { hundredths, limitedBy }: Landing,
  extra: Readonly<Record<string, unknown>> = {},
): LendingError {
  const max = shownLeverage(hundredths);
  const pairMax = pairLeverageOf(state);
  const allowed =
    hundredths > NO_LEVERAGE
      ? `at most ${max} (details.max_leverage)`
      : 'no leverage, as things stand; `svc_deposit` deposits without a loan';
  return refusalOf({ code, problem, change: LEVERAGE_WORDS.change }, allowed, {
    max_leverage: max,
    limited_by: limitedBy,
    pair_max_leverage: pairMax === null ? null : shownLeverage(pairMax),
    deposit_bank: state.collateral.live.bank.address,
    borrow_bank: state.debt.live.bank.address,
    ...extra,
  });
}

/** The most that the borrow bank lends, and the leverage that it is enough for. */
function borrowRefusal(judged: JudgedLoop, verdict: ProgramVerdict): LendingError {
  const { state, loan, sized } = judged;
  const { live } = state.debt;
  const { maxBase, limitedBy, error = null } = maxAmount(amountsOf(loan, 'borrow'));
  const found = wordsOfVerdict('loop', verdict);
  const binding = error === null ? found : refusalWordsOf(error, 'borrow');
  const { problem } = binding.code === found.code ? binding : found;
  const [max, asked] = [tokensOf(live, maxBase), tokensOf(live, sized.borrow)];
  const landing = findLanding(judged, verdict);
  const allowed =
    maxBase > 0n ? `a loan of at most ${max.ui} ${tokenName(live)} (details.max_borrow)` : 'no loan, as things stand';
  const change = 'Lower `leverage` or `amount`, or choose another `borrow_bank`';
  return refusalOf({ code: found.code, problem, change }, allowed, {
    max_borrow: max.ui,
    max_borrow_raw: max.raw,
    borrow: asked.ui,
    borrow_raw: asked.raw,
    limited_by: limitedBy,
    max_leverage: 'hundredths' in landing ? shownLeverage(landing.hundredths) : null,
    bank: live.bank.address,
    mint: live.bank.mint,
  });
}

/** Above what the deposit bank takes: a smaller leverage where one lands, else the refusal of the principal. */
function depositRefusal(judged: JudgedLoop, verdict: LoanVerdict): LendingError {
  const { state, loan } = judged;
  const words =
    verdict.by === 'venue' ? venueLimitWords(state.collateral.live, 'deposit') : wordsOfVerdict('loop', verdict);
  const landing = findLanding(judged, verdict);
  if ('hundredths' in landing) return leverageRefusal(state, { ...words, code: LEVERAGE_WORDS.code }, landing);
  if (landing.step === 'end') return principalRefusal(judged, landing);
  return limitRefusal(words, amountsOf(loan, 'deposit'), state.collateral.live);
}

/** Collateral whose price is out of date counts nothing: where that alone is why, it is said. */
function healthRefusal(judged: JudgedLoop, verdict: ProgramVerdict): LendingError {
  const { state, sized, options } = judged;
  const { collateral, debt, held } = state;
  const landing = findLanding(judged, verdict);
  const stale = findStaleFeeds(new Set([collateral.live, debt.live, ...held.values()]), state, options);
  const [first] = stale;
  if (first === undefined) {
    return 'hundredths' in landing
      ? leverageRefusal(state, wordsOfVerdict('loop', verdict), landing)
      : principalRefusal(judged, landing);
  }
  const lands = 'hundredths' in landing && landing.hundredths > NO_LEVERAGE;
  if (!lands && passesWhenFresh(judged, sized)) {
    return staleRefusal(refusalWordsOf('PythPushStalePrice', 'loop'), first, { stale_feeds: stale });
  }
  return 'hundredths' in landing
    ? leverageRefusal(state, wordsOfVerdict('loop', verdict), landing, { stale_feeds: stale })
    : principalRefusal(judged, landing, stale);
}

function passesWhenFresh({ state, options }: JudgedLoop, sized: SizedLoop): boolean {
  const fresh = readLoan(state, 'loop', { ...options, ignoresAge: true });
  return 'loan' in fresh && judgeLoan(fresh.loan, sized) === null;
}

/** Of an account that not even a deposit of the principal brings to where a loan may end. */
function principalRefusal({ state }: JudgedLoop, verdict: LoanVerdict, stale: readonly StaleFeed[] = []): LendingError {
  if (verdict.by === 'venue') throw new TypeError('A venue looks at no health');
  if (verdict.error !== 'RiskEngineInitRejected') return ruleRefusal(state, 'loop', verdict);
  // Of no action in particular: health alone is why.
  const words = refusalWordsOf(verdict.error, 'deposit');
  return refusalOf(words, 'accounts that the deposit brings above their initial requirement', {
    account: state.account.address,
    bank: state.collateral.live.bank.address,
    reason: verdict.error,
    ...(stale.length === 0 ? {} : { stale_feeds: stale }),
  });
}

/** The highest leverage below the one asked for that lands, or why not even the principal does. */
function findLanding({ state, loan, sized, namedCost }: JudgedLoop, verdict: LoanVerdict): Landing | LoanVerdict {
  const judge = (hundredths: bigint) => judgeLoan(loan, loopAt(state, sized, hundredths, namedCost));
  const atOne = judge(NO_LEVERAGE);
  if (atOne !== null) return atOne;
  const limit = (hundredths: bigint): Limit | null => {
    const found = judge(hundredths);
    return found === null ? null : limitOfVerdict(found);
  };
  const ceiling = hundredthBelow(sized.leverage);
  if (ceiling <= NO_LEVERAGE) return { hundredths: NO_LEVERAGE, limitedBy: limitOfVerdict(verdict) };
  const { last, error } = findEdge(limit, NO_LEVERAGE, ceiling, ceiling);
  return { hundredths: last, limitedBy: error ?? limitOfVerdict(verdict) };
}

/** The same loop with another leverage. */
function loopAt(state: LeverageState, sized: SizedLoop, hundredths: bigint, cost: SwapCost): SizedLoop {
  const { kind, depositBank, borrowBank, principal } = sized;
  const leverage = { numerator: hundredths, denominator: 100n };
  const supplied = (principal * hundredths) / 100n;
  const action: LoopAction = { kind, depositBank, borrowBank, principal, supplied, leverage };
  const found = sizeBy(state, action, cost);
  if (found.kind !== 'loop') throw new TypeError('A loop was sized as something else');
  return found;
}

function shownLeverage(hundredths: bigint): number {
  return Number(hundredths) / 100;
}
