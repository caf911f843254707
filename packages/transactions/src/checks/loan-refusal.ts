import {
  COSTLY_LIMIT,
  computeRequirement,
  findBreakerRefusal,
  findUnpricedCollateral,
  isCostly,
  type ProgramErrorName,
  type RiskBalance,
} from '@lending/domain';
import type { LendingError } from '@lending/errors';
import { MAX_BALANCES } from '@lending/programs';
import { type RefusalWords, refusalWordsOf, toRiskBank } from '@lending/venues';
import type { LeverageAction } from '#leverage.ts';
import type { LiveBank } from '#live/action-state.ts';
import type { LeverageState } from '#live/leverage-state.ts';
import { findBreakerError } from './breaker-refusal.ts';
import type { LoanStep, LoanVerdict } from './loan-check.ts';
import { priceToCome } from './prices-to-come.ts';
import { staleRefusal } from './program-refusal.ts';
import { programErrorOf, refusalOf } from './refusal.ts';
import { describeFeed } from './stale-feeds.ts';

/** The program's refusal of one step. */
export type ProgramVerdict = Extract<LoanVerdict, { readonly by: 'program' }>;

/** The bank that a step acts on; the check at the end is of the whole account, and said of the borrow bank. */
export function bankOfStep({ collateral, debt }: LeverageState, step: LoanStep): LiveBank {
  return step === 'deposit' || step === 'withdraw' ? collateral.live : debt.live;
}

/** What the program's error is called for the action. */
export function wordsOfVerdict(kind: LeverageAction['kind'], { step, error }: ProgramVerdict): RefusalWords {
  const whole = kind === 'loop' ? 'loop' : 'close-position';
  // Of a loop the chain says it of either bank, and so do we.
  if (step === 'end' || (kind === 'loop' && error === 'BankReduceOnly')) return refusalWordsOf(error, whole);
  return refusalWordsOf(error, step === 'redeposit' ? 'deposit' : step);
}

/** A refusal that no other amount mends: of a state, a rule or a price. */
export function ruleRefusal(state: LeverageState, kind: LeverageAction['kind'], verdict: ProgramVerdict): LendingError {
  const { error, balances, step } = verdict;
  const words = wordsOfVerdict(kind, verdict);
  const live = bankOfStep(state, step);
  const { bank } = live;
  const priced = { target: pricedOf(live, state), balances: [...balances, pricedOf(state.collateral.live, state)] };
  const ofBreaker = findBreakerError(words, error, priced, state.accounts.unixTimestamp);
  if (ofBreaker !== null) return ofBreaker;
  switch (words.code) {
    case 'ORACLE__PRICE_STALE':
      return priceRefusal(state, words, verdict);
    case 'ACTION__BANK_UNAVAILABLE':
      return refusalOf(words, 'banks and times in which the program takes the action', {
        bank: bank.address,
        state: error === 'ProtocolPaused' ? 'ProtocolPaused' : bank.operationalState,
      });
    case 'ACTION__ASSET_TAG_MISMATCH':
      return refusalOf(words, 'banks whose `asset_tag` goes with those the account holds and with each other', {
        bank: bank.address,
        asset_tag: bank.assetTag,
        held: balances.map((each) => ({ bank: each.bank.address, asset_tag: each.bank.assetTag })),
      });
    case 'ACTION__SLOTS_EXCEEDED': {
      const max = error === 'CostlyPositionLimitExceeded' ? COSTLY_LIMIT.max : MAX_BALANCES;
      const own = state.account.state?.balances ?? [];
      const used = own.filter(({ assetTag }) => max === MAX_BALANCES || isCostly(assetTag, COSTLY_LIMIT)).length;
      // The loan may have taken the last one.
      const problem = used < max ? 'The account has too few free balances for both banks of the pair' : words.problem;
      return refusalOf({ ...words, problem }, `at most ${max} of them, both banks of the pair counted`, {
        bank: bank.address,
        max_slots: max,
        used_slots: used,
      });
    }
    case 'ACTION__BORROW_UNSUPPORTED':
      return refusalOf(words, 'banks that lend out to this account', {
        bank: bank.address,
        state: bank.operationalState,
        reason: error,
      });
    default:
      return refusalOf(words, 'what the program does on the account and the banks as they stand', {
        bank: bank.address,
        reason: error,
        ...programErrorOf(state, error, words),
      });
  }
}

function pricedOf(live: LiveBank, state: LeverageState) {
  return { bank: toRiskBank(live.bank, state.group, null), price: priceToCome(live, state) };
}

function priceRefusal(
  state: LeverageState,
  words: RefusalWords,
  { error, balances, step }: ProgramVerdict,
): LendingError {
  const { unixTimestamp } = state.accounts;
  const watched = balances.find((each) => findBreakerRefusal(each, unixTimestamp) === error)?.bank.address ?? null;
  const failing = step === 'end' ? (findUnpriced(state, balances, error) ?? watched) : watched;
  const banks = [bankOfStep(state, step), state.collateral.live, ...state.held.values()];
  const live = banks.find(({ bank }) => bank.address === failing) ?? bankOfStep(state, step);
  return staleRefusal(words, describeFeed(live, state), { reason: error });
}

/** The bank whose price fails the account. */
function findUnpriced(
  { group, relaxed }: LeverageState,
  balances: readonly RiskBalance[],
  error: ProgramErrorName,
): string | null {
  if (error === 'PremiumSnapshotUnavailable') {
    return findUnpricedCollateral(balances, group.premiumPairs, relaxed)?.bank.address ?? null;
  }
  const outcome = computeRequirement(balances, 'initial');
  const index = outcome.kind === 'refused' && outcome.error === error ? outcome.index : -1;
  return balances[index]?.bank.address ?? null;
}
