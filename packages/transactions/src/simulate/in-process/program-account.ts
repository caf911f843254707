import type { AccountUpdate } from '@lending/chain';
import { type Address, getAddressDecoder } from '@solana/kit';
import { IMMUTABLE_LOADERS, NATIVE_LOADER, UPGRADEABLE_LOADER } from './runtime-addresses.ts';

/** Layout of a program of the upgradeable loader: the number 2 as u32, the address of the account that has the code. */
const PROGRAM_TAG = 2;
const PROGRAM_SIZE = 36;
/** Layout of that account: the number 3 as u32, slot u64@4 of the deployment, optional authority @12, code @45. */
const PROGRAM_DATA_TAG = 3;
const SLOT_OFFSET = 4;
const CODE_OFFSET = 45;
/** Enough of it to know whether the code has changed. */
export const PROGRAM_DATA_HEADER_BYTES = 12;

const addresses = getAddressDecoder();

/** Whether an account is a program, which is nothing a transaction can write to. */
export function isProgram({ owner, data }: Pick<AccountUpdate, 'data' | 'owner'>): boolean {
  return owner === NATIVE_LOADER || IMMUTABLE_LOADERS.includes(owner) || codeAddressOf({ owner, data }) !== null;
}

/** Where an upgradeable program's code stands; null for what is none. */
export function codeAddressOf({ owner, data }: Pick<AccountUpdate, 'data' | 'owner'>): Address | null {
  if (owner !== UPGRADEABLE_LOADER || data.length !== PROGRAM_SIZE || viewOf(data).getUint32(0, true) !== PROGRAM_TAG)
    return null;
  return addresses.decode(data, 4);
}

/** When the code was deployed; null where the account holds none. */
export function deploySlotOf(data: Uint8Array): bigint | null {
  if (data.length < PROGRAM_DATA_HEADER_BYTES || viewOf(data).getUint32(0, true) !== PROGRAM_DATA_TAG) return null;
  return viewOf(data).getBigUint64(SLOT_OFFSET, true);
}

export function codeOf(programData: Uint8Array): Uint8Array {
  return programData.subarray(CODE_OFFSET);
}

function viewOf(data: Uint8Array): DataView {
  return new DataView(data.buffer, data.byteOffset, data.byteLength);
}
