import { readAddress } from '@lending/programs';
import type { Address } from '@solana/kit';
import { readU32, readU64 } from '#engine/bytes.ts';
import { InstructionError } from '#engine/instruction-error.ts';

/** A seed as the instruction carries it: UTF-8 bytes. */
interface Seed {
  readonly base: Address;
  readonly seed: Uint8Array;
}

export type SystemInstruction =
  | { readonly kind: 'allocate'; readonly space: bigint }
  | ({ readonly kind: 'allocateWithSeed'; readonly space: bigint; readonly owner: Address } & Seed)
  | { readonly kind: 'assign'; readonly owner: Address }
  | ({ readonly kind: 'assignWithSeed'; readonly owner: Address } & Seed)
  | ({ readonly kind: 'createAccount' | 'createAccountAllowPrefund' } & NewAccount)
  | ({ readonly kind: 'createAccountWithSeed' } & NewAccount & Seed)
  | { readonly kind: 'transfer'; readonly lamports: bigint }
  | { readonly kind: 'transferWithSeed'; readonly lamports: bigint; readonly seed: Uint8Array; readonly owner: Address }
  | { readonly kind: 'unsupported' };

interface NewAccount {
  readonly lamports: bigint;
  readonly space: bigint;
  readonly owner: Address;
}

/**
 * Reads a System instruction (bincode: u32 tag, little-endian fields, strings with a u64 length; bytes after it are
 * ignored).
 * @throws InstructionError `InvalidInstructionData`
 */
export function parseSystemInstruction(data: Uint8Array): SystemInstruction {
  const reader = new FieldReader(data);
  const tag = reader.u32();
  switch (tag) {
    case 0:
      return { kind: 'createAccount', lamports: reader.u64(), space: reader.u64(), owner: reader.address() };
    case 1:
      return { kind: 'assign', owner: reader.address() };
    case 2:
      return { kind: 'transfer', lamports: reader.u64() };
    case 3:
      return {
        kind: 'createAccountWithSeed',
        base: reader.address(),
        seed: reader.string(),
        lamports: reader.u64(),
        space: reader.u64(),
        owner: reader.address(),
      };
    case 8:
      return { kind: 'allocate', space: reader.u64() };
    case 9:
      return {
        kind: 'allocateWithSeed',
        base: reader.address(),
        seed: reader.string(),
        space: reader.u64(),
        owner: reader.address(),
      };
    case 10:
      return { kind: 'assignWithSeed', base: reader.address(), seed: reader.string(), owner: reader.address() };
    case 11:
      return { kind: 'transferWithSeed', lamports: reader.u64(), seed: reader.string(), owner: reader.address() };
    case 13:
      return {
        kind: 'createAccountAllowPrefund',
        lamports: reader.u64(),
        space: reader.u64(),
        owner: reader.address(),
      };
    default:
      // 4 to 7 and 12 are the durable nonce's.
      if ((tag >= 4 && tag <= 7) || tag === 12) return { kind: 'unsupported' };
      throw new InstructionError('InvalidInstructionData');
  }
}

class FieldReader {
  readonly #data: Uint8Array;
  #offset = 0;

  constructor(data: Uint8Array) {
    this.#data = data;
  }

  u32(): number {
    return readU32(this.#data, this.#take(4));
  }

  u64(): bigint {
    return readU64(this.#data, this.#take(8));
  }

  address(): Address {
    return readAddress(this.#data, this.#take(32));
  }

  string(): Uint8Array {
    const length = this.u64();
    if (length > BigInt(this.#data.length)) throw new InstructionError('InvalidInstructionData');
    const start = this.#take(Number(length));
    const bytes = this.#data.subarray(start, start + Number(length));
    if (!isUtf8(bytes)) throw new InstructionError('InvalidInstructionData');
    return bytes;
  }

  #take(length: number): number {
    const start = this.#offset;
    if (start + length > this.#data.length) throw new InstructionError('InvalidInstructionData');
    this.#offset += length;
    return start;
  }
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
