import type { AccountBatch, AccountUpdate } from '@lending/chain';
import { LendingError } from '@lending/errors';
import { CLOCK_SYSVAR, clockLayout } from '@lending/programs';
import type { Address } from '@solana/kit';
import type { LiveAccounts, ReadAccount } from './live-accounts.ts';

/** What was read so far. */
export interface AccountSet {
  readonly get: ReadAccount;
  add(batches: readonly AccountBatch[]): void;
  /**
   * All of it, with the time of the chain.
   * @throws DECODE__ACCOUNT_MALFORMED when the clock was not read or is none.
   */
  toLiveAccounts(): LiveAccounts;
}

/** Collects the answers of one build's waves. */
export function createAccountSet(): AccountSet {
  const accounts = new Map<Address, AccountUpdate | null>();
  let oldest: bigint | null = null;
  return {
    get: (address) => accounts.get(address),
    add(batches) {
      for (const { slot, addresses, accounts: found } of batches) {
        oldest = oldest === null || slot < oldest ? slot : oldest;
        for (const [index, address] of addresses.entries()) accounts.set(address, found[index] ?? null);
      }
    },
    toLiveAccounts() {
      const { unixTimestamp, epoch } = readClock(accounts.get(CLOCK_SYSVAR));
      return Object.freeze({
        slot: oldest ?? 0n,
        unixTimestamp,
        epoch,
        get: (address: Address) => accounts.get(address),
      });
    },
  };
}

function readClock(clock: AccountUpdate | null | undefined) {
  const decoder = clockLayout;
  if (!clock || clock.data.length < decoder.fixedSize) {
    throw new LendingError('DECODE__ACCOUNT_MALFORMED', {
      message: `The clock sysvar has ${clock?.data.length ?? 'no'} bytes, expected at least ${decoder.fixedSize}`,
      context: { address: CLOCK_SYSVAR },
    });
  }
  return decoder.decode(clock.data);
}
