import { largerOf } from '@lending/domain';
import type { ActionState, LiveAccounts, SimulationOutcome } from '@lending/transactions';
import { decodeMarginfiAccount, type P0Account } from '@lending/venues';
import { accountsAfter } from './accounts-after.ts';

export type PassedSimulation = Extract<SimulationOutcome, { readonly kind: 'passed' }>;

/** The lending account that a simulation left, null where there is none any more, and all accounts at that moment. */
export interface AfterSimulation {
  readonly account: P0Account | null;
  readonly accounts: LiveAccounts;
}

/** Reads what a simulation that passed left behind. */
export function readAfter(
  { account, accounts, program }: Pick<ActionState, 'account' | 'accounts' | 'program'>,
  passed: PassedSimulation,
): AfterSimulation {
  const bytes = passed.after.get(account.address);
  const accountAfter = bytes ? decodeMarginfiAccount(bytes, program) : null;
  // Whatever acts on an account notes the time on it: blocks pass between reading and simulation, and venues refuse to look back.
  const unixTimestamp = largerOf(accounts.unixTimestamp, accountAfter?.lastUpdate ?? 0n);
  const slot = largerOf(accounts.slot, passed.slot);
  return { account: accountAfter, accounts: accountsAfter(accounts, passed.after, { slot, unixTimestamp }) };
}
