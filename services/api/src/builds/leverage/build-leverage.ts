import { symbolOfKnownMint } from '@lending/domain';
import { isLendingError, type LendingError } from '@lending/errors';
import { applyPolicy } from '../apply-policy.ts';
import type { Build } from '../build.ts';
import type { LeverageDeps } from '../build-deps.ts';
import type { LeverageRequest } from '../build-request.ts';
import { explainFailure } from '../explain-failure.ts';
import { feesOf, finishPlan } from '../finish-plan.ts';
import { describeLeverage } from '../outcome/describe-leverage.ts';
import { summarize } from '../outcome/summarize.ts';
import { verifySwap } from '../outcome/verify-swap.ts';
import { readAgainWhereStale } from '../read-again.ts';
import { roundedAmount } from '../read-amount.ts';
import { draftLeverage, type LeverageDraft, type LeverageOptions } from './draft-leverage.ts';
import { explainShortfall } from './explain-shortfall.ts';

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
  options: Omit<LeverageOptions, 'skipChecks' | 'doubted'>,
): Promise<Build> {
  const { draft, passed } = await draftThatPasses(deps, request, options);
  options.tell?.('judge');
  const { state, sized, plan, pair, slotMicros, found } = draft;
  await deps.turns();
  const symbols = {
    deposit: symbolOfKnownMint(pair.deposit.mint),
    borrow: symbolOfKnownMint(pair.borrow.mint),
  };
  const result = await describeLeverage(state, sized, passed, { symbols, slotMicros, found });
  applyPolicy(request.policy, result.postHealth, options.callName);
  const rounded =
    sized.kind === 'loop'
      ? roundedAmount(request, sized.principal, pair.deposit)
      : roundedAmount(request, sized.repay, pair.borrow);
  const finished = await finishPlan(deps, draft, options.signal);
  const { newIndex, address } = state.account;
  return {
    ...result,
    ...finished,
    warnings: [...result.warnings, ...draft.trustWarnings, ...rounded],
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
      priceChangeToLiquidation: result.position.priceChangeToLiquidation,
    }),
    unixTimestamp: state.accounts.unixTimestamp,
    waves: draft.waves,
  };
}

/**
 * A price may move while a quote is on its way, and a swap do other than it says: then everything is read and quoted once more, of the
 * other aggregators first, and what fails again is told.
 */
async function draftThatPasses(
  deps: LeverageDeps,
  request: LeverageRequest,
  options: LeverageOptions,
): Promise<{ readonly draft: LeverageDraft; readonly passed: Passed }> {
  const first = await readAgainWhereStale(async () =>
    judge(await draftLeverage(deps, request, options), request, deps),
  );
  if (first.failure === null) return first;
  if (first.failure.code !== 'ACTION__SWAP_UNAVAILABLE' || first.draft.found === null) throw first.failure;
  const { waves, found } = first.draft;
  const { aggregator } = found.route.quote;
  deps.logger.info('build.swap.retry', { kind: request.kind, waves, aggregator });
  const second = await judge(await draftLeverage(deps, request, { ...options, doubted: [aggregator] }), request, deps);
  if (second.failure !== null) throw second.failure;
  return { draft: { ...second.draft, waves: waves + second.draft.waves }, passed: second.passed };
}

type Judged =
  | { readonly failure: null; readonly draft: LeverageDraft; readonly passed: Passed }
  | { readonly failure: LendingError; readonly draft: LeverageDraft };

/**
 * Whether the simulation passed, and its swap did what the quote said.
 * @throws ACTION__PROGRAM_UPGRADING where the program was deployed again before it failed.
 */
async function judge(draft: LeverageDraft, { kind }: LeverageRequest, deps: LeverageDeps): Promise<Judged> {
  const { outcome, transactions } = draft.simulated;
  if (outcome.kind === 'failed') {
    await deps.programWatch.confirm(draft.state.version);
    const failure = explainFailure(outcome, transactions, kind === 'loop' ? kind : 'close-position', {
      ...deps,
      version: draft.state.version,
    });
    return { failure: explainShortfall(draft, outcome, failure), draft };
  }
  try {
    verifySwap(draft.state, draft.sized, outcome, { fees: feesOf(draft), read: draft.readBeside });
    return { failure: null, draft, passed: outcome };
  } catch (error) {
    if (isLendingError(error)) return { failure: error, draft };
    throw error;
  }
}
