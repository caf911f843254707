import { LendingError } from '@lending/errors';
import type { Address } from '@solana/kit';

/** `getMultipleAccounts` takes at most this many keys. */
export const MAX_KEYS_PER_READ = 100;

export interface PackedRead {
  /** Each address once, in the order first asked for. */
  readonly addresses: readonly Address[];
  /** Positions in the input of the groups this read answers. */
  readonly groupIndexes: readonly number[];
}

/**
 * Packs groups of addresses into reads so that no group spans two reads: everything of one group is then seen at one slot. First fit
 * in the order given; an address that several groups of a read share is asked for once.
 * @throws CHAIN__RPC_INVALID when one group alone is larger than a read.
 */
export function packGroups(groups: readonly (readonly Address[])[], maxKeys: number): readonly PackedRead[] {
  const reads: { readonly addresses: Set<Address>; readonly groupIndexes: number[] }[] = [];
  for (const [index, group] of groups.entries()) {
    const wanted = new Set(group);
    if (wanted.size > maxKeys) throw groupTooLarge(wanted.size, maxKeys);
    let read = reads.find(({ addresses }) => addresses.size + countMissing(addresses, wanted) <= maxKeys);
    if (read === undefined) {
      read = { addresses: new Set(), groupIndexes: [] };
      reads.push(read);
    }
    for (const address of wanted) read.addresses.add(address);
    read.groupIndexes.push(index);
  }
  return reads.map(({ addresses, groupIndexes }) => ({ addresses: [...addresses], groupIndexes }));
}

function countMissing(present: ReadonlySet<Address>, wanted: ReadonlySet<Address>): number {
  let missing = 0;
  for (const address of wanted) if (!present.has(address)) missing += 1;
  return missing;
}

function groupTooLarge(size: number, maxKeys: number): LendingError {
  return new LendingError('CHAIN__RPC_INVALID', {
    message: `A group of ${size} accounts cannot be read at one slot; at most ${maxKeys} fit into one getMultipleAccounts`,
    context: { method: 'getMultipleAccounts', size, maxKeys },
  });
}
