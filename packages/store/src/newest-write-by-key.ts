/** Where a write stands: of one slot the later write version is newer, and no write version (the end of the slot) newest. */
export interface WritePosition {
  readonly slot: bigint;
  readonly writeVersion: string | null;
}

/** Of writes with the same key the newest, of equal ones the last; in order of the keys, as `newestByKey`. */
export function newestWriteByKey<R extends WritePosition>(rows: readonly R[], keyOf: (row: R) => string): R[] {
  const newest = new Map<string, R>();
  for (const row of rows) {
    const known = newest.get(keyOf(row));
    if (known === undefined || !isNewer(known, row)) newest.set(keyOf(row), row);
  }
  return [...newest].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

/** Of writes with the same key those that are newer than all before them, in the order in which they came. */
export function risingWrites<R extends WritePosition>(rows: readonly R[], keyOf: (row: R) => string): R[] {
  const newest = new Map<string, R>();
  return rows.filter((row) => {
    const known = newest.get(keyOf(row));
    if (known !== undefined && !isNewer(row, known)) return false;
    newest.set(keyOf(row), row);
    return true;
  });
}

function isNewer(a: WritePosition, b: WritePosition): boolean {
  if (a.slot !== b.slot) return a.slot > b.slot;
  if (b.writeVersion === null) return false;
  return a.writeVersion === null || BigInt(a.writeVersion) > BigInt(b.writeVersion);
}
