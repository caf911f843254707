const U64_MAX = 0xffff_ffff_ffff_ffffn;

export function readU16(data: Uint8Array, offset: number): number {
  return viewOf(data).getUint16(offset, true);
}

export function writeU16(data: Uint8Array, offset: number, value: number): void {
  viewOf(data).setUint16(offset, value, true);
}

export function readU32(data: Uint8Array, offset: number): number {
  return viewOf(data).getUint32(offset, true);
}

export function writeU32(data: Uint8Array, offset: number, value: number): void {
  viewOf(data).setUint32(offset, value, true);
}

export function readU64(data: Uint8Array, offset: number): bigint {
  return viewOf(data).getBigUint64(offset, true);
}

/** Writes the low 64 bits: a value outside the range wraps, as the programs' release builds do. */
export function writeU64(data: Uint8Array, offset: number, value: bigint): void {
  viewOf(data).setBigUint64(offset, BigInt.asUintN(64, value), true);
}

export function isU64(value: bigint): boolean {
  return value >= 0n && value <= U64_MAX;
}

/** Whether `expected` stands in `data` at `offset`. */
export function hasBytesAt(data: Uint8Array, offset: number, expected: Uint8Array): boolean {
  if (offset + expected.length > data.length) return false;
  for (let index = 0; index < expected.length; index++) {
    if (data[offset + index] !== expected[index]) return false;
  }
  return true;
}

export function areBytesEqual(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && hasBytesAt(left, 0, right);
}

export function isZeroed(data: Uint8Array): boolean {
  return data.every((byte) => byte === 0);
}

function viewOf(data: Uint8Array): DataView {
  return new DataView(data.buffer, data.byteOffset, data.byteLength);
}
