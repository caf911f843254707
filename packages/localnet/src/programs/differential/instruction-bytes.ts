import { AccountRole, type Address, getAddressEncoder } from '@solana/kit';
import { SYSTEM_PROGRAM } from '#engine/runtime-addresses.ts';
import type { AnyInstruction } from './world.ts';

/** Parts of instruction data: a number is one byte. */
type Part = Uint8Array | number;

export function concat(...parts: readonly Part[]): Uint8Array {
  return new Uint8Array(parts.flatMap((part) => (typeof part === 'number' ? [part] : [...part])));
}

export function u16(value: number): Uint8Array {
  return Uint8Array.of(value & 0xff, value >> 8);
}

export function u32(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value, true);
  return bytes;
}

export function u64(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, value, true);
  return bytes;
}

export function key(address: Address): Uint8Array {
  return new Uint8Array(getAddressEncoder().encode(address));
}

export function option(address: Address | null): Uint8Array {
  return address === null ? Uint8Array.of(0) : concat(1, key(address));
}

export function text(value: string): Uint8Array {
  const bytes = new TextEncoder().encode(value);
  return concat(u64(BigInt(bytes.length)), bytes);
}

/** Account metas as `w` writable, `s` signer, `ws` both, `r` neither. */
export type Meta = readonly [mode: 'r' | 's' | 'w' | 'ws', address: Address];

const ROLES = {
  r: AccountRole.READONLY,
  s: AccountRole.READONLY_SIGNER,
  w: AccountRole.WRITABLE,
  ws: AccountRole.WRITABLE_SIGNER,
} as const;

export function instruction(programAddress: Address, metas: readonly Meta[], ...data: readonly Part[]): AnyInstruction {
  return {
    programAddress,
    accounts: metas.map(([mode, address]) => ({ address, role: ROLES[mode] })),
    data: concat(...data),
  };
}

export function createAccount(
  from: Address,
  to: Address,
  lamports: bigint,
  space: bigint,
  owner: Address,
): AnyInstruction {
  const data = [u32(0), u64(lamports), u64(space), key(owner)];
  return instruction(
    SYSTEM_PROGRAM,
    [
      ['ws', from],
      ['ws', to],
    ],
    ...data,
  );
}
