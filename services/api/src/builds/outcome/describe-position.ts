import {
  FRACTION_ONE,
  findLiquidationPoints,
  formatFraction,
  type Health,
  parseFraction,
  type Ratio,
  type RiskBalance,
} from '@lending/domain';
import { type LeverageState, pairLeverageOf, type SizedLeverage } from '@lending/transactions';
import type { BankRates, BuildPosition } from '../build.ts';
import type { AfterSimulation } from './account-after.ts';
import { shownChanges } from './moved-amounts.ts';
import { priceOf } from './token-changes.ts';

export interface JudgedPosition {
  /** Of the account afterwards, and what it was worked out from. */
  readonly health: Health;
  readonly balances: readonly RiskBalance[];
  readonly borrowRates: BankRates;
}

/** What a loop or a close made of the account, and where its collateral would have to fall. */
export function describePosition(
  state: LeverageState,
  sized: SizedLeverage,
  after: AfterSimulation,
  { health, balances, borrowRates }: JudgedPosition,
): BuildPosition {
  const { collateral, debt } = state;
  const changes = shownChanges(state, after);
  const change = changeToLiquidation(state, balances);
  return {
    depositBank: collateral.live.bank.address,
    depositDecimals: collateral.live.mint.decimals,
    depositDeltaBase: changes.collateral,
    borrowBank: debt.live.bank.address,
    earlierBorrowBanks: [],
    borrowDecimals: debt.live.mint.decimals,
    borrowDeltaBase: changes.debt,
    leverage: health.worth?.leverage ?? null,
    maxLeverageHundredths: sized.kind === 'loop' ? pairLeverageOf(state) : null,
    liquidationPriceUsd: change === null ? null : movedPrice(priceOf(collateral.live, after.accounts), change),
    priceChangeToLiquidation: change,
    borrowRatesAfter: borrowRates,
  };
}

/**
 * Null where no price of the collateral opens the account to liquidation, or none is left. Where the debt is in the same token its price
 * moves both: it decides nothing by itself.
 */
function changeToLiquidation({ collateral, debt }: LeverageState, balances: readonly RiskBalance[]): Ratio | null {
  if (collateral.live.bank.mint === debt.live.bank.mint) return null;
  const point = findLiquidationPoints(balances).find((each) => each?.bank === collateral.live.bank.address);
  return point?.change ?? null;
}

/** Of the token people know, which a venue's receipt stands for: both move by the same part. */
function movedPrice(priceUsd: string | null, { numerator, denominator }: Ratio): string | null {
  if (priceUsd === null) return null;
  const moved = (parseFraction(priceUsd) * (denominator + numerator)) / denominator;
  return moved > 0n && moved < FRACTION_ONE * FRACTION_ONE ? formatFraction(moved) : null;
}
