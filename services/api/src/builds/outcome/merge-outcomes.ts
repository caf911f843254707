import { symbolOfKnownMint } from '@lending/domain';
import type { LeverageState } from '@lending/transactions';
import type { PremiumChange } from '../build.ts';
import { type PassedSimulation, readAfter } from './account-after.ts';
import type { LeverageOutcome } from './describe-leverage.ts';
import { shownChanges } from './moved-amounts.ts';
import { tokenChanges } from './token-changes.ts';

/** What one of several closes is described from. */
interface Described {
  readonly state: LeverageState;
  readonly outcome: LeverageOutcome;
}

/**
 * What closes that land in this order, each behind the one before it, make of the account and the wallet. One is itself.
 * @param passed the simulation of all of them: what moved is the difference of what there was before and what it left.
 */
export function mergeOutcomes(described: readonly Described[], passed: PassedSimulation): LeverageOutcome {
  const outcomes = described.map(({ outcome }) => outcome);
  const [first, last] = [described[0], outcomes.at(-1)];
  if (first === undefined || last === undefined) throw new TypeError('There is no outcome');
  if (described.length === 1) return last;
  const after = readAfter(first.state, passed);
  // Of a mint that several move, the first read what there was before.
  const held = described
    .flatMap(({ state }) => [state.collateral, state.debt])
    .map((each) => ({ ...each, symbol: symbolOfKnownMint(each.live.mint.address) }))
    .toReversed();
  const earlier = outcomes.slice(0, -1);
  return {
    ...last,
    preHealth: first.outcome.preHealth,
    tokenChanges: tokenChanges(first.state, held, after.accounts),
    premiums: mergePremiums(outcomes),
    earlierSwaps: earlier.flatMap(({ swap }) => swap ?? []),
    position: {
      ...last.position,
      earlierBorrowBanks: earlier.map(({ position }) => position.borrowBank),
      depositDeltaBase: shownChanges(first.state, after).collateral,
    },
    // What is left of collateral and debts is that of the end alone.
    warnings: [
      ...earlier.flatMap(({ warnings }) => warnings.filter(({ code }) => OF_EACH.has(code))),
      ...last.warnings,
    ],
  };
}

/** Warnings of a swap, and of one debt. */
const OF_EACH: ReadonlySet<string> = new Set(['PRICE_IMPACT_HIGH', 'SWAP_ROUTE_REDUCED', 'NOTHING_REDEPOSITED']);

function mergePremiums(outcomes: readonly LeverageOutcome[]): readonly PremiumChange[] {
  const merged = new Map<string, PremiumChange>();
  for (const change of outcomes.flatMap(({ premiums }) => premiums)) {
    const { beforePct } = merged.get(change.bank) ?? change;
    merged.set(change.bank, { ...change, beforePct });
  }
  return [...merged.values()];
}
