import { NO_KEY } from '@lending/programs';
import { oracleAccountsOf } from '@lending/venues';
import type { Address } from '@solana/kit';
import type { LiveBank } from './action-state.ts';
import type { LeverageState } from './leverage-state.ts';

/**
 * What no swap between the pair's tokens has any business to write: the lending account, the group, and of every bank that the account is
 * in or comes to be in the vaults, the venue's accounts and the oracles. Addresses that only sign for their programs hold nothing.
 */
export function protectedAccountsOf(state: LeverageState): ReadonlySet<Address> {
  const { account, group, collateral, debt, held } = state;
  const banks = [collateral.live, debt.live, ...held.values()];
  const guarded = new Set([account.address, group.address, ...banks.flatMap(accountsBehind)]);
  // The oracle of staked collateral reads the mint, and a route may well mint.
  for (const { live } of [collateral, debt]) guarded.delete(live.mint.address);
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
