import type { P0Bank } from '@lending/venues';
import type { Address } from '@solana/kit';
import type { ReadAccount } from '#live/live-accounts.ts';
import { unreadableBank } from '#live/unreadable-bank.ts';

/** The reserve, spot market or lending account behind a bank of another venue. @throws ACTION__BANK_UNAVAILABLE where there is none. */
export function venueAccountOf(bank: P0Bank): Address {
  return bank.venueAccount ?? lacks(bank, 'venue account');
}

/** The second or third key of a bank of another venue, whose meaning depends on the venue. @throws ACTION__BANK_UNAVAILABLE */
export function integrationAccountOf(bank: P0Bank, index: 1 | 2): Address {
  return bank.integrationAccounts[index] ?? lacks(bank, `integration account ${index + 1}`);
}

/** The lending program that a bank belongs to, whose the bank's vault authority is; undefined until the bank itself was read. */
export function programOf({ address }: P0Bank, read: ReadAccount): Address | undefined {
  return read(address)?.owner;
}

/** Whether an account was read and exists. */
export function isThere(address: Address, read: ReadAccount): boolean {
  const account = read(address);
  return account !== null && account !== undefined;
}

function lacks({ address }: P0Bank, what: string): never {
  throw unreadableBank(address, `it names no ${what}`);
}
