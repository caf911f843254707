/**
 * The partition of a key: FNV-1a (32 bit) over its UTF-8 bytes, modulo the count. Written into the stored log, so it can
 * never change: a key that moved would lose its order.
 */
export function partitionOfKey(key: string | null, partitions: number): number {
  if (key === null) return 0;
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(key)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash % partitions;
}
