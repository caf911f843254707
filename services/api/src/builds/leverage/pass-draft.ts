import { isLendingError, type LendingError } from '@lending/errors';
import type { LeverageDeps } from '../build-deps.ts';
import type { LeverageRequest } from '../build-request.ts';
import { explainFailure } from '../explain-failure.ts';
import { feesOf, totalOf } from '../finish-plan.ts';
import type { PassedSimulation } from '../outcome/account-after.ts';
import { verifySwap } from '../outcome/verify-swap.ts';
import { readAgainWhereStale } from '../read-again.ts';
import { withoutTables } from '../read-tables.ts';
import { draftLeverage, type LeverageDraft, type LeverageOptions } from './draft-leverage.ts';
import { explainShortfall } from './explain-shortfall.ts';

/** A draft whose simulation passed, and what it left. */
export interface PassedDraft {
  readonly draft: LeverageDraft;
  readonly passed: PassedSimulation;
}

/**
 * A price may move while a quote is on its way, and a swap do other than it says: then everything is read and quoted once more, of the
 * other aggregators first, and what fails again is reported.
 */
export async function passDraft(
  deps: LeverageDeps,
  request: LeverageRequest,
  options: LeverageOptions,
): Promise<PassedDraft> {
  const earlier = options.inBundle?.earlier ?? [];
  const first = await readAgainWhereStale(async (failedTables) =>
    judge(await draftLeverage(withoutTables(deps, failedTables), request, options), request, deps, earlier),
  );
  if (first.failure === null) return first;
  if (first.failure.code !== 'ACTION__SWAP_UNAVAILABLE' || first.draft.found === null) throw first.failure;
  const { waves, found } = first.draft;
  const { aggregator } = found.route.quote;
  deps.logger.info('build.swap.retry', { kind: request.kind, waves, aggregator });
  const second = await judge(
    await draftLeverage(deps, request, { ...options, doubted: [aggregator] }),
    request,
    deps,
    earlier,
  );
  if (second.failure !== null) throw second.failure;
  return { draft: { ...second.draft, waves: waves + second.draft.waves }, passed: second.passed };
}

type Judged =
  | { readonly failure: null; readonly draft: LeverageDraft; readonly passed: PassedSimulation }
  | { readonly failure: LendingError; readonly draft: LeverageDraft };

/**
 * Whether the simulation passed, and its swap did what the quote said.
 * @throws ACTION__PROGRAM_UPGRADING where the program was deployed again before it failed.
 */
async function judge(
  draft: LeverageDraft,
  { kind }: LeverageRequest,
  deps: LeverageDeps,
  earlier: readonly LeverageDraft[],
): Promise<Judged> {
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
    const legs = [...earlier, draft];
    const costs = legs.reduce((sum, leg) => sum + totalOf(feesOf(leg)), 0n);
    verifySwap(legs, outcome, costs);
    return { failure: null, draft, passed: outcome };
  } catch (error) {
    if (isLendingError(error)) return { failure: error, draft };
    throw error;
  }
}
