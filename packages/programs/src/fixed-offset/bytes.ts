import type { ReadonlyUint8Array } from '@solana/kit';

const LARGEST = 104;
/** Shared, because reserved room is nearly always zero and an array costs more to make than all its neighbours to read. */
const ZEROS: readonly ReadonlyUint8Array[] = Array.from({ length: LARGEST + 1 }, (_, size) => new Uint8Array(size));

/** Reserved bytes, at most 104: not to be written to, as their type says. */
export function bytesAt(view: DataView, at: number, size: number): ReadonlyUint8Array {
  const end = at + size;
  let next = at;
  for (; next + 4 <= end; next += 4) if (view.getInt32(next) !== 0) return copyAt(view, at, size);
  for (; next < end; next += 1) if (view.getUint8(next) !== 0) return copyAt(view, at, size);
  return ZEROS[size] as ReadonlyUint8Array;
}

function copyAt(view: DataView, at: number, size: number): ReadonlyUint8Array {
  return new Uint8Array(view.buffer, view.byteOffset + at, size).slice();
}
