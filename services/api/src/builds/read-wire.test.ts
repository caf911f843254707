import { createBankCache } from '@lending/transactions';
import {
  AccountRole,
  type Address,
  appendTransactionMessageInstruction,
  type Blockhash,
  compileTransaction,
  createTransactionMessage,
  getAddressDecoder,
  getAddressEncoder,
  getBase64EncodedWireTransaction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { PROGRAM } from '../testing/fake-builds.ts';
import { BLOCKHASH } from '../testing/wire-transaction.ts';
import type { BuildDeps } from './build-deps.ts';
import { findFailedTables, readTables, withoutTables } from './read-tables.ts';
import { instructionsOf, readWire, toCompiled, type WireTransaction } from './read-wire.ts';

function addressOf(number: number): Address {
  const bytes = new Uint8Array(32).fill(7);
  bytes[0] = number;
  return getAddressDecoder().decode(bytes);
}

/** A transaction that looks one address up in each of these tables. */
function naming(tables: readonly Address[]): WireTransaction {
  const accounts = tables.map((lookupTableAddress, index) => ({
    address: addressOf(200 - index),
    role: AccountRole.READONLY as const,
    lookupTableAddress,
    addressIndex: 0,
  }));
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (each) => setTransactionMessageFeePayer(addressOf(250), each),
    (each) =>
      setTransactionMessageLifetimeUsingBlockhash(
        { blockhash: BLOCKHASH as Blockhash, lastValidBlockHeight: 1n },
        each,
      ),
    (each) => appendTransactionMessageInstruction({ programAddress: PROGRAM, accounts }, each),
  );
  const wire = readWire(getBase64EncodedWireTransaction(compileTransaction(message)));
  return wire ?? expect.fail('It is no transaction');
}

/** A node whose every account is so large, and what was asked of it. */
function nodeOf(space: bigint) {
  const asked: string[] = [];
  const chain = {
    rpc: {
      getMultipleAccounts: (keys: readonly Address[]) => {
        asked.push('sizes');
        return { send: async () => ({ value: keys.map(() => ({ space })) }) };
      },
    },
    fetchAccountGroups: async ([keys = []]: readonly (readonly Address[])[]) => {
      asked.push('accounts');
      return [{ slot: 5n, unixTimestamp: 1n, accounts: keys.map(() => null) }];
    },
  } as unknown as Parameters<typeof toCompiled>[0];
  return { chain, asked };
}

const signal = new AbortController().signal;
const tablesFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => addressOf(first + index));

describe('toCompiled', () => {
  it('asks how large a stranger’s tables are before it reads them', async () => {
    const large = nodeOf(10n * 1024n * 1024n);
    const wires = [naming(tablesFrom(0, 20))];
    await expect(toCompiled(large.chain, wires, { signal, isForeign: true })).rejects.toMatchObject({
      code: 'ACTION__TRANSACTION_EXCEEDED',
    });
    expect(large.asked).toEqual(['sizes']);
    const small = nodeOf(8_248n);
    await toCompiled(small.chain, wires, { signal, isForeign: true });
    expect(small.asked).toEqual(['sizes', 'accounts']);
  });

  it('reads the tables of our own at once', async () => {
    const { chain, asked } = nodeOf(8_248n);
    const { transactions } = await toCompiled(chain, [naming(tablesFrom(0, 2))], { signal, isForeign: false });
    expect(asked).toEqual(['accounts']);
    expect(transactions[0]?.accounts).toEqual([addressOf(250), PROGRAM]);
  });

  it('refuses more tables than are read at one slot', async () => {
    const { chain, asked } = nodeOf(8_248n);
    const wires = [0, 20, 40, 60, 80].map((first) => naming(tablesFrom(first, 20)));
    await expect(toCompiled(chain, wires, { signal, isForeign: true })).rejects.toMatchObject({
      code: 'ACTION__TRANSACTION_EXCEEDED',
      context: { lookup_tables: 100, max_lookup_tables: 99 },
    });
    expect(asked).toEqual([]);
  });
});

describe('instructionsOf', () => {
  /** A node whose tables are open and have this one address. */
  const open = (entry: Address) => {
    const data = new Uint8Array(88);
    data[0] = 1;
    data.fill(255, 4, 12);
    data.set(getAddressEncoder().encode(entry), 56);
    return {
      fetchAccountGroups: async ([keys = []]: readonly (readonly Address[])[]) => [
        { slot: 5n, unixTimestamp: 1n, accounts: keys.map((address) => ({ address, data })) },
      ],
    } as unknown as Parameters<typeof instructionsOf>[0];
  };

  it('looks up what an instruction names by a table', async () => {
    expect(await instructionsOf(open(addressOf(99)), naming([addressOf(1)]), signal)).toEqual([
      { programId: PROGRAM, accounts: [addressOf(99)], data: new Uint8Array() },
    ]);
  });

  it('knows none where a table is gone, rather than others', async () => {
    expect(await instructionsOf(nodeOf(0n).chain, naming([addressOf(1)]), signal)).toBeNull();
  });

  it('asks no node about what names no table', async () => {
    const { chain, asked } = nodeOf(0n);
    expect(await instructionsOf(chain, naming([]), signal)).toEqual([
      { programId: PROGRAM, accounts: [], data: new Uint8Array() },
    ]);
    expect(asked).toEqual([]);
  });
});

const MARKET = 'AE1hoHXqzvgC4Uxm7HoSMXi6i9sTTGGcCqxmfavwZe4N' as Address;
const ROUTE = 'MFv2hWf31Z9kbCa1snEPYctwafyhdvnV7FZnsebVacA' as Address;
const USED = { [MARKET]: [ROUTE], [ROUTE]: [MARKET] };

/** A chain on which no table of these names is one any more. */
const GONE = {
  fetchAccounts: async (addresses: readonly Address[]) => [
    { addresses, accounts: addresses.map(() => null), slot: 1n },
  ],
} as unknown as BuildDeps['chain'];

function remembering() {
  const banks = createBankCache();
  banks.rememberTable(MARKET, USED[MARKET] ?? []);
  banks.rememberTable(ROUTE, USED[ROUTE] ?? []);
  return banks;
}

describe('findFailedTables', () => {
  it('remembers a table that is gone as empty, for every build', async () => {
    const banks = remembering();
    expect(await findFailedTables({ chain: GONE, banks }, { [ROUTE]: [MARKET] })).toEqual([]);
    expect([banks.findTable(ROUTE), banks.findTable(MARKET)]).toEqual([[], [ROUTE]]);
  });
});

describe('withoutTables', () => {
  it('leaves tables out of one build, and asks the chain for none of them', async () => {
    const deps = { chain: GONE, banks: remembering() };
    const without = withoutTables(deps, [ROUTE]);
    expect(await readTables(without, [MARKET, ROUTE])).toEqual({ tables: { [MARKET]: [ROUTE] }, waves: 0 });
    expect(await readTables(deps, [MARKET, ROUTE])).toEqual({ tables: USED, waves: 0 });
  });
});
