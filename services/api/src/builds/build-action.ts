import { symbolOfKnownMint } from '@lending/domain';
import type { LendingError } from '@lending/errors';
import { needsPulse } from '@lending/transactions';
import { applyPolicy } from './apply-policy.ts';
import type { Build } from './build.ts';
import type { BuildDeps } from './build-deps.ts';
import type { ActionRequest } from './build-request.ts';
import { type ActionDraft, type DraftOptions, draftAction } from './draft-action.ts';
import { explainFailure } from './explain-failure.ts';
import { finishPlan } from './finish-plan.ts';
import { describeOutcome } from './outcome/describe-outcome.ts';
import { summarize } from './outcome/summarize.ts';
import { readAgainWhereStale } from './read-again.ts';
import { roundedAmount } from './read-amount.ts';
import { withoutTables } from './read-tables.ts';

/**
 * Builds one action: reads the chain, refuses what would fail, plans, compiles, simulates, judges. Two waves of requests to the node
 * where the tables and earlier builds knew what to ask.
 * @throws LendingError with its numbers for everything that keeps the action from landing, and for a node that does not answer. There is
 * no build without a simulation that passed.
 */
export async function buildAction(
  deps: BuildDeps,
  request: ActionRequest,
  options: Omit<DraftOptions, 'skipChecks'>,
): Promise<Build> {
  const judged = await readAgainWhereStale(async (failedTables) =>
    judge(await draftAction(withoutTables(deps, failedTables), request, options), request, deps),
  );
  options.tell?.('judge');
  if (judged.failure !== null) throw judged.failure;
  const { draft, passed: outcome } = judged;
  const { state, known, slotMicros } = draft;
  const { transactions } = draft.simulated;
  await deps.turns();
  const symbol = known === null ? null : symbolOfKnownMint(known.bank.mint);
  const isPulseLeftOut = known !== null && needsPulse(state, known.action) && !draft.packed.isPulsed;
  const result = await describeOutcome(state, outcome, { symbol, slotMicros, isPulseLeftOut });
  applyPolicy(request.policy, result.postHealth, options.callName);
  const finished = await finishPlan(deps, draft, options.signal);
  const { newIndex, address } = state.account;
  return {
    ...result,
    ...finished,
    warnings: [
      ...result.warnings,
      ...draft.trustWarnings,
      ...(known === null ? [] : roundedAmount(request, known.action.amount, known.bank)),
    ],
    swap: null,
    earlierSwaps: [],
    position: null,
    request,
    account: address,
    newAccountIndex: newIndex,
    summary: summarize({
      label: draft.plan.label,
      account: address,
      createsAccount: newIndex !== null,
      isAction: request.kind !== 'create_account',
      transactions: transactions.length,
      health: result.postHealth,
    }),
    unixTimestamp: state.accounts.unixTimestamp,
    waves: draft.waves,
  };
}

type Passed = Extract<ActionDraft['simulated']['outcome'], { readonly kind: 'passed' }>;
type Judged =
  | { readonly failure: null; readonly draft: ActionDraft; readonly passed: Passed }
  | { readonly failure: LendingError; readonly draft: ActionDraft };

/** @throws ACTION__PROGRAM_UPGRADING where the program was deployed again before it failed. */
async function judge(draft: ActionDraft, { kind }: ActionRequest, deps: BuildDeps): Promise<Judged> {
  const { outcome, transactions } = draft.simulated;
  if (outcome.kind === 'passed') return { failure: null, draft, passed: outcome };
  await deps.programWatch.confirm(draft.state.version);
  const ran = { ...deps, version: draft.state.version };
  return { failure: explainFailure(outcome, transactions, kind === 'create_account' ? null : kind, ran), draft };
}
