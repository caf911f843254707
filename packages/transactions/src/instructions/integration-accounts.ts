import { LendingError } from '@lending/errors';
import type { P0Bank } from '@lending/venues';
import type { Address } from '@solana/kit';
import type { ReadAccount } from '#live/live-accounts.ts';

/** The reserve, spot market or lending account behind a bank of another venue. @throws DECODE__ACCOUNT_MALFORMED where there is none. */
export function venueAccountOf(bank: P0Bank): Address {
  return bank.venueAccount ?? lacks(bank, 'venue account');
}

/** The second or third key of a bank of another venue, whose meaning depends on the venue. @throws DECODE__ACCOUNT_MALFORMED */
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

/** What is in an account that building needs. @throws DECODE__ACCOUNT_MALFORMED where it does not exist, or was not read. */
export function dataOf(address: Address, read: ReadAccount): Uint8Array {
  const data = read(address)?.data;
  if (data !== undefined) return data;
  throw new LendingError('DECODE__ACCOUNT_MALFORMED', {
    message: `The account ${address} is to be built from and was not found, expected a venue's`,
    context: { address },
  });
}

function lacks({ address, venue }: P0Bank, what: string): never {
  throw new LendingError('DECODE__ACCOUNT_MALFORMED', {
    message: `The bank ${address} on ${venue} has no ${what}`,
    context: { address, venue },
  });
}
