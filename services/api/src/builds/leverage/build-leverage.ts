import { symbolOfKnownMint } from '@lending/domain';
import type { LendingError } from '@lending/errors';
import { applyPolicy } from '../apply-policy.ts';
import type { Build } from '../build.ts';
import type { LeverageDeps } from '../build-deps.ts';
import type { LeverageRequest } from '../build-request.ts';
import { explainFailure } from '../explain-failure.ts';
import { feesOf, finishPlan } from '../finish-plan.ts';
import { describeLeverage } from '../outcome/describe-leverage.ts';
import { summarize } from '../outcome/summarize.ts';
import { verifySwap } from '../outcome/verify-swap.ts';
import { draftLeverage, type LeverageDraft, type LeverageOptions } from './draft-leverage.ts';

/** A simulation that passed. */
type Passed = Extract<LeverageDraft['simulated']['outcome'], { readonly kind: 'passed' }>;

/**
 * Builds a loop or a close: one flash loan in which the position is opened or unwound, or nothing happens. Reads the chain, refuses what
 * would fail, has the swap quoted, plans, compiles, simulates, and holds the simulation against what the quote promised.
 * @throws LendingError with its numbers for everything that keeps it from landing, and for nodes and aggregators that do not answer.
 */
export async function buildLeverage(
  deps: LeverageDeps,
  request: LeverageRequest,
  options: Omit<LeverageOptions, 'skipChecks'>,
): Promise<Build> {
  const { draft, passed } = await draftThatPasses(deps, request, options);
  const { state, sized, plan, pair, slotMicros, found } = draft;
  await deps.turns();
  verifySwap(state, sized, passed, { fees: feesOf(draft), read: draft.readBeside });
  const symbols = {
    deposit: symbolOfKnownMint(pair.deposit.mint),
    borrow: symbolOfKnownMint(pair.borrow.mint),
  };
  const result = await describeLeverage(state, sized, passed, { symbols, slotMicros, found });
  applyPolicy(request.policy, result.postHealth, options.callName);
  const finished = await finishPlan(deps, draft, options.signal);
  const { newIndex, address } = state.account;
  return {
    ...result,
    ...finished,
    request,
    account: address,
    newAccountIndex: newIndex,
    summary: summarize({
      label: plan.label,
      account: address,
      createsAccount: newIndex !== null,
      isAction: true,
      transactions: finished.transactions.length,
      health: result.postHealth,
    }),
    unixTimestamp: state.accounts.unixTimestamp,
    waves: draft.waves,
  };
}

/** A price may move while a quote is on its way: then everything is read and quoted once more, and what fails again is told. */
async function draftThatPasses(
  deps: LeverageDeps,
  request: LeverageRequest,
  options: LeverageOptions,
): Promise<{ readonly draft: LeverageDraft; readonly passed: Passed }> {
  const first = await draftLeverage(deps, request, options);
  if (first.simulated.outcome.kind === 'passed') return { draft: first, passed: first.simulated.outcome };
  const failure = failureOf(first, request, deps);
  if (failure.code !== 'ACTION__SWAP_UNAVAILABLE') throw failure;
  deps.logger.info('build.swap.retry', { kind: request.kind, waves: first.waves });
  const second = await draftLeverage(deps, request, options);
  if (second.simulated.outcome.kind !== 'passed') throw failureOf(second, request, deps);
  return { draft: { ...second, waves: first.waves + second.waves }, passed: second.simulated.outcome };
}

function failureOf({ simulated }: LeverageDraft, { kind }: LeverageRequest, deps: LeverageDeps): LendingError {
  const { outcome, transactions } = simulated;
  if (outcome.kind === 'passed') throw new TypeError('A simulation that passed has no failure');
  return explainFailure(outcome, transactions, kind === 'loop' ? kind : 'close-position', deps);
}
