import { amountAfterFee, parseFraction } from '@lending/domain';
import type { CloseAction, LeverageAction, LoopAction, SizedClose, SizedLeverage, SizedLoop } from '#leverage.ts';
import type { LeverageState } from '#live/leverage-state.ts';
import type { SwapRoute } from '#swaps/swap-route.ts';
import { collateralBase } from './collateral-base.ts';
import { tokenPriceOf } from './fair-trade.ts';
import { boughtBase, repaidBase } from './swap-need.ts';

/** Collateral that is worth less is not left behind: nobody comes back for it, and it keeps a slot. */
const DUST_USD_E18 = parseFraction('0.01');

/** An action with the amounts that its route settles; null where both banks have one mint, and what is borrowed or withdrawn goes over as it is. */
export function sizeLeverage(state: LeverageState, action: LeverageAction, swap: SwapRoute | null): SizedLeverage {
  return action.kind === 'loop' ? sizeLoop(state, action, swap) : sizeClose(state, action, swap);
}

function sizeLoop(state: LeverageState, action: LoopAction, swap: SwapRoute | null): SizedLoop {
  return { ...action, borrow: swap === null ? boughtBase(state, action) : swap.quote.inBase, swap };
}

function sizeClose(state: LeverageState, action: CloseAction, swap: SwapRoute | null): SizedClose {
  const needed = repaidBase(state, action);
  const sold = swap === null ? needed : swap.quote.inBase;
  const fetched = swap === null ? needed : swap.quote.minOutBase;
  const held = collateralBase(state);
  return {
    ...action,
    withdraw: held - sold <= 0n || isDust(state, held - sold) ? 'all' : sold,
    redeposit: action.surplus === 'redeposit' && action.repay === 'all' ? depositable(state, fetched - needed) : 0n,
    swap,
  };
}

function isDust({ collateral, accounts }: LeverageState, restBase: bigint): boolean {
  const { live } = collateral;
  return restBase * tokenPriceOf(live, accounts) < DUST_USD_E18 * 10n ** BigInt(live.mint.decimals);
}

/** What is credited of it. */
function depositable({ debt }: LeverageState, surplusBase: bigint): bigint {
  return surplusBase > 0n ? amountAfterFee(debt.live.mint.transferFee, surplusBase) : 0n;
}
