import { describe, expect, it } from 'vitest';
import { u8, u64 } from './field-types.ts';
import { struct } from './struct.ts';
import { trailing } from './trailing.ts';

const codec = struct({ kind: u8, shares: trailing(u64) });

describe('trailing', () => {
  it('reads null where the bytes end before the field, and writes nothing for it', () => {
    expect(codec.decode(Uint8Array.of(7))).toEqual({ kind: 7, shares: null });
    expect([...codec.encode({ kind: 7, shares: null })]).toEqual([7]);
  });

  it('reads and writes the field where it is there', () => {
    const bytes = Uint8Array.of(7, 1, 0, 0, 0, 0, 0, 0, 0);
    expect(codec.decode(bytes)).toEqual({ kind: 7, shares: 1n });
    expect([...codec.encode({ kind: 7, shares: 1n })]).toEqual([...bytes]);
  });

  it('refuses a field that is cut in the middle', () => {
    expect(() => codec.decode(Uint8Array.of(7, 1, 0))).toThrow();
  });
});
