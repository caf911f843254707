import type { PremiumChange, TokenChange } from '../build.ts';
import type { LeverageOutcome } from './describe-leverage.ts';

/** What closes that land in this order, each behind the one before it, make of the account and the wallet. One is itself. */
export function mergeOutcomes(outcomes: readonly LeverageOutcome[]): LeverageOutcome {
  const [first, last] = [outcomes[0], outcomes.at(-1)];
  if (first === undefined || last === undefined) throw new TypeError('There is no outcome');
  const earlier = outcomes.slice(0, -1);
  return {
    ...last,
    preHealth: first.preHealth,
    tokenChanges: mergeChanges(outcomes.flatMap(({ tokenChanges }) => tokenChanges)),
    premiums: mergePremiums(outcomes),
    earlierSwaps: earlier.flatMap(({ swap }) => swap ?? []),
    position: {
      ...last.position,
      earlierBorrowBanks: earlier.map(({ position }) => position.borrowBank),
      depositDeltaBase: outcomes.reduce((sum, { position }) => sum + position.depositDeltaBase, 0n),
    },
    // What is left of collateral and debts is told of the end alone.
    warnings: [
      ...earlier.flatMap(({ warnings }) => warnings.filter(({ code }) => OF_EACH.has(code))),
      ...last.warnings,
    ],
  };
}

/** Warnings of a swap, and of one debt. */
const OF_EACH: ReadonlySet<string> = new Set(['PRICE_IMPACT_HIGH', 'SWAP_ROUTE_REDUCED', 'NOTHING_REDEPOSITED']);

function mergeChanges(changes: readonly TokenChange[]): readonly TokenChange[] {
  const merged = new Map<string, TokenChange>();
  for (const change of changes) {
    const key = `${change.mint} ${change.isNativeSol}`;
    const { deltaBase = 0n, priceUsd = null } = merged.get(key) ?? {};
    merged.set(key, {
      ...change,
      deltaBase: deltaBase + change.deltaBase,
      priceUsd: change.priceUsd ?? priceUsd,
    });
  }
  return [...merged.values()].filter(({ deltaBase }) => deltaBase !== 0n);
}

function mergePremiums(outcomes: readonly LeverageOutcome[]): readonly PremiumChange[] {
  const merged = new Map<string, PremiumChange>();
  for (const change of outcomes.flatMap(({ premiums }) => premiums)) {
    const { beforePct } = merged.get(change.bank) ?? change;
    merged.set(change.bank, { ...change, beforePct });
  }
  return [...merged.values()];
}
