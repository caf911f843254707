import { attemptDeposit } from '@lending/domain';
import type { LendingError } from '@lending/errors';
import { isGroupPaused, refusalWordsOf } from '@lending/venues';
import type { LendingAction } from '#action.ts';
import type { ActionState, LiveBank } from '#live/action-state.ts';
import { type AmountState, judgeAmount } from './amount-check.ts';
import { capacityStateOf } from './capacity-state.ts';
import { limitRefusal } from './limit-refusal.ts';
import { findPayerRefusal } from './payer-check.ts';
import type { PriceOptions } from './prices-to-come.ts';
import { programRefusal } from './program-refusal.ts';
import { refusalOf } from './refusal.ts';
import { readVenue, venueLimitWords } from './venue-check.ts';
import { findOpeningRefusal, findWalletRefusal, type WalletCosts } from './wallet-check.ts';

export interface CheckOptions extends PriceOptions, WalletCosts {}

/**
 * Why an action, or the opening of an account where it is null, would not land on the chain as it was read, or null: the program's own checks in their order, then the venue's, then
 * the wallet. The error has the code that the chain's own refusal gets, and the numbers that say what would pass: the amount that
 * `max_borrow` and its siblings name passes on the same state.
 *
 * What is mended on the way is no refusal: venues are refreshed in the same transaction, Switchboard's feeds cranked before it, unless
 * they are named as `uncranked`. One thing is refused that the chain would do: spending the last 0.01 SOL of the wallet.
 */
export function findActionRefusal(
  state: ActionState,
  action: LendingAction | null,
  options: CheckOptions = {},
): LendingError | null {
  const payer = findPayerRefusal(state);
  if (payer !== null) return payer;
  if (action === null) return findCreateRefusal(state, options);
  const { target } = state;
  if (target === null) throw new TypeError('An action was to be checked without its bank being read');
  const capacity = capacityStateOf(state, target, options);
  const isStandard = target.bank.venue === 'p0';
  if (!isStandard && action.kind === 'borrow') return notLentOut(target);
  const gate = action.kind === 'deposit' ? attemptDeposit(capacity, 0n) : null;
  const gateError = gate?.kind === 'refused' ? gate.error : null;
  const found = readVenue(state, target, action.kind);
  if ('refusal' in found && gateError === null) return found.refusal;
  const reading = 'venue' in found ? found.venue.reading : null;
  const amounts: AmountState = { kind: action.kind, capacity, reading };
  const judged = { state, action, target, amounts, options };
  if (gateError !== null) return programRefusal(judged, gateError);
  if (!isStandard && action.kind === 'repay') return programRefusal(judged, 'NoLiabilityFound');
  const verdict = judgeAmount(amounts, action.amount);
  if (verdict?.by === 'program') return programRefusal(judged, verdict.error);
  if (verdict?.by === 'venue') return limitRefusal(venueLimitWords(target, action.kind), amounts, target);
  return findWalletRefusal(state, action, target, capacity, options);
}

function findCreateRefusal(state: ActionState, costs: WalletCosts): LendingError | null {
  if (!isGroupPaused(state.group, state.accounts.unixTimestamp)) return findOpeningRefusal(state, costs);
  return refusalOf(refusalWordsOf('ProtocolPaused', 'deposit'), 'times in which the protocol is not paused', {
    state: 'ProtocolPaused',
  });
}

/** Of a bank that passes on what is deposited in it. */
export function notLentOut({ bank }: LiveBank): LendingError {
  return refusalOf(
    {
      code: 'ACTION__BORROW_UNSUPPORTED',
      problem: 'The bank passes deposits on to another venue and lends nothing out',
      change: 'Choose a `bank` of P0’s own with the same token; `svc_get_banks` shows which can be borrowed from',
    },
    'banks of P0’s own',
    { bank: bank.address, state: bank.operationalState, reason: 'integration' },
  );
}
