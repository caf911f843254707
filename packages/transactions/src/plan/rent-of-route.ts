import { TOKEN_2022_PROGRAM, tokenAccountLayout } from '@lending/programs';
import type { Address } from '@solana/kit';
import type { LeverageState } from '#live/leverage-state.ts';
import type { SwapRoute } from '#swaps/swap-route.ts';
import type { ActionPlan } from './action-plan.ts';
import { rentToPay } from './rent-to-pay.ts';
import { tokenAccountSize } from './token-account-size.ts';

/** Of an account of Token-2022 with all that mints make their accounts carry. */
const LONGEST_SIZE = 195;

/**
 * What the token accounts that a route passes through cost at the most: whether they are there, and what their mints make them carry, is
 * known only where it was read.
 */
export function rentOfRoute(state: LeverageState, { setup }: Pick<SwapRoute, 'setup'>): ActionPlan['rent'] {
  return setup.flatMap(({ accounts = [] }) => {
    const [, account, , mint, , tokenProgram] = accounts.map(({ address }) => address as Address);
    if (account === undefined || mint === undefined) return [];
    return [{ address: account, lamports: rentToPay(state, account, sizeOf(state, mint, tokenProgram)) }];
  });
}

function sizeOf({ accounts }: LeverageState, mint: Address, tokenProgram: Address | undefined): number {
  if (tokenProgram !== TOKEN_2022_PROGRAM) return tokenAccountLayout.fixedSize;
  const data = accounts.get(mint)?.data;
  return data === undefined ? LONGEST_SIZE : tokenAccountSize(tokenProgram, data);
}
