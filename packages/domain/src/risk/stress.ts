import { type HealthStatus, healthFactorOf, healthRatioOf, healthStatusOf } from './health-status.ts';
import { movePriceByPercent } from './price-move.ts';
import type { Ratio } from './ratio.ts';
import { computeRequirement } from './requirement.ts';
import type { RiskBalance, RiskBank } from './risk-balance.ts';

/** An account's health after prices have moved. */
export interface StressedHealth {
  /** −10 is a fall by a tenth. */
  readonly shockPercent: number;
  /** Addresses of the account's banks whose price moved. */
  readonly appliesTo: readonly string[];
  readonly status: HealthStatus;
  readonly factor: Ratio | null;
  readonly ratio: Ratio | null;
}

const SHOCKS_PERCENT = [-5, -10, -20, -30] as const;

/**
 * Health at maintenance if a market falls: the price of every bank that `isShocked` picks moves by the same part, collateral and debt
 * alike, so that a loop of staked SOL against SOL, which falls and rises as one, is not shown as a bet on SOL. Callers pick all but
 * stablecoins (`isKnownStablecoin` of the bank's mint); an account of stablecoins alone has nothing to apply to. Bands move as
 * `moveBand` says.
 */
export function stressHealth(
  balances: readonly RiskBalance[],
  isShocked: (bank: RiskBank) => boolean,
): readonly StressedHealth[] {
  const appliesTo = balances.filter(({ bank }) => isShocked(bank)).map(({ bank }) => bank.address);
  return SHOCKS_PERCENT.map((shockPercent) => {
    const moved = balances.map((balance) =>
      isShocked(balance.bank) ? { ...balance, price: movePriceByPercent(balance.price, shockPercent) } : balance,
    );
    const outcome = computeRequirement(moved, 'maintenance');
    if (outcome.kind === 'refused') return { shockPercent, appliesTo, status: 'unknown', factor: null, ratio: null };
    return {
      shockPercent,
      appliesTo,
      status: healthStatusOf(outcome),
      factor: healthFactorOf(outcome),
      ratio: healthRatioOf(outcome),
    };
  });
}
