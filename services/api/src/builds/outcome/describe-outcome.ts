import type { ActionState } from '@lending/transactions';
import type { Build } from '../build.ts';
import { type PassedSimulation, readAfter } from './account-after.ts';
import { judgeBalances, riskBalancesOf } from './judge-health.ts';
import { nearTheLine } from './near-the-line.ts';
import { premiumChanges, premiumWarnings } from './premium-changes.ts';
import { ratesAfter } from './rates-after.ts';
import { type TokensBefore, tokenChanges } from './token-changes.ts';

/** What a simulation that passed says of the account, the wallet and the bank. */
export type Outcome = Pick<Build, 'preHealth' | 'postHealth' | 'tokenChanges' | 'ratesAfter' | 'premiums' | 'warnings'>;

export interface OutcomeFacts {
  /** The action's token as it may be shown; null where it is on no list of ours. */
  readonly symbol: string | null;
  readonly slotMicros: bigint;
  /** Whether premiums were to be set behind the action, and are not. */
  readonly isPulseLeftOut: boolean;
}

/** Reads the accounts a simulation left behind. */
export async function describeOutcome(
  state: ActionState,
  passed: PassedSimulation,
  { symbol, slotMicros, isPulseLeftOut }: OutcomeFacts,
): Promise<Outcome> {
  const { account, accounts, target } = state;
  const after = readAfter(state, passed);
  const before = { account: account.state, balances: riskBalancesOf(account.state, accounts, state) };
  const valued = { account: after.account, balances: riskBalancesOf(after.account, after.accounts, state) };
  const postHealth = judgeBalances(valued.balances);
  const premiums = premiumChanges(before, valued);
  return {
    preHealth: judgeBalances(before.balances),
    postHealth,
    tokenChanges: tokenChanges(state, tokensOf(state, symbol), after.accounts),
    ratesAfter: target === null ? null : await ratesAfter(target.bank.address, state, after.accounts, slotMicros),
    premiums,
    warnings: [...nearTheLine(postHealth), ...premiumWarnings(premiums, valued, state, isPulseLeftOut)],
  };
}

function tokensOf({ target, walletTokens }: ActionState, symbol: string | null): readonly TokensBefore[] {
  return target === null || walletTokens === null ? [] : [{ live: target, tokens: walletTokens, symbol }];
}
