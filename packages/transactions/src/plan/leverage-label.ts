import { type Ratio, toUiAmount } from '@lending/domain';
import type { LeverageAction } from '#leverage.ts';
import type { LeverageState } from '#live/leverage-state.ts';
import { type BankWords, trimZeros } from './action-label.ts';

/** How both banks of a pair are spoken of. */
export interface PairWords {
  readonly deposit: BankWords;
  readonly borrow: BankWords;
}

/** Leverage is asked for with no more. */
const LEVERAGE_DECIMALS = 6;

/** An action in a person's words: `Loop 10 SOL at 3x into Kamino, borrowing USDC from P0`, `Repay all USDC to P0 with SOL from Kamino`. */
export function leverageLabel(
  { collateral, debt }: LeverageState,
  action: LeverageAction,
  { deposit, borrow }: PairWords,
): string {
  if (action.kind === 'loop') {
    const amount = trimZeros(toUiAmount(action.principal, collateral.live.mint.decimals));
    const leverage = shownLeverage(action.leverage);
    return `Loop ${amount} ${deposit.symbol} at ${leverage}x into ${deposit.venue}, borrowing ${borrow.symbol} from ${borrow.venue}`;
  }
  const amount = action.repay === 'all' ? 'all' : trimZeros(toUiAmount(action.repay, debt.live.mint.decimals));
  return `Repay ${amount} ${borrow.symbol} to ${borrow.venue} with ${deposit.symbol} from ${deposit.venue}`;
}

function shownLeverage({ numerator, denominator }: Ratio): string {
  return trimZeros(toUiAmount((numerator * 10n ** BigInt(LEVERAGE_DECIMALS)) / denominator, LEVERAGE_DECIMALS));
}
