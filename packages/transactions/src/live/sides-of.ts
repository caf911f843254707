import { sideOf } from '@lending/domain';
import type { Address } from '@solana/kit';
import type { ActionState } from './action-state.ts';

/** Banks of an account by the side that the program sees of them. */
export interface AccountSides {
  readonly collateral: readonly Address[];
  readonly debt: readonly Address[];
}

/** What the account has, and what it owes, in the order of its slots; balances too small for either side are left out. */
export function sidesOf({ account }: Pick<ActionState, 'account'>): AccountSides {
  const balances = account.state?.balances ?? [];
  const on = (side: 'asset' | 'liability') =>
    balances.filter((balance) => sideOf(balance) === side).map(({ bank }) => bank);
  return { collateral: on('asset'), debt: on('liability') };
}
