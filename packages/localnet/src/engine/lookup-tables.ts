import { readAddress } from '@lending/programs';
import type { Address } from '@solana/kit';
import { readU32, readU64 } from './bytes.ts';
import type { AddressLookup } from './decode-transaction.ts';
import type { AccountSource, ExecutionResult, SlotContext } from './engine.ts';
import { LOOKUP_TABLE_PROGRAM } from './runtime-addresses.ts';
import { TransactionFailure } from './transaction-failure.ts';

const HEADER_BYTES = 56;
const TABLE_DISCRIMINATOR = 1;
const NEVER_DEACTIVATED = 0xffff_ffff_ffff_ffffn;
/** Slots a table stays usable after it was switched off. */
const DEACTIVATION_SLOTS = 512n;

/** @throws TransactionFailure naming what is wrong with a table or an index. */
export function resolveLookups(
  lookups: readonly AddressLookup[],
  accounts: AccountSource,
  context: SlotContext,
): ExecutionResult['loadedAddresses'] {
  const writable: Address[] = [];
  const readonly: Address[] = [];
  for (const lookup of lookups) {
    const addresses = usableAddresses(lookup.table, accounts, context.slot);
    writable.push(...lookup.writable.map((index) => addressAt(addresses, index)));
    readonly.push(...lookup.readonly.map((index) => addressAt(addresses, index)));
  }
  return { writable, readonly };
}

/** The table's addresses that are usable in this slot: those added in this very slot are not yet. */
function usableAddresses(table: Address, accounts: AccountSource, slot: bigint): Uint8Array {
  const account = accounts.get(table);
  if (account === undefined) throw new TransactionFailure('AddressLookupTableNotFound');
  if (account.owner !== LOOKUP_TABLE_PROGRAM) throw new TransactionFailure('InvalidAddressLookupTableOwner');
  const { data } = account;
  if (
    data.length < HEADER_BYTES ||
    readU32(data, 0) !== TABLE_DISCRIMINATOR ||
    (data.length - HEADER_BYTES) % 32 !== 0
  ) {
    throw new TransactionFailure('InvalidAddressLookupTableData');
  }
  const deactivated = readU64(data, 4);
  if (deactivated !== NEVER_DEACTIVATED && slot > deactivated + DEACTIVATION_SLOTS) {
    throw new TransactionFailure('AddressLookupTableNotFound');
  }
  const lastExtended = readU64(data, 12);
  const length = slot > lastExtended ? (data.length - HEADER_BYTES) / 32 : (data[20] ?? 0);
  return data.subarray(HEADER_BYTES, HEADER_BYTES + length * 32);
}

function addressAt(addresses: Uint8Array, index: number): Address {
  if ((index + 1) * 32 > addresses.length) throw new TransactionFailure('InvalidAddressLookupTableIndex');
  return readAddress(addresses, index * 32);
}
