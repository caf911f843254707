import type { Address } from '@solana/kit';
import type { ActionState } from '#live/action-state.ts';
import { sidesOf } from '#live/sides-of.ts';
import { owedAfter } from '#plan/debt-to-fund.ts';
import { tokenPriceOf } from '#sizing/fair-trade.ts';
import { MAX_REPAY_USD, maxBaseAt } from './close-cap.ts';

/** What an account owes one bank now. */
export interface OwedDebt {
  readonly bank: Address;
  readonly decimals: number;
  /** Base units, premium included. */
  readonly owedBase: bigint;
  /** Base units that one call repays of it at most. */
  readonly maxBase: bigint;
}

/** All that an account owes, the most valuable debt first, and whether one call repays all of it, at the unbiased prices of the moment. */
export interface OwedDebts {
  readonly debts: readonly OwedDebt[];
  readonly isWithinCap: boolean;
}

/** @throws ORACLE__PRICE_STALE where a debt has no price at all. */
export function owedDebts(state: ActionState): OwedDebts {
  const priced = sidesOf(state).debt.flatMap((bank) => {
    const target = state.held.get(bank);
    const owedBase = target === undefined ? null : owedAfter({ ...state, target }, 0n);
    if (target === undefined || owedBase === null) return [];
    const price = tokenPriceOf(target, state.accounts);
    const { decimals } = target.mint;
    const debt: OwedDebt = { bank, decimals, owedBase, maxBase: maxBaseAt(price, decimals) };
    return [{ debt, usdE18: (owedBase * price) / 10n ** BigInt(decimals) }];
  });
  const sorted = priced.toSorted((one, other) => (one.usdE18 < other.usdE18 ? 1 : -1));
  const usdE18 = priced.reduce((sum, each) => sum + each.usdE18, 0n);
  return { debts: sorted.map(({ debt }) => debt), isWithinCap: usdE18 <= MAX_REPAY_USD * 10n ** 18n };
}
