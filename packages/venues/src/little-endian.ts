/** Integers at fixed offsets, for accounts of which a price needs a few fields among thousands of bytes. */
export function readU32(data: Uint8Array, offset: number): number {
  return viewOf(data).getUint32(offset, true);
}

export function readU64(data: Uint8Array, offset: number): bigint {
  return viewOf(data).getBigUint64(offset, true);
}

export function readU128(data: Uint8Array, offset: number): bigint {
  return readU64(data, offset) | (readU64(data, offset + 8) << 64n);
}

function viewOf(data: Uint8Array): DataView {
  return new DataView(data.buffer, data.byteOffset, data.byteLength);
}
