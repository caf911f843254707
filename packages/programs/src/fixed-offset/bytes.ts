import type { ReadonlyUint8Array } from '@solana/kit';

/** By size. Shared, because reserved room is nearly always zero and an array costs more to make than all its neighbours to read. */
const ZEROS: ReadonlyUint8Array[] = [];

/** Reserved bytes: not to be written to, as their type says. */
export function bytesAt(view: DataView, at: number, size: number): ReadonlyUint8Array {
  const end = at + size;
  let next = at;
  for (; next + 4 <= end; next += 4) if (view.getInt32(next) !== 0) return copyAt(view, at, size);
  for (; next < end; next += 1) if (view.getUint8(next) !== 0) return copyAt(view, at, size);
  ZEROS[size] ??= new Uint8Array(size);
  return ZEROS[size];
}

/** Byte by byte, which for so few is faster than to make a view and slice it. */
function copyAt(view: DataView, at: number, size: number): ReadonlyUint8Array {
  const copy = new Uint8Array(size);
  for (let index = 0; index < size; index += 1) copy[index] = view.getUint8(at + index);
  return copy;
}
