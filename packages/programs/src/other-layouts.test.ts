import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Address, getAddressDecoder, getAddressEncoder, getU32Encoder, getU64Encoder } from '@solana/kit';
import { getSysvarClockCodec } from '@solana/sysvars';
import { getStakeStateAccountDecoder } from '@solana-program/stake';
import { describe, expect, it } from 'vitest';
import { exponentVaultLayout } from './exponent/vault.ts';
import { readLookupTable } from './lookup-table/lookup-table.ts';
import { DELEGATED_STAKE_TAG, stakeAccountLayout } from './stake/stake-account.ts';
import { clockLayout } from './sysvar/clock.ts';

const bytes = Uint8Array.from({ length: stakeAccountLayout.fixedSize }, (_, index) => (index * 37 + 200) % 256);
bytes.set([DELEGATED_STAKE_TAG, 0, 0, 0]);

describe('stakeAccountLayout', () => {
  it('reads a delegated account as the stake program’s own client does', () => {
    const { meta, delegation, creditsObserved, stakeFlags } = stakeAccountLayout.decode(bytes);
    const { _reserved, ...delegated } = delegation;
    const { state } = getStakeStateAccountDecoder().decode(bytes);
    expect(state).toMatchObject({ __kind: 'Stake' });
    expect(state.__kind === 'Stake' && state.fields).toMatchObject([
      meta,
      { delegation: delegated, creditsObserved },
      { bits: stakeFlags },
    ]);
  });

  it('writes back the bytes it read', () => {
    const encoded = stakeAccountLayout.encode(stakeAccountLayout.decode(bytes));
    expect(Uint8Array.from(encoded)).toEqual(bytes);
  });

  it('refuses an account that is not delegated', () => {
    expect(() => stakeAccountLayout.decode(Uint8Array.from([1, ...bytes.subarray(1)]))).toThrow();
  });
});

const RATE = 1_297_416_135_081n;

describe('exponentVaultLayout', () => {
  it('reads the vault 9YbaicMsXrtupkpD72pdWBfU6R7EJfSByw75sEpDM1uH as it stood in July 2026', () => {
    const data = new Uint8Array(914);
    data.set([211, 8, 232, 43, 2, 152, 117, 119]);
    const numbers = { 337: RATE, 369: RATE, 401: 1_211_954_766_800n, 433: 255_572_820_683n };
    const totals = { ...numbers, 441: 221_385_861_806n, 449: 287_229_589_187n };
    for (const [offset, value] of Object.entries(totals)) data.set(getU64Encoder().encode(value), Number(offset));
    data.set(getU32Encoder().encode(1_736_773_200), 264);
    data.set(getU32Encoder().encode(13_140_000), 268);
    const vault = exponentVaultLayout.decode(data);
    expect(vault).toMatchObject({
      ...{ startTs: 1_736_773_200, duration: 13_140_000, totalSyInEscrow: 255_572_820_683n },
      ...{ lastSeenSyExchangeRate: [RATE, 0n, 0n, 0n], allTimeHighSyExchangeRate: [RATE, 0n, 0n, 0n] },
      finalSyExchangeRate: [1_211_954_766_800n, 0n, 0n, 0n],
    });
    // What Exponent sets aside backs each token with one asset, but for two base units.
    expect(vault.ptSupply - (vault.syForPt * RATE) / 10n ** 12n).toBe(2n);
  });
});

describe('clockLayout', () => {
  it('reads the clock as the Solana library does', () => {
    const bytes = Uint8Array.from({ length: clockLayout.fixedSize }, (_, index) => (index * 37 + 200) % 256);
    expect(clockLayout.decode(bytes)).toEqual(getSysvarClockCodec().decode(bytes));
  });

  it('writes back the bytes it read', () => {
    const bytes = Uint8Array.from({ length: clockLayout.fixedSize }, (_, index) => 255 - index);
    expect(Uint8Array.from(clockLayout.encode(clockLayout.decode(bytes)))).toEqual(bytes);
  });
});

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
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
