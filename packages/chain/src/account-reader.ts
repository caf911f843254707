import type { Address, RpcTransport, Slot } from '@solana/kit';
import { bulkhead } from 'cockatiel';
import type { AccountUpdate } from './account-update.ts';
import type { ReadOptions } from './chain-options.ts';
import type { HighestSlot } from './highest-slot.ts';
import { toReadConfig } from './read-config.ts';
import { type RpcAccount, toAccountUpdate } from './rpc-account.ts';

/** What reading accounts needs of a chain. */
export interface AccountReader {
  readonly transport: RpcTransport;
  readonly highestSlot: HighestSlot;
  readonly maxParallelReads: number;
}

/** Accounts read by one call and therefore at one slot; null where the chain has none. */
export interface AccountBatch {
  readonly slot: Slot;
  readonly addresses: readonly Address[];
  readonly accounts: readonly (AccountUpdate | null)[];
}

interface BatchResponse {
  readonly result: {
    readonly context: { readonly slot: bigint };
    readonly value: readonly (RpcAccount | null)[];
  };
}

/** One `getMultipleAccounts` call. It goes by kit's client, which would copy the answer with its numbers once more. */
export async function fetchBatch(
  { transport, highestSlot }: AccountReader,
  addresses: readonly Address[],
  options: ReadOptions,
): Promise<AccountBatch> {
  const config = { ...toReadConfig(options, highestSlot), encoding: 'base64' };
  const { result } = await transport<BatchResponse>({
    payload: { id: 1, jsonrpc: '2.0', method: 'getMultipleAccounts', params: [addresses, config] },
    ...(options.signal && { signal: options.signal }),
  });
  const { context, value } = result;
  const slot = BigInt(context.slot);
  const accounts = addresses.map((address, index) => {
    const account = value[index];
    return account ? toAccountUpdate(address, slot, account) : null;
  });
  return Object.freeze({ slot, addresses, accounts });
}

/** Runs one task per item, as many at once as the reader allows; results in the order of the items. */
export async function fetchInParallel<T, R>(
  { maxParallelReads }: Pick<AccountReader, 'maxParallelReads'>,
  items: readonly T[],
  task: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const gate = bulkhead(maxParallelReads, Number.POSITIVE_INFINITY);
  return Promise.all(items.map((item) => gate.execute(() => task(item))));
}
