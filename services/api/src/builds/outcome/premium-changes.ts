import { computeRequirement, hasLiability, owesPremium, type RiskBalance, weighCollateral } from '@lending/domain';
import type { ActionState } from '@lending/transactions';
import type { P0Account } from '@lending/venues';
import { type Address, address } from '@solana/kit';
import { shownPremiumPct } from '#reads/premium-record.ts';
import type { BuildWarning, PremiumChange } from '../build.ts';

/** An account with what its balances were valued from; null where there is none. */
export interface ValuedAccount {
  readonly account: P0Account | null;
  /** In the account's order. */
  readonly balances: readonly RiskBalance[];
}

type Read = Pick<ActionState, 'group' | 'relaxed'>;

/** Percentage points: a smaller rise comes from prices that move. */
const QUIET_PCT = 0.01;

/** What debts bear besides interest before an action and after it, as the account had it and as the simulation left it. */
export function premiumChanges(before: ValuedAccount, after: ValuedAccount): readonly PremiumChange[] {
  const [was, is] = [premiumsOf(before), premiumsOf(after)];
  return [...new Set([...was.keys(), ...is.keys()])].map((bank) => ({
    bank,
    beforePct: was.get(bank) ?? 0,
    afterPct: is.get(bank) ?? 0,
  }));
}

/** What to know of premiums before signing: which the action raises, and why it does not set them. */
export function premiumWarnings(
  changes: readonly PremiumChange[],
  { balances }: ValuedAccount,
  state: Read,
  isPulseLeftOut: boolean,
): readonly BuildWarning[] {
  const raised = changes.filter(({ beforePct, afterPct }) => afterPct - beforePct >= QUIET_PCT);
  const unset = unpricedBanks(balances, state).map((bank) => ({
    level: 'warning' as const,
    code: 'PREMIUM_NOT_SET',
    message:
      'Without a price of this bank the premiums of the debts are not set: they stay as they are, or go up where collateral is withdrawn',
    bank,
  }));
  const leftOut = {
    level: 'info' as const,
    code: 'PREMIUM_NOT_SET',
    message:
      'The transaction does not set the premiums of the debts, for want of room or because that could fail: they stay until the next action does',
  };
  return [
    ...raised.map(({ bank, beforePct, afterPct }) => ({
      level: 'warning' as const,
      code: 'PREMIUM_RAISED',
      message: `The premium of this debt rises from ${beforePct.toFixed(2)} % to ${afterPct.toFixed(2)} % a year besides its interest, by the collateral that stands behind it`,
      bank,
    })),
    ...unset,
    ...(isPulseLeftOut ? [leftOut] : []),
  ];
}

function premiumsOf({ account, balances }: ValuedAccount): ReadonlyMap<Address, number> {
  return new Map(
    balances.flatMap((balance, index) => {
      const stored = account?.balances[index];
      if (stored === undefined || !hasLiability(balance) || !balance.bank.premium.isActive) return [];
      return [[stored.bank, shownPremiumPct(stored.premium.rate)] as const];
    }),
  );
}

/** Banks without whose price nothing sets the premiums of the account: of collateral that counts, or of a debt. */
function unpricedBanks(balances: readonly RiskBalance[], { group, relaxed }: Read): readonly Address[] {
  if (!owesPremium(balances)) return [];
  const valued = computeRequirement(balances, 'initial');
  const unpriced = new Set(weighCollateral(balances, 'initial', group.premiumPairs, relaxed).unpriced);
  if (valued.kind === 'refused') unpriced.add(valued.index);
  return balances.filter((_, index) => unpriced.has(index)).map(({ bank }) => address(bank.address));
}
