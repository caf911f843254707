import { symbolOfKnownMint } from '@lending/domain';
import { applyPolicy } from '../apply-policy.ts';
import type { Build } from '../build.ts';
import type { LeverageDeps } from '../build-deps.ts';
import type { LeverageRequest } from '../build-request.ts';
import { finishPlan } from '../finish-plan.ts';
import { describeLeverage } from '../outcome/describe-leverage.ts';
import { mergeOutcomes } from '../outcome/merge-outcomes.ts';
import { summarize } from '../outcome/summarize.ts';
import { roundedAmount } from '../read-amount.ts';
import { draftCloses } from './draft-closes.ts';
import type { LeverageOptions } from './draft-leverage.ts';
import { mergeDrafts } from './merge-drafts.ts';
import type { PassedDraft } from './pass-draft.ts';

/**
 * Builds a loop or a close: a flash loan in which the position is opened or unwound, or nothing happens; a close of several debts is one
 * for each, in one bundle. Reads the chain, refuses what would fail, has the swap quoted, plans, compiles, simulates, and holds the
 * simulation against what the quote promised.
 * @throws LendingError with its numbers for everything that keeps it from landing, and for nodes and aggregators that do not answer.
 */
export async function buildLeverage(
  deps: LeverageDeps,
  request: LeverageRequest,
  options: Omit<LeverageOptions, 'skipChecks' | 'doubted' | 'inBundle'>,
): Promise<Build> {
  const { drafts, waves } = await draftCloses(deps, request, options);
  options.tell?.('judge');
  const described = [];
  for (const { draft, passed } of drafts) {
    const { state, sized, pair, slotMicros, found } = draft;
    const symbols = { deposit: symbolOfKnownMint(pair.deposit.mint), borrow: symbolOfKnownMint(pair.borrow.mint) };
    await deps.turns();
    described.push({ state, outcome: await describeLeverage(state, sized, passed, { symbols, slotMicros, found }) });
  }
  const { passed } = drafts.at(-1) as PassedDraft;
  const result = mergeOutcomes(described, passed);
  applyPolicy(request.policy, result.postHealth, options.callName);
  const { state, sized, pair, plan, trustWarnings, ...merged } = mergeDrafts(drafts.map(({ draft }) => draft));
  const rounded =
    sized.kind === 'loop'
      ? roundedAmount(request, sized.principal, pair.deposit)
      : roundedAmount(request, sized.repay, pair.borrow);
  const finished = await finishPlan(deps, { plan, ...merged }, options.signal);
  const { newIndex, address } = state.account;
  return {
    ...result,
    ...finished,
    warnings: [...result.warnings, ...trustWarnings, ...rounded],
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
    waves: waves + merged.waves,
  };
}
