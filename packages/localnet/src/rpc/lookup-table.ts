import { type Address, getAddressDecoder } from '@solana/kit';
import type { AccountState } from '#engine/engine.ts';
import { LOOKUP_TABLE_PROGRAM } from '#engine/runtime-addresses.ts';

/** Bytes before the addresses. @see agave address-lookup-table state.rs LOOKUP_TABLE_META_SIZE */
const META_BYTES = 56;
const ADDRESS_BYTES = 32;
const INITIALIZED = 1;

/** A lookup table in words, as kit's `fetchAddressesForLookupTables` asks for it; undefined for another account. */
export function parseLookupTable({ owner, data }: AccountState): object | undefined {
  if (owner !== LOOKUP_TABLE_PROGRAM || data.length < META_BYTES) return undefined;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  if (view.getUint32(0, true) !== INITIALIZED) return undefined;
  const addressAt = (offset: number): Address => getAddressDecoder().decode(data, offset);
  const count = Math.floor((data.length - META_BYTES) / ADDRESS_BYTES);
  const info = {
    addresses: Array.from({ length: count }, (_, index) => addressAt(META_BYTES + index * ADDRESS_BYTES)),
    ...(view.getUint8(21) === 1 ? { authority: addressAt(22) } : {}),
    deactivationSlot: view.getBigUint64(4, true).toString(),
    lastExtendedSlot: view.getBigUint64(12, true).toString(),
    lastExtendedSlotStartIndex: view.getUint8(20),
  };
  return { parsed: { info, type: 'lookupTable' }, program: 'address-lookup-table', space: data.length };
}
