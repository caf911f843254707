import { isLendingError, type LendingError } from '@lending/errors';
import {
  type CheckOptions,
  type CloseAction,
  findSizedRefusal,
  type LeverageAction,
  type LeverageState,
  type LoopAction,
  neededOf,
  type SizedLeverage,
  type SwapRoute,
  sizeLeverage,
  swapNeedOf,
} from '@lending/transactions';
import type { LeverageDeps } from '../build-deps.ts';
import { type PlanToRoute, routeSwap, slippageOf } from './route-swap.ts';

const HUNDREDTHS = 100n;
/** Collateral that does not cover a debt is quoted for so much of what it should: that much most quotes give, and their rate says the rest. */
const SOUNDED_PERCENT = 97n;

/** Leverages that are quoted at most until the largest that lands is found. */
const MAX_PROBES = 5;

/**
 * A smaller leverage or repayment that oracles would carry may be more than quotes do, or less. So the one that is to be named is quoted
 * first, and the refusal says what lands at that rate.
 * @param early why the action does not land where a swap costs what oracles say, or a little more.
 * @returns the refusal to answer with; null where quotes are better than the oracles, and it does land.
 */
export async function quoteTheCap(
  deps: LeverageDeps,
  asked: Omit<PlanToRoute, 'cranks'>,
  early: LendingError,
): Promise<LendingError | null> {
  const { action, state, request } = asked;
  const cap = cappedBy(early, action);
  if (cap === null) return early;
  const route = await quoteOf(deps, asked, cap);
  const need = swapNeedOf(state, action, slippageOf(request, deps));
  if (route === null || need === null) return early;
  if (action.kind === 'loop' && cap.kind === 'loop') return largestLanding(deps, { ...asked, action }, { cap, route });
  return findSizedRefusal(state, sizeLeverage(state, action, atRateOf(route, need.neededOut)));
}

/**
 * The refusal of a loop with the largest leverage that lands. A loop borrows a little more than its swap needs, because quotes round: how
 * much, only its own quote says. So what lands at the rate of one quote is quoted itself, until that lands and nothing above it would.
 * @param first a smaller leverage, and what was found for it.
 * @returns null where the loop lands at the rate of a quote; with room for what quotes round where none was found in time.
 */
async function largestLanding(
  deps: LeverageDeps,
  asked: Omit<PlanToRoute, 'cranks' | 'action'> & { readonly action: LoopAction },
  first: { readonly cap: LoopAction; readonly route: SwapRoute },
  checks: CheckOptions = {},
): Promise<LendingError | null> {
  const { state, action } = asked;
  const refusalAt = ({ cap, route }: typeof first, isExact: boolean) =>
    findSizedRefusal(state, sizeLeverage(state, action, atRateOfLoop(state, cap, route, action)), {
      ...checks,
      isExact,
    });
  const fallback = refusalAt(first, false);
  let landed: { readonly cap: LoopAction; readonly refusal: LendingError } | null = null;
  let tried = first;
  for (let probe = 1; probe <= MAX_PROBES; probe += 1) {
    const refusal = refusalAt(tried, true);
    if (refusal === null) return null;
    const cap = cappedLoop(refusal, action);
    if (cap === null) break;
    if (landed !== null && cap.supplied <= landed.cap.supplied) return landed.refusal;
    const route = await quoteOf(deps, asked, cap);
    if (route === null) break;
    if (findSizedRefusal(state, sizeLeverage(state, cap, route), checks) === null) landed = { cap, refusal };
    tried = { cap, route };
  }
  return landed?.refusal ?? fallback;
}

/** What is refused of the very amounts, once the swap is found: of a loop with the largest leverage that lands. */
export async function findRoutedRefusal(
  deps: LeverageDeps,
  asked: Omit<PlanToRoute, 'cranks'>,
  sized: SizedLeverage,
  checks: CheckOptions,
): Promise<LendingError | null> {
  const { state, action } = asked;
  const refusal = findSizedRefusal(state, sized, checks);
  if (refusal === null || action.kind !== 'loop' || sized.swap === null) return refusal;
  if (cappedLoop(refusal, action) === null) return refusal;
  return (await largestLanding(deps, { ...asked, action }, { cap: action, route: sized.swap }, checks)) ?? refusal;
}

