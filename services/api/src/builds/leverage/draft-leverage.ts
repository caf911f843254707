import type { LendingError } from '@lending/errors';
import {
  type AggregatorKeys,
  type AggregatorName,
  type BundlePlace,
  type Crank,
  feedsOfLeverage,
  feedsToCrankForLeverage,
  findLeverageRefusal,
  type LeverageAction,
  type LeverageQuestion,
  type LeverageState,
  onceCranked,
  priceFromSamples,
  type ReadAccount,
  readLeverageState,
} from '@lending/transactions';
import type { Address } from '@solana/kit';
import { askQuestion } from '../ask-question.ts';
import { findTrustRefusal, trustWarnings } from '../bank-trust.ts';
import type { BuildWarning } from '../build.ts';
import type { LeverageDeps } from '../build-deps.ts';
import type { LeverageRequest } from '../build-request.ts';
import type { TellStep } from '../build-steps.ts';
import { crankFeeds } from '../crank-feeds.ts';
import { accountsBesideSwap } from '../outcome/verify-swap.ts';
import { costsOf } from '../plan-costs.ts';
import { refuseShortBanks } from '../program-watch.ts';
import { fetchRecentFees } from '../recent-fees.ts';
import { type SimulatedPlan, simulatePlan } from '../simulate-plan.ts';
import { inTurns } from '../turns.ts';
import { applySwapPolicy } from './apply-swap-policy.ts';
import { withCalls } from './close-calls.ts';
import { findPair, type KnownPair } from './find-pair.ts';
import { nameLiquidPairs } from './name-liquid-pairs.ts';
import { explainUncovered, findRoutedRefusal, quoteTheCap } from './quote-the-cap.ts';
import { readLeverage } from './read-leverage.ts';
import { type RoutedPlan, routeSwap, slippageOf } from './route-swap.ts';

export interface LeverageOptions {
  /** The tool or path to name in an error's "next call". */
  readonly callName: string;
  readonly aggregatorKeys: AggregatorKeys;
  readonly signal?: AbortSignal;
  readonly tell?: TellStep;
  /** Whose routes did not do what they said: they are taken only where no other will do. */
  readonly doubted?: readonly AggregatorName[];
  /** One of several closes that land as one bundle, with those before it. */
  readonly inBundle?: Pick<BundlePlace, 'isLast'> & { readonly earlier: readonly LeverageDraft[] };
  /** For tests that show that a refusal is right: nothing is refused before the simulation, and what fails there is told, not thrown. */
  readonly skipChecks?: boolean;
}

/** A loop or a close as far as its simulation. */
export interface LeverageDraft extends SimulatedPlan, Pick<RoutedPlan, 'sized' | 'plan' | 'found' | 'lookupTables'> {
  readonly pair: KnownPair;
  readonly state: LeverageState;
  readonly slotMicros: bigint;
  /** Of banks whose figures disagree with the program's. */
  readonly trustWarnings: readonly BuildWarning[];
  /** Accounts of the swap as they were before it. */
  readonly readBeside: ReadAccount;
  /** Waves of requests to the node, those of the simulation among them; those to aggregators are not. */
  readonly waves: number;
}

/**
 * Reads, checks, cranks, routes, plans, compiles and simulates a loop or a close.
 * @throws LendingError for what is refused before the simulation, and for nodes, oracles and aggregators that do not answer.
 */
export async function draftLeverage(
  deps: LeverageDeps,
  request: LeverageRequest,
  options: LeverageOptions,
): Promise<LeverageDraft> {
  const read = await readPosition(deps, request, options);
  const { state, action, pair, slotMicros, microLamportsPerUnit } = read;
  const { address: account } = state.account;
  const refuse = (refusal: LendingError | null) =>
    refuseUnless(options)(withCalls(refusal, { request, account, deposit: pair.deposit, borrow: pair.borrow }));
  const toRoute = {
    request,
    pair,
    state,
    action,
    microLamportsPerUnit,
    keys: options.aggregatorKeys,
    doubted: options.doubted ?? [],
    ...(options.inBundle !== undefined && { inBundle: placeOf(options.inBundle) }),
    ...signalOf(options),
  };
  options.tell?.('crank');
  const early = findLeverageRefusal(state, action, { slippageBps: slippageOf(request, deps) });
  refuse(early === null || options.skipChecks === true ? null : await quoteTheCap(deps, toRoute, early));
  const cranks = await crankPair(deps, read, request, options);
  // Quotes follow the market, and so will the feeds once they are cranked.
  const stateToCome = onceCranked(state, cranks);
  const sale = { ...toRoute, state: stateToCome };
  options.tell?.('quote');
  const routed = await routeSwap(deps, { ...sale, cranks }).catch(async (error: unknown) => {
    throw options.skipChecks === true
      ? error
      : await nameLiquidPairs(deps, sale, await explainUncovered(deps, sale, error));
  });
  const { sized, plan, packed, lookupTables, found } = routed;
  if (options.skipChecks !== true) applySwapPolicy(request.policy, routed, options.callName);
  const costs = costsOf(plan, microLamportsPerUnit, deps.limits);
  const checks = { ...costs, uncranked: feedsOfLeverage(stateToCome) };
  refuse(options.skipChecks === true ? null : await findRoutedRefusal(deps, sale, sized, checks));
  await deps.turns();
  const message = { payer: request.authority, version: request.version, microLamportsPerUnit, lookupTables };
  const input = { ...message, packed, plan, cranks, slotMicros };
  options.tell?.('simulate');
  const [simulated, readBeside] = await Promise.all([
    simulatePlan(deps, input, options.signal),
    readAccountsBeside(deps, accountsBesideSwap(state, sized), options),
  ]);
  const waves = read.waves + state.waves + routed.waves + simulated.simulated.waves;
  return {
    pair,
    state,
    sized,
    plan,
    found,
    lookupTables,
    slotMicros,
    trustWarnings: read.trustWarnings,
    readBeside,
    ...simulated,
    waves,
  };
}

