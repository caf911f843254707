import type { ReadonlyUint8Array } from '@solana/kit';

/**
 * Decodes the same bytes once. A plan reads a reserve several times, a build makes a plan for every route of a swap, and what is read of the
 * chain is never written to.
 */
export function decodeOnce<T extends object>(decoder: { decode(data: ReadonlyUint8Array): T }) {
  const decoded = new WeakMap<ReadonlyUint8Array, T>();
  return (data: ReadonlyUint8Array): T => {
    const known = decoded.get(data);
    if (known !== undefined) return known;
    const value = decoder.decode(data);
    decoded.set(data, value);
    return value;
  };
}