/**
 * Why no swap was found for a close: where all of the collateral fetches too little, that is said, with the most that it does fetch.
 * @returns the error itself where it has another reason.
 */
export async function explainUncovered(
  deps: LeverageDeps,
  asked: Omit<PlanToRoute, 'cranks'>,
  error: unknown,
): Promise<unknown> {
  const { action, state, request } = asked;
  if (action.kind === 'loop' || !isBelowNeeded(error)) return error;
  const need = swapNeedOf(state, action, slippageOf(request, deps));
  if (need === null) return error;
  const route = await quoteOf(deps, asked, soundedBy(action, need.neededOut));
  if (route === null) return error;
  return findSizedRefusal(state, sizeLeverage(state, action, atRateOf(route, need.neededOut))) ?? error;
}

function isBelowNeeded(error: unknown): boolean {
  if (!isLendingError(error, 'ACTION__SWAP_UNAVAILABLE')) return false;
  const tried = (error.context.tried ?? []) as readonly { readonly reason?: unknown }[];
  return tried.some(({ reason }) => reason === 'below_needed');
}

function soundedBy(action: CloseAction, base: bigint): CloseAction {
  // Rounded up: of one unit too something is quoted.
  return { ...action, repay: (base * SOUNDED_PERCENT + 99n) / 100n };
}

/** The action with the figure that is named; null where none is, or where it is not one of prices. */
function cappedBy(early: LendingError, action: PlanToRoute['action']): LeverageAction | null {
  return action.kind === 'loop' ? cappedLoop(early, action) : cappedClose(early, action);
}

function cappedClose({ code, context }: LendingError, action: CloseAction): CloseAction | null {
  const { max_repay_raw: named, limited_by: limitedBy } = context ?? {};
  if (code !== 'ACTION__COLLATERAL_EXCEEDED' || limitedBy !== 'balance' || typeof named !== 'string') return null;
  return named === '0' ? null : soundedBy(action, BigInt(named));
}

function cappedLoop({ code, context }: LendingError, action: LoopAction): LoopAction | null {
  const { max_leverage: named, pair_max_leverage: ofPair } = context ?? {};
  if (code !== 'ACTION__LEVERAGE_EXCEEDED') return null;
  if (typeof named !== 'number' || named === ofPair) return null;
  const hundredths = BigInt(Math.round(named * Number(HUNDREDTHS)));
  const supplied = (action.principal * hundredths) / HUNDREDTHS;
  return supplied > action.principal
    ? { ...action, supplied, leverage: { numerator: hundredths, denominator: HUNDREDTHS } }
    : null;
}

async function quoteOf(
  deps: LeverageDeps,
  asked: Omit<PlanToRoute, 'cranks'>,
  action: LeverageAction,
): Promise<SwapRoute | null> {
  try {
    const { found } = await routeSwap(deps, { ...asked, action, cranks: [] });
    return found?.route ?? null;
  } catch (error) {
    // Without a quote the figure of the oracles is the best there is.
    if (isLendingError(error)) return null;
    throw error;
  }
}

/** For so much leverage as another loop asks for, as much more than is needed is borrowed. */
function atRateOfLoop(
  state: LeverageState,
  cap: LoopAction,
  { quote, ...route }: SwapRoute,
  asked: LoopAction,
): SwapRoute {
  const [needed, neededOfCap] = [neededOf(state, asked), neededOf(state, cap)];
  const inBase = (needed * quote.inBase + neededOfCap - 1n) / neededOfCap;
  return { ...route, quote: { ...quote, inBase, outBase: needed, minOutBase: needed } };
}

/** The same rate for another amount. */
function atRateOf(route: SwapRoute, neededOut: bigint): SwapRoute {
  const { inBase, minOutBase } = route.quote;
  const scaled = (neededOut * inBase + minOutBase - 1n) / minOutBase;
  return { ...route, quote: { ...route.quote, inBase: scaled, outBase: neededOut, minOutBase: neededOut } };
}
