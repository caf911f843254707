import { isLendingError } from '@lending/errors';
import { pullFeedLayout, SWITCHBOARD_ON_DEMAND_PROGRAM } from '@lending/programs';
import { type AccountBytes, decodeAccount, decodeOnce, type P0Bank } from '@lending/venues';
import type { Address } from '@solana/kit';
import type { ReadAccount } from './live/live-accounts.ts';
import { unreadableBank } from './live/unreadable-bank.ts';

const FEED = { kind: 'Switchboard feed', owner: SWITCHBOARD_ON_DEMAND_PROGRAM };

/** @throws DECODE__OWNER_MISMATCH, DECODE__DISCRIMINATOR_MISMATCH, DECODE__ACCOUNT_MALFORMED */
export const switchboardFeed = decodeOnce((account: AccountBytes) => decodeAccount(account, FEED, pullFeedLayout));

type Decode<T> = (account: AccountBytes) => T;

/** Null where an account was not read, is missing, or cannot be read. */
export function readOrNull<T>(decode: Decode<T>, account: AccountBytes | null | undefined): T | null {
  if (!account) return null;
  try {
    return decode(account);
  } catch (error) {
    if (isLendingError(error)) return null;
    throw error;
  }
}

/**
 * What an account of a bank's venue holds that building needs.
 * @throws ACTION__BANK_UNAVAILABLE where it was not found or cannot be read.
 */
export function readVenueAccount<T>(decode: Decode<T>, bank: P0Bank, address: Address, read: ReadAccount): T {
  const account = read(address);
  if (!account) throw unreadableBank(bank.address, `the account ${address} of its venue does not exist`);
  try {
    return decode(account);
  } catch (error) {
    if (isLendingError(error)) throw unreadableBank(bank.address, `its venue cannot be read: ${error.message}`, error);
    throw error;
  }
}
