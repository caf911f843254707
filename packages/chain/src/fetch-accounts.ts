import type { Address, GetMultipleAccountsApi, Rpc, Slot } from '@solana/kit';
import { bulkhead } from 'cockatiel';
import type { AccountUpdate } from './account-update.ts';
import type { ReadOptions } from './chain-options.ts';
import { CLOCK_ADDRESS, readUnixTimestamp } from './clock-account.ts';
import type { HighestSlot } from './highest-slot.ts';
import { MAX_KEYS_PER_READ, type PackedRead, packGroups } from './pack-groups.ts';
import { toReadConfig, toSendOptions } from './read-config.ts';
import { toAccountUpdate } from './rpc-account.ts';

/** Accounts read by one call and therefore at one slot; null where the chain has none. */
export interface AccountBatch {
  readonly slot: Slot;
  readonly addresses: readonly Address[];
  readonly accounts: readonly (AccountUpdate | null)[];
}

/** One group as asked for, in the group's order, all of one slot. */
export interface AccountGroup {
  readonly slot: Slot;
  /** Seconds, from the clock sysvar of the same call: the time a program would see. */
  readonly unixTimestamp: bigint;
  readonly accounts: readonly (AccountUpdate | null)[];
}

export interface AccountReader {
  readonly rpc: Rpc<GetMultipleAccountsApi>;
  readonly highestSlot: HighestSlot;
  readonly maxParallelReads: number;
}

/** Reads accounts in batches of at most 100, in parallel; each batch has its own slot. Empty input asks nothing. */
export async function fetchAccounts(
  reader: AccountReader,
  addresses: readonly Address[],
  options: ReadOptions = {},
): Promise<readonly AccountBatch[]> {
  const batches: Address[][] = [];
  for (let start = 0; start < addresses.length; start += MAX_KEYS_PER_READ)
    batches.push(addresses.slice(start, start + MAX_KEYS_PER_READ));
  return inParallel(reader, batches, (batch) => fetchBatch(reader, batch, options));
}

/**
 * Reads groups of accounts so that all of one group are of one slot, each with the clock of that slot. Answers in the order of the
 * input; groups share calls where they fit (99 addresses and the clock).
 */
export async function fetchAccountGroups(
  reader: AccountReader,
  groups: readonly (readonly Address[])[],
  options: ReadOptions = {},
): Promise<readonly AccountGroup[]> {
  const reads = packGroups(groups, MAX_KEYS_PER_READ - 1);
  const answers = await inParallel(reader, reads, (read) => fetchPacked(reader, read, options));
  const result: AccountGroup[] = new Array(groups.length);
  for (const [index, { groupIndexes }] of reads.entries())
    for (const groupIndex of groupIndexes)
      result[groupIndex] = pickGroup(groups[groupIndex] ?? [], answers[index] as ClockedBatch);
  return result;
}

interface ClockedBatch {
  readonly slot: Slot;
  readonly unixTimestamp: bigint;
  readonly byAddress: ReadonlyMap<Address, AccountUpdate | null>;
}

async function fetchPacked(reader: AccountReader, read: PackedRead, options: ReadOptions): Promise<ClockedBatch> {
  const batch = await fetchBatch(reader, [...new Set([...read.addresses, CLOCK_ADDRESS])], options);
  const byAddress = new Map(batch.addresses.map((address, index) => [address, batch.accounts[index] ?? null]));
  return { slot: batch.slot, unixTimestamp: readUnixTimestamp(byAddress.get(CLOCK_ADDRESS)), byAddress };
}

function pickGroup(group: readonly Address[], { slot, unixTimestamp, byAddress }: ClockedBatch): AccountGroup {
  return Object.freeze({ slot, unixTimestamp, accounts: group.map((address) => byAddress.get(address) ?? null) });
}

async function fetchBatch(
  { rpc, highestSlot }: AccountReader,
  addresses: readonly Address[],
  options: ReadOptions,
): Promise<AccountBatch> {
  const { context, value } = await rpc
    .getMultipleAccounts(addresses, { ...toReadConfig(options, highestSlot), encoding: 'base64' })
    .send(toSendOptions(options));
  const slot = BigInt(context.slot);
  const accounts = addresses.map((address, index) => {
    const account = value[index];
    return account ? toAccountUpdate(address, slot, account) : null;
  });
  return Object.freeze({ slot, addresses, accounts });
}

async function inParallel<T, R>(
  { maxParallelReads }: AccountReader,
  items: readonly T[],
  task: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const gate = bulkhead(maxParallelReads, Number.POSITIVE_INFINITY);
  return Promise.all(items.map((item) => gate.execute(() => task(item))));
}
