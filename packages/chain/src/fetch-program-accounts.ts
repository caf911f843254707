import type { Address, GetProgramAccountsApi, Rpc, Slot } from '@solana/kit';
import type { AccountUpdate } from './account-update.ts';
import type { ReadOptions } from './chain-options.ts';
import type { HighestSlot } from './highest-slot.ts';
import { type ProgramFilter, toRpcFilters } from './program-filter.ts';
import { toReadConfig, toSendOptions } from './read-config.ts';
import { toAccountUpdate } from './rpc-account.ts';

export interface ProgramAccounts {
  readonly slot: Slot;
  readonly accounts: readonly AccountUpdate[];
}

export interface ProgramReadOptions extends ReadOptions {
  /** Return only these bytes of each account; length 0 lists the addresses. Providers meter whole reads. */
  readonly dataSlice?: { readonly offset: number; readonly length: number };
}

/** Reads all accounts of a program that pass the filters, at one slot. */
export async function fetchProgramAccounts(
  reader: { readonly rpc: Rpc<GetProgramAccountsApi>; readonly highestSlot: HighestSlot },
  program: Address,
  filters: readonly ProgramFilter[],
  options: ProgramReadOptions = {},
): Promise<ProgramAccounts> {
  const { dataSlice } = options;
  const { context, value } = await reader.rpc
    .getProgramAccounts(program, {
      ...toReadConfig(options, reader.highestSlot),
      ...(dataSlice && { dataSlice }),
      encoding: 'base64',
      filters: toRpcFilters(filters),
      withContext: true,
    })
    .send(toSendOptions(options));
  const slot = BigInt(context.slot);
  return { slot, accounts: value.map(({ pubkey, account }) => toAccountUpdate(pubkey, slot, account)) };
}
