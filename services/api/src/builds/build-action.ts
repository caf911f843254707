import { symbolOfKnownMint } from '@lending/domain';
import { replaceBlockhash } from '@lending/transactions';
import { applyPolicy } from './apply-policy.ts';
import { expiresInSeconds, freshBlockhash } from './blockhash.ts';
import type { Build, BuildFees } from './build.ts';
import type { BuildDeps } from './build-deps.ts';
import type { ActionRequest } from './build-request.ts';
import { type ActionDraft, type DraftOptions, draftAction } from './draft-action.ts';
import { explainFailure } from './explain-failure.ts';
import { describeOutcome } from './outcome/describe-outcome.ts';
import { summarize } from './outcome/summarize.ts';

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
  const draft = await draftAction(deps, request, options);
  const { state, known, packed, slotMicros } = draft;
  const { outcome, transactions } = draft.simulated;
  if (outcome.kind === 'failed') {
    throw explainFailure(outcome, transactions, request.kind === 'create_account' ? null : request.kind, deps.program);
  }
  await deps.turns();
  const symbol = known === null ? null : symbolOfKnownMint(known.bank.mint);
  const result = await describeOutcome(state, outcome, { symbol, slotMicros });
  applyPolicy(request.policy, result.postHealth, options.callName);
  const { chain, now } = deps;
  const { signal } = options;
  const fresh = { chain, now, slotMicros, ...(signal === undefined ? {} : { signal }) };
  const blockhash = await freshBlockhash(draft.blockhash, fresh);
  const { newIndex, address } = state.account;
  return {
    ...result,
    swap: null,
    position: null,
    request,
    account: address,
    newAccountIndex: newIndex,
    transactions: transactions.map((each) => replaceBlockhash(each, blockhash)),
    unitsConsumed: outcome.transactions.map(({ unitsConsumed }) => unitsConsumed),
    actionIndex: packed.actionIndex,
    submit: packed.submit,
    blockhash: { value: blockhash.value, lastValidBlockHeight: blockhash.lastValidBlockHeight },
    expiresInSeconds: expiresInSeconds(blockhash, now(), slotMicros),
    fees: feesOf(draft),
    summary: summarize({
      label: draft.plan.label,
      account: address,
      createsAccount: newIndex !== null,
      isAction: request.kind !== 'create_account',
      transactions: transactions.length,
      health: result.postHealth,
    }),
    slot: outcome.slot,
    unixTimestamp: state.accounts.unixTimestamp,
    simulatedBy: outcome.by,
    waves: draft.waves,
  };
}

function feesOf({ plan, packed, simulated }: ActionDraft): BuildFees {
  const { transactions, outcome } = simulated;
  const priority = transactions.reduce((sum, { priorityFeeLamports }) => sum + priorityFeeLamports, 0n);
  const network = transactions.reduce((sum, { priorityFeeLamports, signatureFeeLamports }, index) => {
    const told = outcome.transactions[index]?.feeLamports ?? null;
    return sum + (told === null ? signatureFeeLamports : told - priorityFeeLamports);
  }, 0n);
  return {
    network,
    priority,
    tip: packed.tipLamports,
    rent: plan.rent.reduce((sum, { lamports }) => sum + lamports, 0n),
  };
}
