import { NO_KEY } from '@lending/programs';
import { oracleAccountsOf } from '@lending/venues';
import type { Address } from '@solana/kit';
import type { LiveBank } from './action-state.ts';
import type { LeverageState, PairedBank } from './leverage-state.ts';

/**
 * What no swap between the pair's tokens has any business to write: the lending account, the group, and of every bank that the account is
 * in or comes to be in the vaults, the venue's accounts, the oracles, and the wallet's tokens that are not swapped. Addresses that only sign for their programs hold nothing.
 */
export function protectedAccountsOf(state: LeverageState): ReadonlySet<Address> {
  const { account, group, collateral, debt, held } = state;
  const banks = [collateral.live, debt.live, ...held.values()];
  const guarded = new Set([account.address, group.address, ...banks.flatMap(accountsBehind)]);
  for (const { live, tokens } of [collateral, debt] satisfies readonly PairedBank[]) {
    guarded.delete(tokens.address);
    guarded.delete(live.mint.address);
  }
  guarded.delete(NO_KEY);
  return guarded;
}

function accountsBehind({ bank, reserve }: LiveBank): readonly Address[] {
  return [
    bank.address,
    bank.liquidityVault,
    bank.insuranceVault,
    bank.feeVault,
    ...(bank.venue === 'p0' ? [] : bank.integrationAccounts),
    ...(reserve?.accounts ?? []),
    ...oracleAccountsOf(bank),
  ];
}
