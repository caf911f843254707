import type { FoundSwap, LeverageState, SizedLeverage } from '@lending/transactions';
import type { Build, BuildPosition } from '../build.ts';
import { type PassedSimulation, readAfter } from './account-after.ts';
import { describePosition } from './describe-position.ts';
import { describeSwap } from './describe-swap.ts';
import { judgeBalances, riskBalancesOf } from './judge-health.ts';
import { leverageWarnings } from './leverage-warnings.ts';
import { premiumChanges, premiumWarnings } from './premium-changes.ts';
import { ratesAfter } from './rates-after.ts';
import { type TokensBefore, tokenChanges } from './token-changes.ts';

/** What a simulation that passed says of a loop or a close. */
export interface LeverageOutcome
  extends Pick<
    Build,
    'preHealth' | 'postHealth' | 'tokenChanges' | 'ratesAfter' | 'premiums' | 'swap' | 'earlierSwaps' | 'warnings'
  > {
  readonly position: BuildPosition;
}

export interface LeverageFacts {
  /** Both tokens as they may be shown; null where one is on no list of ours. */
  readonly symbols: { readonly deposit: string | null; readonly borrow: string | null };
  readonly slotMicros: bigint;
  /** How the swap was found; null where nothing is swapped. */
  readonly found: Pick<FoundSwap, 'tried' | 'lossBps'> | null;
}

/**
 * Reads the accounts that the simulation of a loop or a close left behind. Whether it did what was promised is another question:
 * @see verify-swap.ts
 */
export async function describeLeverage(
  state: LeverageState,
  sized: SizedLeverage,
  passed: PassedSimulation,
  { symbols, slotMicros, found }: LeverageFacts,
): Promise<LeverageOutcome> {
  const { account, accounts, collateral, debt } = state;
  const after = readAfter(state, passed);
  const balances = riskBalancesOf(after.account, after.accounts, state);
  const balancesBefore = riskBalancesOf(account.state, accounts, state);
  const valued = { account: after.account, balances };
  const premiums = premiumChanges({ account: account.state, balances: balancesBefore }, valued);
  const postHealth = judgeBalances(balances);
  const [depositRates, borrowRates] = await Promise.all([
    ratesAfter(collateral.live.bank.address, state, after.accounts, slotMicros),
    ratesAfter(debt.live.bank.address, state, after.accounts, slotMicros),
  ]);
  const position = describePosition(state, sized, after, { health: postHealth.health, balances, borrowRates });
  const swap = describeSwap(state, sized, after.accounts, found?.tried ?? []);
  const held: readonly TokensBefore[] = [
    { ...collateral, symbol: symbols.deposit },
    { ...debt, symbol: symbols.borrow },
  ];
  return {
    preHealth: judgeBalances(balancesBefore),
    postHealth,
    tokenChanges: tokenChanges(state, held, after.accounts),
    ratesAfter: depositRates,
    swap,
    earlierSwaps: [],
    position,
    premiums,
    warnings: [
      ...leverageWarnings({
        state,
        sized,
        after,
        postHealth,
        depositRates,
        premiums,
        position,
        swap,
        lossBps: found?.lossBps ?? 0,
      }),
      ...premiumWarnings(premiums, valued, state, false),
    ],
  };
}
