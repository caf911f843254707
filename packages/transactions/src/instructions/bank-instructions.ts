import type { P0Bank } from '@lending/venues';
import type { Address } from '@solana/kit';
import type { ReadAccount } from '#live/live-accounts.ts';

/**
 * Accounts that acting on a bank is built from, besides the bank, its mint, its vault and its oracle accounts, which are read anyway:
 * the venue's reserve, what that names, and what may have to be created first. Asked again with more read until it names nothing new.
 */
export async function accountsToAct(bank: P0Bank, read: ReadAccount): Promise<readonly Address[]> {
  return accountsToRefresh(bank, read);
}

/** The same for bringing what the bank's receipts are worth up to date, where the account merely holds a balance in it. */
export async function accountsToRefresh({ venueAccount }: P0Bank, _read: ReadAccount): Promise<readonly Address[]> {
  return venueAccount === null ? [] : [venueAccount];
}
