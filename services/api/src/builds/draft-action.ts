import {
  type ActionPlan,
  type ActionState,
  askFor,
  expectLimit,
  feedsToCrank,
  findActionRefusal,
  type PackedPlan,
  packPlan,
  planAction,
  planCreateAccount,
  priceFromSamples,
  type ReadQuestion,
  readActionState,
  type TransactionDraft,
  type WalletCosts,
} from '@lending/transactions';
import type { Address } from '@solana/kit';
import { askQuestion } from './ask-question.ts';
import { findTrustRefusal, trustWarnings } from './bank-trust.ts';
import { wordsOf } from './bank-words.ts';
import type { BuildWarning } from './build.ts';
import type { BuildDeps } from './build-deps.ts';
import type { ActionRequest } from './build-request.ts';
import type { TellStep } from './build-steps.ts';
import { crankFeeds } from './crank-feeds.ts';
import { costsOf } from './plan-costs.ts';
import { refuseShortBanks } from './program-watch.ts';
import { type KnownAction, readAction } from './read-action.ts';
import { fetchRecentFees } from './recent-fees.ts';
import { cranksOf, type PlanForm, type SimulatedPlan, simulateBestForm, simulatePlan } from './simulate-plan.ts';
import { inTurns } from './turns.ts';

export interface DraftOptions {
  /** The tool or path to name in an error's "next call". */
  readonly callName: string;
  readonly signal?: AbortSignal;
  readonly tell?: TellStep;
  /** For tests that show that a refusal is right: nothing is refused before the simulation, and what fails there is told, not thrown. */
  readonly skipChecks?: boolean;
}

/** An action as far as its simulation. */
export interface ActionDraft extends SimulatedPlan {
  /** Null when only an account is created. */
  readonly known: KnownAction | null;
  readonly state: ActionState;
  readonly plan: ActionPlan;
  readonly slotMicros: bigint;
  /** Of banks whose figures disagree with the program's. */
  readonly trustWarnings: readonly BuildWarning[];
  /** Waves of requests to the node, those of the simulation among them. */
  readonly waves: number;
}

/**
 * Reads, checks, cranks, plans, compiles and simulates one action.
 * @throws LendingError for what is refused before the simulation, and for nodes and oracles that do not answer.
 */
export async function draftAction(
  deps: BuildDeps,
  request: ActionRequest,
  options: DraftOptions,
): Promise<ActionDraft> {
  const known = await readAction(deps, request, options.callName, options.signal);
  const { question, waves: askedWaves } = await askQuestion(
    deps,
    request,
    askFor(known?.action ?? null),
    options.signal,
  );
  const read = await readAndCheck(deps, request, known, question, options);
  const { state, plan, costs, slotMicros } = read;
  // A policy is held to prices of now, not to what the action would land with.
  const forHealth = request.policy.minHealthRatioAfter !== null;
  const refusalWithout = (uncranked: ReadonlySet<Address>) =>
    options.skipChecks === true ? null : findActionRefusal(state, known?.action ?? null, { ...costs, uncranked });
  const feedsFor = (forPremiums: boolean) =>
    known === null ? [] : feedsToCrank(state, known.action, { forHealth, forPremiums });
  const [feeds, least] = [feedsFor(true), feedsFor(false)];
  options.tell?.('crank');
  const wanted = { feeds, least, payer: request.authority, refusalWithout };
  const cranks = await crankFeeds(deps, wanted, options.signal);
  const { lookupTables } = state;
  await deps.turns();
  const { authority: payer, version } = request;
  const message = { payer, version, microLamportsPerUnit: read.microLamportsPerUnit, lookupTables };
  const { tipLamports, limits } = deps;
  const limitOf = (draft: TransactionDraft) => expectLimit(limits, draft);
  const pack = (form: PlanForm) =>
    packPlan(form.plan, form.cranks, { ...message, tipLamports, limitOf, balances: state.held.size });
  const simulate = (form: PlanForm, packed: PackedPlan) =>
    simulatePlan(deps, { ...message, ...form, packed, slotMicros }, options.signal);
  options.tell?.('simulate');
  const simulated = await simulateBestForm(
    { plan, cranks },
    { plan: { ...plan, pulse: null }, cranks: cranksOf(cranks, least) },
    pack,
    simulate,
  );
  const waves = (known?.waves ?? 0) + askedWaves + state.waves + simulated.simulated.waves;
  return { known, state, plan, slotMicros, trustWarnings: read.trustWarnings, ...simulated, waves };
}

/** What is known of an action before the oracles are asked. */
interface CheckedAction extends Pick<ActionDraft, 'state' | 'plan' | 'slotMicros' | 'trustWarnings'> {
  readonly costs: WalletCosts;
  readonly microLamportsPerUnit: bigint;
}

async function readAndCheck(
  deps: BuildDeps,
  request: ActionRequest,
  known: KnownAction | null,
  question: ReadQuestion,
  { signal, skipChecks = false }: DraftOptions,
): Promise<CheckedAction> {
  const { chain } = deps;
  const [state, audits, fees, slotMicros] = await Promise.all([
    readActionState(inTurns(deps), deps.banks, question, signal === undefined ? {} : { signal }),
    deps.audits.get(),
    typeof request.priorityFee === 'bigint' ? [] : fetchRecentFees(chain, writtenBy(known, request), signal),
    deps.slotTime(),
    deps.programWatch.confirm(question.version, signal),
  ]);
  const acted = state.target === null ? [] : [state.target.bank.address];
  refuseShortBanks(state, acted);
  const trust = { kind: request.kind, state, acted, audits, overruledUntil: deps.overruledUntil };
  const distrust = skipChecks ? null : findTrustRefusal(trust);
  if (distrust !== null) throw distrust;
  await deps.turns();
  const plan = await planFor(state, known);
  const microLamportsPerUnit = priceFromSamples(fees, request.priorityFee, { ceiling: deps.maxMicroLamportsPerUnit });
  const costs = costsOf(plan, microLamportsPerUnit, deps.limits);
  const refusal = skipChecks ? null : findActionRefusal(state, known?.action ?? null, costs);
  if (refusal !== null) throw refusal;
  return { state, plan, slotMicros, trustWarnings: trustWarnings(trust), costs, microLamportsPerUnit };
}

/** Fees are decided by who else writes the same accounts: the bank is the busy one. */
function writtenBy(known: KnownAction | null, { authority }: ActionRequest): readonly Address[] {
  return known === null ? [authority] : [known.action.bank];
}

async function planFor(state: ActionState, known: KnownAction | null): Promise<ActionPlan> {
  return known === null ? planCreateAccount(state) : planAction(state, known.action, wordsOf(known.bank));
}
