import { setTimeout as sleep } from 'node:timers/promises';
import { formatVenue, symbolOfKnownMint } from '@lending/domain';
import {
  type ActionPlan,
  type ActionState,
  type Crank,
  findActionRefusal,
  type LimitMemory,
  type PackedPlan,
  packPlan,
  planAction,
  planCreateAccount,
  priceFromSamples,
  priorityFeeOf,
  type ReadQuestion,
  readActionState,
  signatureFeeOf,
  type WalletCosts,
} from '@lending/transactions';
import type { Address } from '@solana/kit';
import { askQuestion } from './ask-question.ts';
import { type FetchedBlockhash, fetchBlockhash } from './blockhash.ts';
import type { BuildDeps } from './build-deps.ts';
import type { ActionRequest } from './build-request.ts';
import { compileAndSimulate, type SimulatedList } from './compile-and-simulate.ts';
import { crankFeeds } from './crank-feeds.ts';
import { type KnownAction, readAction } from './read-action.ts';
import { fetchRecentFees } from './recent-fees.ts';

export interface DraftOptions {
  /** The tool or path to name in an error's "next call". */
  readonly callName: string;
  readonly signal?: AbortSignal;
  /** For tests that show that a refusal is right: nothing is refused before the simulation, and what fails there is told, not thrown. */
  readonly skipChecks?: boolean;
}

/** An action as far as its simulation. */
export interface ActionDraft {
  /** Null when only an account is created. */
  readonly known: KnownAction | null;
  readonly state: ActionState;
  readonly plan: ActionPlan;
  readonly packed: PackedPlan;
  readonly simulated: SimulatedList;
  /** Fetched beside the simulation. */
  readonly blockhash: FetchedBlockhash;
  readonly slotMicros: bigint;
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
  const { question, waves: askedWaves } = await askQuestion(deps, request, known, options.signal);
  const read = await readAndCheck(deps, request, known, question, options);
  const { state, plan, costs, slotMicros } = read;
  // A policy is held to prices of now, not to what the action would land with.
  const forHealth = request.policy.minHealthRatioAfter !== null;
  const cranks = known === null ? [] : await crankFeeds(deps, state, known.action, costs, { ...options, forHealth });
  const simulated = await packAndSimulate(deps, request, read, cranks, options.signal);
  const waves = (known?.waves ?? 0) + askedWaves + state.waves + simulated.simulated.waves;
  return { known, state, plan, slotMicros, ...simulated, waves };
}

/** What is known of an action before the oracles are asked. */
interface CheckedAction extends Pick<ActionDraft, 'state' | 'plan' | 'slotMicros'> {
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
  const [state, fees, slotMicros] = await Promise.all([
    readActionState(inTurns(deps), deps.banks, question, signal === undefined ? {} : { signal }),
    typeof request.priorityFee === 'bigint' ? [] : fetchRecentFees(chain, writtenBy(known, request), signal),
    deps.slotTime(),
  ]);
  await deps.turns();
  const plan = await planFor(state, known);
  const microLamportsPerUnit = priceFromSamples(fees, request.priorityFee, { ceiling: deps.maxMicroLamportsPerUnit });
  const costs = costsOf(plan, microLamportsPerUnit, deps.limits);
  const refusal = skipChecks ? null : findActionRefusal(state, known?.action ?? null, costs);
  if (refusal !== null) throw refusal;
  return { state, plan, slotMicros, costs, microLamportsPerUnit };
}

async function packAndSimulate(
  deps: BuildDeps,
  request: ActionRequest,
  { state, plan, slotMicros, microLamportsPerUnit }: CheckedAction,
  cranks: readonly Crank[],
  signal?: AbortSignal,
): Promise<Pick<ActionDraft, 'packed' | 'simulated' | 'blockhash'>> {
  const { chain, now } = deps;
  const { lookupTables } = state;
  await deps.turns();
  const message = { payer: request.authority, version: request.version, microLamportsPerUnit, lookupTables };
  const packed = packPlan(plan, cranks, { ...message, tipLamports: deps.tipLamports });
  const watch = [...plan.watch, ...cranks.flatMap(({ feeds }) => feeds)];
  const simulate = () => compileAndSimulate({ ...message, packed, watch }, deps, signal);
  const [first, blockhash] = await Promise.all([simulate(), fetchBlockhash(chain, now, signal)]);
  const simulated = isCrankAhead(first, packed) ? await simulateLater(first, simulate, slotMicros, signal) : first;
  return { packed, simulated, blockhash };
}

/** The same node, whose answers are gone through in turns. */
function inTurns({ chain, turns }: BuildDeps): Pick<BuildDeps['chain'], 'fetchAccounts'> {
  return {
    async fetchAccounts(addresses, options) {
      const answer = await chain.fetchAccounts(addresses, options);
      await turns();
      return answer;
    },
  };
}

/** Oracles sign over a slot that our node may not have finished: their word is too new for it, not wrong. */
function isCrankAhead({ outcome }: SimulatedList, { drafts }: PackedPlan): boolean {
  return outcome.kind === 'failed' && drafts[outcome.index]?.type === 'CRANK';
}

const SLOTS_TO_CATCH_UP = 2n;

async function simulateLater(
  first: SimulatedList,
  simulate: () => Promise<SimulatedList>,
  slotMicros: bigint,
  signal?: AbortSignal,
): Promise<SimulatedList> {
  const waitMs = Number((slotMicros * SLOTS_TO_CATCH_UP) / 1_000n);
  await sleep(waitMs, undefined, signal === undefined ? {} : { signal });
  const again = await simulate();
  return { ...again, waves: first.waves + again.waves };
}

/** Fees are decided by who else writes the same accounts: the bank is the busy one. */
function writtenBy(known: KnownAction | null, { authority }: ActionRequest): readonly Address[] {
  return known === null ? [authority] : [known.action.bank];
}

/**
 * What the wallet pays besides what is moved, as far as it is known before the simulation: one transaction, with the limit that earlier
 * ones of its shape taught.
 */
function costsOf(plan: ActionPlan, microLamportsPerUnit: bigint, limits: LimitMemory): WalletCosts {
  const { setup, refresh, action, cleanup, rent } = plan;
  const units = limits.limitOf({ instructions: [...setup, ...refresh, ...action, ...cleanup] }) ?? 0;
  return {
    feeLamports: signatureFeeOf(1, []) + priorityFeeOf(microLamportsPerUnit, units),
    rentLamports: rent.reduce((sum, { lamports }) => sum + lamports, 0n),
  };
}

/** Only names of our own list come into labels: what a mint calls itself is a stranger's text. */
async function planFor(state: ActionState, known: KnownAction | null): Promise<ActionPlan> {
  if (known === null) return planCreateAccount(state);
  const { mint, venue } = known.bank;
  const symbol = symbolOfKnownMint(mint) ?? `${mint.slice(0, 4)}…${mint.slice(-4)}`;
  return planAction(state, known.action, { symbol, venue: formatVenue(venue) });
}
