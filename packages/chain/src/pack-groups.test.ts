import { type Address, getAddressDecoder } from '@solana/kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packGroups } from './pack-groups.ts';

function addressOf(index: number): Address {
  return getAddressDecoder().decode(new Uint8Array(32).fill(index + 1, 0, 2).fill((index >> 8) + 1, 2, 3));
}

const [A, B, C, D, E] = [0, 1, 2, 3, 4].map(addressOf) as [Address, Address, Address, Address, Address];

describe('packGroups', () => {
  it('fills a read to the last key and starts another for the next', () => {
    expect(packGroups([[A, B], [C, D], [E]], 4)).toEqual([
      { addresses: [A, B, C, D], groupIndexes: [0, 1] },
      { addresses: [E], groupIndexes: [2] },
    ]);
  });

  it('counts an address that groups share once', () => {
    expect(
      packGroups(
        [
          [A, B, C],
          [A, B, D],
          [A, A],
        ],
        4,
      ),
    ).toEqual([{ addresses: [A, B, C, D], groupIndexes: [0, 1, 2] }]);
  });

  it('lets a small group fill up an earlier read', () => {
    expect(packGroups([[A, B], [C, D, E], [D]], 3).map(({ groupIndexes }) => groupIndexes)).toEqual([[0, 2], [1]]);
  });

  it('takes a group as large as a read, and refuses a larger one', () => {
    expect(packGroups([[A, B, C]], 3)).toHaveLength(1);
    expect(() => packGroups([[A, B, C, D]], 3)).toThrow('A group of 4 accounts cannot be read at one slot');
  });

  it('never splits a group, loses one, or exceeds a read, whatever the groups', () => {
    const group = fc.array(fc.nat(300).map(addressOf), { maxLength: 20 });
    fc.assert(
      fc.property(fc.array(group, { maxLength: 40 }), fc.integer({ min: 20, max: 99 }), (groups, maxKeys) => {
        const reads = packGroups(groups, maxKeys);
        expect(reads.flatMap(({ groupIndexes }) => groupIndexes).sort((a, b) => a - b)).toEqual([...groups.keys()]);
        for (const { addresses, groupIndexes } of reads) {
          expect(addresses.length).toBeLessThanOrEqual(maxKeys);
          expect(new Set(addresses).size).toBe(addresses.length);
          for (const index of groupIndexes) expect(addresses).toEqual(expect.arrayContaining(groups[index] ?? []));
        }
      }),
    );
  });
});
