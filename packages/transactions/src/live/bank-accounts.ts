import { oracleAccountsOf, type P0Bank } from '@lending/venues';
import type { Address } from '@solana/kit';
import { accountsToAct, accountsToRefresh } from '#instructions/bank-instructions.ts';
import type { ReadAccount } from './live-accounts.ts';
import { reserveKeysOf } from './reserve-keys.ts';

/** What a bank is read for: an action in it, or the value of a balance. */
export type BankRole = 'target' | 'held';

/**
 * Every account that a bank is read with, as far as what was read tells.
 * @throws ACTION__BANK_UNAVAILABLE where the venue's accounts are not what they should be.
 */
export async function accountsOfBank(bank: P0Bank, role: BankRole, read: ReadAccount): Promise<readonly Address[]> {
  const own = [bank.address, bank.mint, ...oracleAccountsOf(bank)];
  if (bank.venue === 'p0') own.push(bank.liquidityVault);
  const keys = await reserveKeysOf(bank, read);
  const venue = role === 'held' ? accountsToRefresh(bank, read) : accountsToAct(bank, read);
  return [...new Set([...own, ...(keys?.accounts ?? []), ...(await venue)])];
}
