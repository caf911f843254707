import { anyAddress } from '@lending/fakes';
import { describe, expect, it } from 'vitest';
import { VersionTable } from './version-table.ts';

const [A, B] = [anyAddress(1), anyAddress(2)];
const at = (slot: bigint, writeVersion: bigint | null = null) => ({ slot, writeVersion });

describe('VersionTable', () => {
  it('knows what is news', () => {
    const table = new VersionTable();
    expect(table.put(A, at(1n), 'one')).toBe(true);
    expect(table.put(A, at(2n), 'one')).toBe(false);
    expect(table.put(A, at(3n), 'two')).toBe(true);
    expect(table.put(B, at(3n), 'two')).toBe(true);
    expect([table.size, table.slotOf(A), table.slotOf(anyAddress(3))]).toEqual([2, 3n, null]);
  });

  it('orders by slot, then by write version, with the end of the slot last', () => {
    const table = new VersionTable();
    expect(table.isOutdated(A, at(0n))).toBe(false);
    table.put(A, at(5n, 7n), '');
    expect([at(4n), at(5n, 6n), at(5n, 7n), at(5n), at(6n, 0n)].map((one) => table.isOutdated(A, one))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
    table.put(A, at(5n), '');
    expect([at(5n, 9n), at(5n)].map((one) => table.isOutdated(A, one))).toEqual([true, false]);
  });

  it('takes the next state of a forgotten account as news, and keeps its place in the order', () => {
    const table = new VersionTable();
    table.put(A, at(5n), 'one');
    table.forget(A);
    table.forget(B);
    expect(table.isOutdated(A, at(4n))).toBe(true);
    expect(table.put(A, at(5n), 'one')).toBe(true);
    expect(table.slotOf(B)).toBeNull();
  });

  it('keeps 100,000 accounts apart', () => {
    const table = new VersionTable();
    for (let nth = 0; nth < 100_000; nth += 1) table.put(anyAddress(nth), at(BigInt(nth)), `${nth}`);
    expect(table.size).toBe(100_000);
    for (let nth = 0; nth < 100_000; nth += 997) {
      expect(table.slotOf(anyAddress(nth))).toBe(BigInt(nth));
      expect(table.put(anyAddress(nth), at(BigInt(nth)), `${nth}`)).toBe(false);
    }
  });
});
