import { isLendingError } from '@lending/errors';
import {
  type ActionPlan,
  type AggregatorKeys,
  type AggregatorName,
  amountsAsRoute,
  type BundlePlace,
  type Crank,
  expectLimit,
  type FoundSwap,
  type LeverageAction,
  type LeverageState,
  type LookupTables,
  type PackedPlan,
  packPlan,
  planLeverage,
  protectedAccountsOf,
  type SizedLeverage,
  type SwapFit,
  type SwapNeed,
  type SwapRequest,
  type SwapRoute,
  sizeLeverage,
  swapNeedOf,
} from '@lending/transactions';
import { wordsOf } from '../bank-words.ts';
import type { LeverageDeps } from '../build-deps.ts';
import type { LeverageRequest } from '../build-request.ts';
import { readTables } from '../read-tables.ts';
import type { KnownPair } from './find-pair.ts';
import { findWithinPolicy } from './find-within-policy.ts';

/** Accounts of one transaction, whatever its version. */
const MAX_ACCOUNTS = 64;

/** A loop or a close put together: with the route that was found, or without one where both banks have one mint. */
export interface RoutedPlan {
  readonly sized: SizedLeverage;
  readonly plan: ActionPlan;
  readonly packed: PackedPlan;
  readonly lookupTables: LookupTables;
  /** Null where nothing is swapped. */
  readonly found: FoundSwap | null;
  /** Waves of requests to the node: those for lookup tables of the routes. */
  readonly waves: number;
}

/** What a plan is put together from, whatever its route. */
export interface PlanToRoute {
  readonly request: LeverageRequest;
  readonly pair: KnownPair;
  /** With the prices that cranks bring. */
  readonly state: LeverageState;
  readonly action: LeverageAction;
  readonly microLamportsPerUnit: bigint;
  readonly cranks: readonly Crank[];
  readonly keys: AggregatorKeys;
  readonly doubted: readonly AggregatorName[];
  /** One of several closes that land as one bundle. */
  readonly inBundle?: BundlePlace;
  readonly signal?: AbortSignal;
}

/** What a swap may lose in this request, basis points. */
export function slippageOf({ policy }: LeverageRequest, { swapBounds }: Pick<LeverageDeps, 'swapBounds'>): number {
  return policy.maxSlippageBps ?? swapBounds.slippageBps;
}

/**
 * Finds the swap that the action needs and puts everything together around it.
 * @throws what finding a swap throws, and ACTION__TRANSACTION_EXCEEDED where nothing is swapped and the plan does not fit.
 */
export async function routeSwap(deps: LeverageDeps, asked: PlanToRoute): Promise<RoutedPlan> {
  const { request, state, action, signal } = asked;
  const slippageBps = slippageOf(request, deps);
  const need = swapNeedOf(state, action, slippageBps);
  if (need === null) return { ...(await putTogether(deps, asked, null)), found: null };
  const drafts = new Map<SwapRoute, Omit<RoutedPlan, 'found'>>();
  let waves = 0;
  const wanted: SwapRequest = {
    inMint: need.from.live.mint.address,
    outMint: need.to.live.mint.address,
    taker: request.authority,
    source: need.from.tokens.address,
    destination: need.to.tokens.address,
    neededOut: need.neededOut,
    inBase: need.inBase,
    maxInBase: need.maxInBase,
    slippageBps,
    maxPriceImpactE18: deps.swapBounds.maxPriceImpactE18,
    maxDeviationE18: deps.swapBounds.maxDeviationE18,
    fairOut: need.fair.outFor,
    protectedAccounts: protectedAccountsOf(state),
    lendingAccount: state.account.address,
    slot: state.accounts.slot,
    accountsLeft: await accountsLeftBeside(asked, need),
    async fit(route): Promise<SwapFit> {
      try {
        await deps.turns();
        const draft = await putTogether(deps, asked, route);
        drafts.set(route, draft);
        waves += draft.waves;
        return { kind: 'fits', submit: draft.packed.submit };
      } catch (error) {
        if (isLendingError(error, 'ACTION__TRANSACTION_EXCEEDED')) return { kind: 'too_large', error };
        throw error;
      }
    },
    pinned: request.pinnedSwaps.find(({ outMint }) => outMint === need.to.live.mint.address) ?? null,
    doubted: asked.doubted,
    keys: asked.keys,
    ...(signal === undefined ? {} : { signal }),
  };
  const found = await findWithinPolicy(deps.swaps, wanted, request.policy);
  const draft = drafts.get(found.route);
  if (draft === undefined) throw new TypeError('A route was chosen that was never fitted');
  return { ...draft, found, waves };
}

async function putTogether(
  deps: LeverageDeps,
  { request, pair, state, action, microLamportsPerUnit, cranks, inBundle, signal }: PlanToRoute,
  route: SwapRoute | null,
): Promise<Omit<RoutedPlan, 'found'>> {
  const named = route === null || request.version === 1 ? [] : route.lookupTables;
  const { tables, waves } = await readTables(deps, named, signal);
  const sized = sizeLeverage(state, action, route);
  const plan = await planLeverage(state, sized, pairWords(pair));
  const lookupTables = { ...state.lookupTables, ...tables };
  const packed = packPlan(plan, cranks, {
    payer: request.authority,
    version: request.version,
    microLamportsPerUnit,
    lookupTables,
    tipLamports: deps.tipLamports,
    limitOf: (draft) => expectLimit(deps.limits, draft),
    balances: state.held.size,
    ...(inBundle !== undefined && { inBundle }),
  });
  return { sized, plan, packed, lookupTables, waves };
}

/**
 * Accounts that a swap may bring along: what the plan leaves of a transaction that does everything but swap. The compute budget's program is one
 * too, where it is instructions.
 */
async function accountsLeftBeside(
  { state, action, pair, request }: PlanToRoute,
  { inBase, neededOut }: SwapNeed,
): Promise<number> {
  const noSwap = amountsAsRoute(inBase, neededOut);
  const plan = await planLeverage(state, sizeLeverage(state, action, noSwap), pairWords(pair));
  const used = [...plan.setup, ...plan.refresh, ...plan.action, ...plan.cleanup].flatMap(
    ({ programAddress, accounts = [] }) => [programAddress, ...accounts.map(({ address }) => address)],
  );
  const budget = request.version === 0 ? 1 : 0;
  return Math.max(0, MAX_ACCOUNTS - budget - new Set([request.authority, ...used]).size);
}

function pairWords({ deposit, borrow }: KnownPair) {
  return { deposit: wordsOf(deposit), borrow: wordsOf(borrow) };
}
