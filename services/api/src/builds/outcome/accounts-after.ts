import type { LiveAccounts, SimulatedAccount } from '@lending/transactions';
import type { Address } from '@solana/kit';

/** The accounts of a build with what a simulation made of those it reports, at the moment of the simulation. */
export function accountsAfter(
  before: LiveAccounts,
  after: ReadonlyMap<Address, SimulatedAccount | null>,
  { slot, unixTimestamp }: Pick<LiveAccounts, 'slot' | 'unixTimestamp'>,
): LiveAccounts {
  return {
    slot,
    unixTimestamp,
    epoch: before.epoch,
    get(address) {
      const simulated = after.get(address);
      if (simulated === undefined) return before.get(address);
      return simulated === null ? null : { ...simulated, slot };
    },
  };
}
