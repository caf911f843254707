import type { ActionState } from '@lending/transactions';
import type { Build } from '../build.ts';
import { type PassedSimulation, readAfter } from './account-after.ts';
import { judgeHealth } from './judge-health.ts';
import { nearTheLine } from './near-the-line.ts';
import { ratesAfter } from './rates-after.ts';
import { type TokensBefore, tokenChanges } from './token-changes.ts';

/** What a simulation that passed says of the account, the wallet and the bank. */
export type Outcome = Pick<Build, 'preHealth' | 'postHealth' | 'tokenChanges' | 'ratesAfter' | 'warnings'>;

/**
 * Reads the accounts a simulation left behind.
 * @param symbol the action's token as it may be shown; null where it is on no list of ours.
 */
export async function describeOutcome(
  state: ActionState,
  passed: PassedSimulation,
  { symbol, slotMicros }: { readonly symbol: string | null; readonly slotMicros: bigint },
): Promise<Outcome> {
  const { account, accounts, target } = state;
  const after = readAfter(state, passed);
  const postHealth = judgeHealth(after.account, after.accounts, state);
  return {
    preHealth: judgeHealth(account.state, accounts, state),
    postHealth,
    tokenChanges: tokenChanges(state, tokensOf(state, symbol), after.accounts),
    ratesAfter: target === null ? null : await ratesAfter(target.bank.address, state, after.accounts, slotMicros),
    warnings: nearTheLine(postHealth),
  };
}

function tokensOf({ target, walletTokens }: ActionState, symbol: string | null): readonly TokensBefore[] {
  return target === null || walletTokens === null ? [] : [{ live: target, tokens: walletTokens, symbol }];
}
