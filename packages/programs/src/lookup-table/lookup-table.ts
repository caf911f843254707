import { type Address, address, getAddressDecoder } from '@solana/kit';

/** Owner of the tables that transactions look addresses up in. */
export const LOOKUP_TABLE_PROGRAM: Address = address('AddressLookupTab1e1111111111111111111111111');

/** Bytes before the addresses. @see agave address-lookup-table state.rs `LOOKUP_TABLE_META_SIZE` */
const META_SIZE = 56;
const ADDRESS_SIZE = 32;
const INITIALIZED = 1;
const NEVER = 2n ** 64n - 1n;

/**
 * The addresses that a transaction of a later slot can look up in a table, in the table's order. Those added in `slot` itself are not
 * usable yet; a table that is being closed, or none, has none.
 */
export function readLookupTable(table: Uint8Array, slot: bigint): readonly Address[] {
  if (table.length < META_SIZE) return [];
  const view = new DataView(table.buffer, table.byteOffset, table.byteLength);
  const isOpen = view.getUint32(0, true) === INITIALIZED && view.getBigUint64(4, true) === NEVER;
  if (!isOpen) return [];
  const count = Math.floor((table.length - META_SIZE) / ADDRESS_SIZE);
  const [lastExtended, firstOfLast] = [view.getBigUint64(12, true), view.getUint8(20)];
  const usable = slot > lastExtended ? count : Math.min(firstOfLast, count);
  const decoder = getAddressDecoder();
  return Array.from({ length: usable }, (_, index) => decoder.decode(table, META_SIZE + index * ADDRESS_SIZE));
}
