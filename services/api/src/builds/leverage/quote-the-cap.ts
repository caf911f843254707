import { isLendingError, type LendingError } from '@lending/errors';
import {
  type CloseAction,
  findSizedRefusal,
  type LeverageAction,
  type LoopAction,
  type SwapRoute,
  sizeLeverage,
  swapNeedOf,
} from '@lending/transactions';
import type { LeverageDeps } from '../build-deps.ts';
import { type PlanToRoute, routeSwap, slippageOf } from './route-swap.ts';

const HUNDREDTHS = 100n;

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
  const sized = sizeLeverage(state, action, atRateOf(route, need.neededOut));
  return findSizedRefusal(state, sized);
}

/** The action with the figure that is named; null where none is, or where it is not one of prices. */
function cappedBy(early: LendingError, action: PlanToRoute['action']): LeverageAction | null {
  return action.kind === 'loop' ? cappedLoop(early, action) : cappedClose(early, action);
}

function cappedClose({ code, context }: LendingError, action: CloseAction): CloseAction | null {
  const { max_repay_raw: named, limited_by: limitedBy } = context ?? {};
  if (code !== 'ACTION__COLLATERAL_EXCEEDED' || limitedBy !== 'balance' || typeof named !== 'string') return null;
  return named === '0' ? null : { ...action, repay: BigInt(named) };
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
    const { found } = await routeSwap(deps, { ...asked, action, cranks: Promise.resolve([]) });
    return found?.route ?? null;
  } catch (error) {
    // Without a quote the figure of the oracles is the best there is.
    if (isLendingError(error)) return null;
    throw error;
  }
}

/** The same rate for another amount. */
function atRateOf(route: SwapRoute, neededOut: bigint): SwapRoute {
  const { inBase, minOutBase } = route.quote;
  const scaled = (neededOut * inBase + minOutBase - 1n) / minOutBase;
  return { ...route, quote: { ...route.quote, inBase: scaled, outBase: neededOut, minOutBase: neededOut } };
}