/** What is known before oracles and aggregators are asked. */
interface ReadPosition extends Pick<LeverageDraft, 'pair' | 'state' | 'slotMicros' | 'trustWarnings'> {
  readonly action: LeverageAction;
  readonly microLamportsPerUnit: bigint;
  /** Besides those of the state. */
  readonly waves: number;
}

async function readPosition(
  deps: LeverageDeps,
  request: LeverageRequest,
  options: LeverageOptions,
): Promise<ReadPosition> {
  const pair = await findPair(deps, request, options);
  const action = readLeverage(request, pair, options.callName);
  const whose = { ...request, account: request.account ?? pair.account };
  const { question, waves } = await askQuestion(deps, whose, subjectOf(whose, pair), options.signal);
  const [state, audits, fees, slotMicros] = await Promise.all([
    readLeverageState(inTurns(deps), deps.banks, question, signalOf(options)),
    deps.audits.get(),
    typeof request.priorityFee === 'bigint' ? [] : fetchRecentFees(deps.chain, question.banks, options.signal),
    deps.slotTime(),
    deps.programWatch.confirm(question.version, options.signal),
  ]);
  const acted = [state.collateral, state.debt].map(({ live }) => live.bank.address);
  refuseShortBanks(state, acted);
  const trust = { kind: request.kind, state, acted, audits, overruledUntil: deps.overruledUntil };
  refuseUnless(options)(findTrustRefusal(trust));
  await deps.turns();
  const microLamportsPerUnit = priceFromSamples(fees, request.priorityFee, { ceiling: deps.maxMicroLamportsPerUnit });
  return {
    pair,
    action,
    state,
    slotMicros,
    trustWarnings: trustWarnings(trust),
    microLamportsPerUnit,
    waves: pair.waves + waves,
  };
}

/** What the swap's own accounts hold is read beside the simulation: it takes no wave of its own. */
async function readAccountsBeside(
  { chain }: Pick<LeverageDeps, 'chain'>,
  addresses: readonly Address[],
  options: LeverageOptions,
): Promise<ReadAccount> {
  if (addresses.length === 0) return () => undefined;
  const batches = await chain.fetchAccounts(addresses, signalOf(options));
  const found = new Map(
    batches.flatMap((batch) => batch.addresses.map((each, at) => [each, batch.accounts[at] ?? null])),
  );
  return (address) => found.get(address);
}

/** An account of its own is opened once: a plan that is built again finds it. */
function subjectOf(
  { kind, account, createsAccount }: LeverageRequest,
  { deposit, borrow }: KnownPair,
): Pick<LeverageQuestion, 'banks' | 'opens'> {
  const banks = [deposit.address, borrow.address] as const;
  if (kind === 'close_position' || account !== null) return { banks, opens: 'never' };
  return { banks, opens: createsAccount ? 'always' : 'where_missing' };
}

/** Asks oracles for what is out of date, before aggregators are asked: what they offer is measured by it. */
function crankPair(
  deps: LeverageDeps,
  { state, action }: ReadPosition,
  request: LeverageRequest,
  { signal, skipChecks = false }: LeverageOptions,
): Promise<readonly Crank[]> {
  const { authority, policy } = request;
  const slippageBps = slippageOf(request, deps);
  // A policy is held to prices of now, not to what the action would land with.
  const feeds = feedsToCrankForLeverage(state, action, { forHealth: policy.minHealthRatioAfter !== null, slippageBps });
  const refusalWithout = (uncranked: ReadonlySet<Address>) =>
    skipChecks ? null : findLeverageRefusal(state, action, { uncranked, slippageBps });
  return crankFeeds(deps, { feeds, least: feeds, payer: authority, refusalWithout }, signal);
}

function refuseUnless({ skipChecks = false }: LeverageOptions): (refusal: LendingError | null) => void {
  return (refusal) => {
    if (refusal !== null && !skipChecks) throw refusal;
  };
}

function placeOf({ earlier, isLast }: NonNullable<LeverageOptions['inBundle']>): BundlePlace {
  return { before: earlier.reduce((count, { packed }) => count + packed.drafts.length, 0), isLast };
}

function signalOf({ signal }: LeverageOptions): { readonly signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}
