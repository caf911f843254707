import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Address, getAddressDecoder, getAddressEncoder } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { readLookupTable } from './lookup-table.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const TABLE = resolve(ROOT, process.env.FIXTURES_DIR ?? '../shared/fixtures', 'accounts/address-lookup-table');
const readJson = (name: string) => JSON.parse(readFileSync(resolve(TABLE, name), 'utf8'));

const NEVER = 2n ** 64n - 1n;
const [ONE, TWO, THREE] = [1, 2, 3].map((byte) => getAddressDecoder().decode(new Uint8Array(32).fill(byte))) as [
  Address,
  Address,
  Address,
];

/** A table as the program lays it out: state u32, deactivation u64, last extension u64 and what it began at u8, then at 56 the addresses. */
function tableBytes({ state = 1, deactivated = NEVER, extended = 10n, from = 0 } = {}): Uint8Array {
  const data = new Uint8Array(56 + 3 * 32);
  const view = new DataView(data.buffer);
  view.setUint32(0, state, true);
  view.setBigUint64(4, deactivated, true);
  view.setBigUint64(12, extended, true);
  data[20] = from;
  for (const [index, address] of [ONE, TWO, THREE].entries()) {
    data.set(getAddressEncoder().encode(address), 56 + 32 * index);
  }
  return data;
}

describe('readLookupTable', () => {
  it('reads all addresses of a table that was extended before', () => {
    expect(readLookupTable(tableBytes(), 11n)).toEqual([ONE, TWO, THREE]);
  });

  it('leaves out what was added in the slot itself', () => {
    expect(readLookupTable(tableBytes({ extended: 11n, from: 2 }), 11n)).toEqual([ONE, TWO]);
  });

  it('finds nothing in a table that is being closed, that is none, or that is cut short', () => {
    expect(readLookupTable(tableBytes({ deactivated: 9n }), 11n)).toEqual([]);
    expect(readLookupTable(tableBytes({ state: 0 }), 11n)).toEqual([]);
    expect(readLookupTable(tableBytes().subarray(0, 40), 11n)).toEqual([]);
  });
});

describe.skipIf(!existsSync(TABLE))('a table of mainnet (FIXTURES_DIR)', () => {
  it('is read as the official library reads it', () => {
    const { data } = readJson('table-kamino-33euc-2023.json');
    const { essentials } = readJson('table-kamino-33euc-2023.expected.json');
    const table = Uint8Array.from(Buffer.from(data[0], 'base64'));
    const found = readLookupTable(table, BigInt(essentials.lastExtendedSlot) + 1n);
    expect(found).toEqual(essentials.addresses);
    expect(found).toHaveLength(137);
  });
});
