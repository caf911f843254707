import type { LiveAccounts, SimulatedAccount } from '@lending/transactions';
import type { Address } from '@solana/kit';

/** The accounts of a build with what a simulation made of those it reports. Clock and slot stay those of the reading. */
export function accountsAfter(
  before: LiveAccounts,
  after: ReadonlyMap<Address, SimulatedAccount | null>,
  slot: bigint,
): LiveAccounts {
  return {
    slot: before.slot,
    unixTimestamp: before.unixTimestamp,
    epoch: before.epoch,
    get(address) {
      const simulated = after.get(address);
      if (simulated === undefined) return before.get(address);
      return simulated === null ? null : { ...simulated, slot };
    },
  };
}
