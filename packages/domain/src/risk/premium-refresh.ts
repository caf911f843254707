import { type PremiumPair, type PremiumWeight, premiumRateFor } from '../accounting/premium.ts';
import { multiplyI80F48 } from '../i80f48.ts';
import { NONE_RELAXED, type RelaxedRules } from '../strict-rules.ts';
import { hasLiability, sideOf } from './balance-side.ts';
import { isWorthlessInitially } from './balance-value.ts';
import { bandOf } from './band-of.ts';
import { calcValue } from './calc-value.ts';
import { computeRequirement } from './requirement.ts';
import type { Requirement, RiskBalance } from './risk-balance.ts';

/** What stands behind an account's debts, as a pass of the risk engine weighs it. */
export interface WeighedCollateral {
  /** Each deposit that counts, by its place among the balances. USD without weights, at the lower price. */
  readonly weights: readonly (PremiumWeight & { readonly index: number })[];
  /** Places of the deposits that have to be priced and are not: while there are any, no rate is set. */
  readonly unpriced: readonly number[];
}

/**
 * Weighs an account's collateral for the rates of its debts. Isolated collateral never counts, and none whose bank gives it no
 * maintenance weight; what backs no new debt counts all the same. A deposit without a price leaves the pass incomplete where the risk
 * engine looks at its oracle: always, but for tokens that are worth nothing initially, which only a table with pairs looks at. Where
 * `stale_zero_weight_collateral` is relaxed, an initial pass looks at no tokens that back no new debt, be it for want of a weight.
 * @throws DECODE__VALUE_OUT_OF_RANGE, ProgramPanic as `valueBalance`.
 * @see marginfi-v2 programs/marginfi/src/state/marginfi_account.rs `collect_premium_scratch_entry`
 */
export function weighCollateral(
  balances: readonly RiskBalance[],
  requirement: Requirement,
  pairs: readonly PremiumPair[],
  relaxed: RelaxedRules = NONE_RELAXED,
): WeighedCollateral {
  const skipsWeightless = requirement === 'initial' && relaxed.has('stale_zero_weight_collateral');
  const weights: (PremiumWeight & { readonly index: number })[] = [];
  const unpriced: number[] = [];
  for (const [index, balance] of balances.entries()) {
    const { bank, price } = balance;
    if (sideOf(balance) !== 'asset' || bank.riskTier === 'Isolated') continue;
    const counts = pairs.length > 0 && bank.weights.assetMaint > 0n;
    const isWorthless = isWorthlessInitially(bank) || (price.kind === 'loaded' && !price.hasBorrowingPower);
    const isSkipped = skipsWeightless && (isWorthless || bank.weights.assetInit === 0n);
    const isLookedAt = !isSkipped && (counts || requirement !== 'initial' || !isWorthless);
    const band = bandOf(price, requirement === 'maintenance' ? 'spot' : 'ema');
    if (band === null && isLookedAt) unpriced.push(index);
    if (band === null || band.low <= 0n || !counts) continue;
    const amount = multiplyI80F48(balance.assetShares, bank.shares.assetShareValue);
    weights.push({ index, tag: bank.premium.tag, usd: calcValue(amount, band.low, null, bank) });
  }
  return { weights, unpriced };
}

/** Whether the account owes where a premium is charged: only then do its rates matter. */
export function owesPremium(balances: readonly RiskBalance[]): boolean {
  return balances.some((balance) => hasLiability(balance) && balance.bank.premium.isActive);
}

/**
 * The deposit whose missing price keeps an instruction from setting the rates of debts: what adds debt then fails with
 * `PremiumSnapshotUnavailable`. Null where all that count have one, or no debt bears a premium.
 */
export function findUnpricedCollateral(
  balances: readonly RiskBalance[],
  pairs: readonly PremiumPair[],
  relaxed: RelaxedRules = NONE_RELAXED,
): RiskBalance | null {
  if (!owesPremium(balances)) return null;
  const [first] = weighCollateral(balances, 'initial', pairs, relaxed).unpriced;
  return first === undefined ? null : (balances[first] ?? null);
}

/**
 * The encoded rate of each debt once an instruction sets it; null where it sets none: for deposits, in banks without a premium, while a
 * price is missing, and where the risk engine refuses the account.
 */
export function premiumRatesAfter(
  balances: readonly RiskBalance[],
  requirement: Requirement,
  pairs: readonly PremiumPair[],
): readonly (number | null)[] {
  const { weights, unpriced } = weighCollateral(balances, requirement, pairs);
  const isSet = unpriced.length === 0 && computeRequirement(balances, requirement).kind === 'valued';
  return balances.map((balance) =>
    !isSet || !hasLiability(balance) || !balance.bank.premium.isActive
      ? null
      : premiumRateFor(balance.bank.premium.tag, weights, pairs),
  );
}
