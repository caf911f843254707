import type { Address, RpcTransport, Slot } from '@solana/kit';
import type { ReadOptions } from './chain-options.ts';
import type { HighestSlot } from './highest-slot.ts';
import { type ProgramFilter, toRpcFilters } from './program-filter.ts';
import { toReadConfig } from './read-config.ts';

/** Addresses of accounts at one slot. */
export interface ProgramListing {
  readonly slot: Slot;
  readonly addresses: readonly Address[];
}

interface ListingResponse {
  readonly result: {
    readonly context: { readonly slot: number | bigint };
    readonly value: readonly { readonly pubkey: Address }[];
  };
}

/** No bytes of any account are asked for. */
const NO_BYTES = { offset: 0, length: 0 };

/**
 * The addresses of all accounts of a program that pass the filters, at one slot.
 *
 * A hundred thousand of them are asked for at once, so the answer goes by kit's client, which would make a big integer of every number in
 * it: 520 MB for a moment instead of 100, and seconds in which nothing else runs.
 */
export async function listProgramAccounts(
  reader: { readonly transport: RpcTransport; readonly highestSlot: HighestSlot },
  program: Address,
  filters: readonly ProgramFilter[],
  options: ReadOptions = {},
): Promise<ProgramListing> {
  const config = {
    ...toReadConfig(options, reader.highestSlot),
    dataSlice: NO_BYTES,
    encoding: 'base64',
    filters: toRpcFilters(filters),
    withContext: true,
  };
  const { result } = await reader.transport<ListingResponse>({
    payload: { id: 1, jsonrpc: '2.0', method: 'getProgramAccounts', params: [program, config] },
    ...(options.signal && { signal: options.signal }),
  });
  return { slot: BigInt(result.context.slot), addresses: result.value.map(({ pubkey }) => pubkey) };
}
