import { createBankCache } from '@lending/transactions';
import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import type { BuildDeps } from './build-deps.ts';
import { findFailedTables, readTables, withoutTables } from './read-tables.ts';

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
