import type { Address, Slot } from '@solana/kit';
import { type AccountReader, fetchBatch, fetchInParallel } from './account-reader.ts';
import type { AccountUpdate } from './account-update.ts';
import type { ReadOptions } from './chain-options.ts';
import { CLOCK_ADDRESS, type Clock, readClock } from './clock-account.ts';
import { MAX_KEYS_PER_READ, type PackedRead, packGroups } from './pack-groups.ts';

/** One group as asked for, in the group's order, all of one slot, with the clock sysvar of the same call: the time a program would see. */
export interface AccountGroup extends Clock {
  readonly slot: Slot;
  readonly accounts: readonly (AccountUpdate | null)[];
}

/** One call's answer. */
interface ClockedBatch extends Clock {
  readonly slot: Slot;
  readonly byAddress: ReadonlyMap<Address, AccountUpdate | null>;
}

/**
 * Reads groups of accounts so that all of one group are of one slot, each with the clock of that slot. Answers in the order of the
 * input; groups share calls where they fit (99 addresses and the clock).
 * @throws CHAIN__RPC_INVALID for a group of more than 99 accounts, DECODE__ACCOUNT_MALFORMED when the chain has no clock.
 */
export async function fetchAccountGroups(
  reader: AccountReader,
  groups: readonly (readonly Address[])[],
  options: ReadOptions = {},
): Promise<readonly AccountGroup[]> {
  const reads = packGroups(groups, MAX_KEYS_PER_READ - 1);
  const answers = await fetchInParallel(reader, reads, async (read) => {
    const batch = await fetchPacked(reader, read, options);
    return read.groupIndexes.map((index) => ({ index, group: pickGroup(groups[index] ?? [], batch) }));
  });
  return answers
    .flat()
    .sort((a, b) => a.index - b.index)
    .map(({ group }) => group);
}

async function fetchPacked(reader: AccountReader, read: PackedRead, options: ReadOptions): Promise<ClockedBatch> {
  const batch = await fetchBatch(reader, [...new Set([...read.addresses, CLOCK_ADDRESS])], options);
  const byAddress = new Map(batch.addresses.map((address, index) => [address, batch.accounts[index] ?? null]));
  return { slot: batch.slot, ...readClock(byAddress.get(CLOCK_ADDRESS)), byAddress };
}

function pickGroup(group: readonly Address[], { byAddress, ...moment }: ClockedBatch): AccountGroup {
  return Object.freeze({ ...moment, accounts: group.map((address) => byAddress.get(address) ?? null) });
}
