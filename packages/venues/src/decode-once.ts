/**
 * Decodes the same account once. A plan reads a reserve several times, a build makes a plan for every route of a swap, and what is read of
 * the chain is never written to.
 */
export function decodeOnce<Source extends object, T extends object>(decode: (source: Source) => T) {
  const decoded = new WeakMap<Source, T>();
  return (source: Source): T => {
    const known = decoded.get(source);
    if (known !== undefined) return known;
    const value = decode(source);
    decoded.set(source, value);
    return value;
  };
}
