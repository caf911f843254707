import type { Address } from '@solana/kit';
import { type AccountBatch, type AccountReader, fetchBatch, fetchInParallel } from './account-reader.ts';
import type { ReadOptions } from './chain-options.ts';
import { MAX_KEYS_PER_READ } from './pack-groups.ts';

/** Reads accounts in batches of at most 100, in parallel; each batch has its own slot. Empty input asks nothing. */
export async function fetchAccounts(
  reader: AccountReader,
  addresses: readonly Address[],
  options: ReadOptions = {},
): Promise<readonly AccountBatch[]> {
  const batches: Address[][] = [];
  for (let start = 0; start < addresses.length; start += MAX_KEYS_PER_READ)
    batches.push(addresses.slice(start, start + MAX_KEYS_PER_READ));
  return fetchInParallel(reader, batches, (batch) => fetchBatch(reader, batch, options));
}
