import { amountAfterFee, attemptRepay, type ProgramErrorName } from '@lending/domain';
import type { LendingError } from '@lending/errors';
import { type RefusalWords, refusalWordsOf } from '@lending/venues';
import type { LiveBank } from '#live/action-state.ts';
import type { AmountState } from './amount-check.ts';
import { type MaxAmount, maxAmount } from './max-amount.ts';
import { refusalOf, tokenName, tokensOf } from './refusal.ts';

/** A refusal of an amount, with the most that would pass on the same state, in tokens and in base units. */
export function limitRefusal(
  words: RefusalWords,
  state: AmountState,
  target: LiveBank,
  extra: Readonly<Record<string, unknown>> = {},
  max: MaxAmount = maxAmount(state),
): LendingError {
  const { maxBase, limitedBy } = max;
  const { ui, raw } = tokensOf(target, maxBase);
  const name = `max_${state.kind}`;
  const allowed = maxBase > 0n ? `at most ${ui} ${tokenName(target)} (details.${name})` : 'no amount, as things stand';
  return refusalOf(wordsOfLimit(words, state, max), allowed, {
    [name]: ui,
    [`${name}_raw`]: raw,
    ...(state.kind === 'repay' ? owedOf(state, target) : {}),
    limited_by: limitedBy,
    bank: target.bank.address,
    mint: target.bank.mint,
    ...extra,
  });
}

/** What is owed in all: more than the most that a partial repayment takes, which has to leave a share. */
function owedOf({ capacity }: AmountState, target: LiveBank): Readonly<Record<string, unknown>> {
  const whole = attemptRepay(capacity, 'all');
  const owedBase = whole.kind === 'done' ? amountAfterFee(capacity.bank.transferFee, whole.vaultFlowBase) : 0n;
  const { ui, raw } = tokensOf(target, owedBase);
  return { owed: ui, owed_raw: raw };
}

/** What binds is what a caller has to change; what the amount asked for would end in may be another thing of the same code. */
function wordsOfLimit(words: RefusalWords, state: AmountState, max: MaxAmount): RefusalWords {
  const error = bindingError(state, max);
  const binding = error === null ? words : refusalWordsOf(error, state.kind);
  return binding.code === words.code ? binding : words;
}

/** Where nothing can be repaid there may be a deposit instead of a debt, and then no other amount will do. */
function bindingError({ kind, capacity }: AmountState, { maxBase, error = null }: MaxAmount): ProgramErrorName | null {
  if (kind !== 'repay' || maxBase > 0n) return error;
  const whole = attemptRepay(capacity, 'all');
  return whole.kind === 'refused' ? whole.error : error;
}
