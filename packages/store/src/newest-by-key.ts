/**
 * Of rows with the same key, the one of the highest slot; of equal slots the last. One statement cannot write a row twice.
 * In order of the keys, so that two transactions lock what they share in the same order and never wait for each other in a ring.
 * @param rankOf what makes a row newer, in place of the slot.
 */
export function newestByKey<R extends { readonly slot: bigint }>(
  rows: readonly R[],
  keyOf: (row: R) => string,
  rankOf: (row: R) => bigint = ({ slot }) => slot,
): R[] {
  const newest = new Map<string, R>();
  for (const row of rows) {
    const known = newest.get(keyOf(row));
    if (known === undefined || rankOf(known) <= rankOf(row)) newest.set(keyOf(row), row);
  }
  return [...newest].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}
