import { setTimeout as sleep } from 'node:timers/promises';
import { isLendingError } from '@lending/errors';
import { type ActionPlan, type Crank, type FeedToCrank, isLookupFailure, type PackedPlan } from '@lending/transactions';
import type { Address } from '@solana/kit';
import { type FetchedBlockhash, fetchBlockhash } from './blockhash.ts';
import type { BuildDeps } from './build-deps.ts';
import { type CompileInput, compileAndSimulate, type SimulatedList } from './compile-and-simulate.ts';
import { findFailedTables } from './read-tables.ts';

/** A plan's transactions, and what running them showed. */
export interface SimulatedPlan {
  readonly packed: PackedPlan;
  readonly simulated: SimulatedList;
  /** Fetched beside the simulation. */
  readonly blockhash: FetchedBlockhash;
  /** Lookup tables that may have failed though they are as they were read: the same is built again without them. */
  readonly failedTables: readonly Address[];
}

export interface PlanToSimulate extends Omit<CompileInput, 'watch'> {
  readonly plan: ActionPlan;
  readonly cranks: readonly Crank[];
  readonly slotMicros: bigint;
}

/** Simulates the transactions that a plan was packed into, and fetches a blockhash beside it. Lookup tables that fail are read again. */
export async function simulatePlan(
  deps: Pick<BuildDeps, 'chain' | 'banks' | 'simulator' | 'limits' | 'now'>,
  { plan, cranks, slotMicros, ...input }: PlanToSimulate,
  signal?: AbortSignal,
): Promise<SimulatedPlan> {
  const { packed } = input;
  const watch = [...plan.watch, ...cranks.flatMap(({ feeds }) => feeds)];
  const simulate = () => compileAndSimulate({ ...input, watch }, deps, signal);
  // Asked for first, it is mostly read by the time that the simulation is answered.
  const asked = fetchBlockhash(deps.chain, deps.now, signal);
  const [first, blockhash] = await Promise.all([simulate(), asked]);
  const simulated = isCrankAhead(first, packed) ? await simulateLater(first, simulate, slotMicros, signal) : first;
  const { outcome } = simulated;
  const hasFailedLookup = outcome.kind === 'failed' && isLookupFailure(outcome);
  const failedTables = hasFailedLookup ? await findFailedTables(deps, input.lookupTables, signal) : [];
  return { packed, simulated, blockhash, failedTables };
}

/** A plan with what is cranked before it. */
export type PlanForm = Pick<PlanToSimulate, 'plan' | 'cranks'>;

/**
 * Simulates an action with all that sets premiums, and where there is no room for that, or it fails, without: no action is to fail, and
 * no wallet is to pay for cranks, for what the action does not need.
 * @throws ACTION__TRANSACTION_EXCEEDED where it takes too many transactions without as well.
 */
export async function simulateBestForm(
  whole: PlanForm,
  bare: PlanForm,
  pack: (form: PlanForm) => PackedPlan,
  simulate: (form: PlanForm, packed: PackedPlan) => Promise<SimulatedPlan>,
): Promise<SimulatedPlan> {
  const isBare = whole.plan.pulse === null && whole.cranks.length === bare.cranks.length;
  const packed = packWhole(whole, pack);
  const first = packed === null ? null : await simulate(whole, packed);
  if (first !== null && (isBare || !mayPassBare(first))) return first;
  const second = await simulate(bare, pack(bare));
  const waves = (first?.simulated.waves ?? 0) + second.simulated.waves;
  return { ...second, simulated: { ...second.simulated, waves } };
}

/** What fails for its lookup tables fails with the same tables again. */
function mayPassBare({ simulated: { outcome } }: SimulatedPlan): boolean {
  return outcome.kind === 'failed' && !isLookupFailure(outcome);
}

/** Null where it takes too many transactions, or has no room for its pulse. */
function packWhole(form: PlanForm, pack: (form: PlanForm) => PackedPlan): PackedPlan | null {
  try {
    const packed = pack(form);
    return form.plan.pulse !== null && !packed.isPulsed ? null : packed;
  } catch (error) {
    if (isLendingError(error, 'ACTION__TRANSACTION_EXCEEDED')) return null;
    throw error;
  }
}

/** The cranks that any of these feeds is in. */
export function cranksOf(cranks: readonly Crank[], feeds: readonly FeedToCrank[]): readonly Crank[] {
  const wanted = new Set(feeds.map(({ address }) => address));
  return cranks.filter((crank) => crank.feeds.some((feed) => wanted.has(feed)));
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
