/** Little endian throughout, as all programs store. */
export const u8At = (view: DataView, at: number): number => view.getUint8(at);
export const u16At = (view: DataView, at: number): number => view.getUint16(at, true);
export const u32At = (view: DataView, at: number): number => view.getUint32(at, true);
export const i32At = (view: DataView, at: number): number => view.getInt32(at, true);
export const u64At = (view: DataView, at: number): bigint => view.getBigUint64(at, true);
export const i64At = (view: DataView, at: number): bigint => view.getBigInt64(at, true);

/** Many fixed-point numbers are zero, or leave the upper half empty: none is made then, or one, where the general way makes four. */
export function i128At(view: DataView, at: number): bigint {
  if (view.getInt32(at + 8, true) === 0 && view.getInt32(at + 12, true) === 0) {
    return view.getInt32(at, true) === 0 && view.getInt32(at + 4, true) === 0 ? 0n : view.getBigUint64(at, true);
  }
  return (view.getBigInt64(at + 8, true) << 64n) | view.getBigUint64(at, true);
}
