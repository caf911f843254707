import { largerOf } from '@lending/domain';
import type { ActionState, SimulationOutcome } from '@lending/transactions';
import { decodeMarginfiAccount } from '@lending/venues';
import type { Build, BuildWarning } from '../build.ts';
import { accountsAfter } from './accounts-after.ts';
import { judgeHealth } from './judge-health.ts';
import { ratesAfter } from './rates-after.ts';
import { tokenChanges } from './token-changes.ts';

/** What a simulation that passed says of the account, the wallet and the bank. */
export type Outcome = Pick<Build, 'preHealth' | 'postHealth' | 'tokenChanges' | 'ratesAfter' | 'warnings'>;

/**
 * Reads the accounts a simulation left behind.
 * @param symbol the action's token as it may be shown; null where it is on no list of ours.
 */
export async function describeOutcome(
  state: ActionState,
  passed: Extract<SimulationOutcome, { readonly kind: 'passed' }>,
  { symbol, slotMicros }: { readonly symbol: string | null; readonly slotMicros: bigint },
): Promise<Outcome> {
  const { account, accounts, program } = state;
  const bytes = passed.after.get(account.address);
  const accountAfter = bytes ? decodeMarginfiAccount(bytes, program) : null;
  // Whatever acts on an account notes the time on it: blocks pass between reading and simulation, and venues refuse to look back.
  const unixTimestamp = largerOf(accounts.unixTimestamp, accountAfter?.lastUpdate ?? 0n);
  const after = accountsAfter(accounts, passed.after, { slot: largerOf(accounts.slot, passed.slot), unixTimestamp });
  const postHealth = judgeHealth(accountAfter, after, program);
  return {
    preHealth: judgeHealth(account.state, accounts, program),
    postHealth,
    tokenChanges: tokenChanges(state, after, symbol),
    ratesAfter: await ratesAfter(state, after, slotMicros),
    warnings: nearTheLine(postHealth),
  };
}

function nearTheLine({ health }: Build['postHealth']): BuildWarning[] {
  if (health.status !== 'warning' && health.status !== 'critical' && health.status !== 'liquidatable') return [];
  return [
    {
      level: 'warning',
      code: 'LIQUIDATION_NEAR',
      message:
        'A small fall of the collateral would let the account be liquidated: repay or deposit to raise health_ratio above 1.25',
    },
  ];
}
