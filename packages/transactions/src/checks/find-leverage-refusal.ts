import { isLendingError, type LendingError } from '@lending/errors';
import type { LeverageAction, SizedLeverage } from '#leverage.ts';
import type { LeverageState } from '#live/leverage-state.ts';
import { sizeBy } from '#sizing/size-by.ts';
import { costByOracles, costByQuote, type SwapCost, withRoom } from '#sizing/swap-cost.ts';
import { findFlashLoanRefusal } from './account-check.ts';
import { closeRefusal, findDebtRefusal } from './close-refusal.ts';
import { type CheckOptions, notLentOut } from './find-action-refusal.ts';
import { findLeverageWalletRefusal } from './leverage-wallet-check.ts';
import { judgeLoan, readLoan } from './loan-check.ts';
import { findGateRefusal, loopRefusal, pairRefusal } from './loop-refusal.ts';
import { isAbove, pairLeverageOf } from './pair-leverage.ts';
import { findPayerRefusal } from './payer-check.ts';

export interface LeverageCheckOptions extends CheckOptions {
  /** What a swap may lose: the figures that are named leave room for that, and collateral that is sold. Default: nothing. */
  readonly slippageBps?: number;
}

/**
 * Why a loop or a close would not land on the chain as it was read, or null, before any quote: swaps are taken to give what the oracles say,
 * so that nothing is refused that a good quote would carry. The maximum of the pair comes first, of balances and prices the last.
 * The error has the numbers that say what would pass.
 */
export function findLeverageRefusal(
  state: LeverageState,
  action: LeverageAction,
  options: LeverageCheckOptions = {},
): LendingError | null {
  const { slippageBps = null } = options;
  const { kind } = action;
  return orRefusal(() => {
    const early = findPairRefusal(state, action);
    if (early !== null) return early;
    const cost = costByOracles(state, kind);
    const namedCost = costByOracles(state, kind, slippageBps);
    return findLoanRefusal(state, { sized: sizeBy(state, action, cost), coverCost: namedCost, namedCost }, options);
  });
}

export interface SizedCheckOptions extends CheckOptions {
  /** Names figures of swaps at exactly the rate of the one that was found: whether another quote carries them is still to be seen. */
  readonly isExact?: boolean;
}

/** The same of the very amounts, once the swap is found; the figures that are named are of swaps at its rate, with room for what quotes round. */
export function findSizedRefusal(
  state: LeverageState,
  sized: SizedLeverage,
  options: SizedCheckOptions = {},
): LendingError | null {
  return orRefusal(() => {
    const early = findPairRefusal(state, sized);
    if (early !== null) return early;
    const cost = sized.swap === null ? costByOracles(state, sized.kind) : costByQuote(sized.swap);
    const namedCost = sized.swap === null || options.isExact === true ? cost : withRoom(cost);
    return findLoanRefusal(state, { sized, coverCost: cost, namedCost }, options);
  });
}

/** What no amount, balance or price mends. */
function findPairRefusal(state: LeverageState, action: LeverageAction): LendingError | null {
  const payer = findPayerRefusal(state);
  if (payer !== null) return payer;
  if (state.debt.live.bank.venue !== 'p0') return notLentOut(state.debt.live);
  // A bank that is closed to deposits is said to be just that: its collateral counts nothing then, which would allow no leverage.
  const isOpen = state.collateral.live.bank.operationalState === 'Operational';
  const max = action.kind === 'loop' && isOpen ? pairLeverageOf(state) : null;
  if (action.kind === 'loop' && max !== null && isAbove(action.leverage, max)) return pairRefusal(state, max);
  return findFlashLoanRefusal(state);
}

interface CostedLoan {
  readonly sized: SizedLeverage;
  /** By which collateral covers a debt or not. */
  readonly coverCost: SwapCost;
  readonly namedCost: SwapCost;
}

function findLoanRefusal(state: LeverageState, costed: CostedLoan, options: CheckOptions): LendingError | null {
  const { sized } = costed;
  const found = readLoan(state, sized.kind, options);
  if ('refusal' in found) return found.refusal;
  const judged = { state, loan: found.loan, ...costed, options };
  const early = sized.kind === 'loop' ? findGateRefusal({ ...judged, sized }) : findDebtRefusal({ ...judged, sized });
  if (early !== null) return early;
  const verdict = judgeLoan(found.loan, sized);
  const refusal =
    sized.kind === 'loop' ? loopRefusal({ ...judged, sized }, verdict) : closeRefusal({ ...judged, sized }, verdict);
  // What the wallet lacks is told before what prices make of the account.
  const isOfHealth = verdict?.by === 'program' && verdict.step === 'end';
  const ofWallet = refusal === null || isOfHealth ? findLeverageWalletRefusal(state, sized, options) : null;
  return ofWallet ?? refusal;
}

/** A token without any price, or accounts of a venue that say nothing. */
function orRefusal(check: () => LendingError | null): LendingError | null {
  try {
    return check();
  } catch (error) {
    if (isLendingError(error, 'ORACLE__PRICE_STALE')) return error;
    throw error;
  }
}
