import { MARGINFI_MAIN_LOOKUP_TABLES } from '@lending/programs';
import { oracleAccountsOf } from '@lending/venues';
import {
  type Address,
  appendTransactionMessageInstructions,
  compileTransaction,
  compressTransactionMessageUsingAddressLookupTables,
  createTransactionMessage,
  getAddressDecoder,
  getCompiledTransactionMessageDecoder,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { MarketChain } from '#programs/marginfi/testing/market-chain.ts';
import { DEMO_BANKS } from './demo-market.ts';
import { tokenAccountOf, tokenOf } from './lending-instructions.ts';
import { venueInstructionsOf } from './venue-instructions/of-bank.ts';

const META_BYTES = 56;
const chain = await MarketChain.open();
const tables = MARGINFI_MAIN_LOOKUP_TABLES.map((table) => {
  const state = chain.accounts.get(table);
  if (state === undefined) throw new TypeError(`There is no table ${table}`);
  const count = (state.data.length - META_BYTES) / 32;
  return Array.from({ length: count }, (_, index) => getAddressDecoder().decode(state.data, META_BYTES + 32 * index));
});
const all = new Set(tables.flat());

describe('lookupTableAccounts', () => {
  it('fills no table beyond what an index of one byte reaches, and names nothing twice', () => {
    for (const addresses of tables) expect(addresses.length).toBeLessThanOrEqual(256);
    expect(all.size).toBe(tables.flat().length);
    expect(all.size).toBeGreaterThan(250);
  });

  it.each(DEMO_BANKS.map((row) => [`${row.ticker} (${row.address})`, row] as const))(
    'holds %s, its mint, its vault and what prices it',
    (_, row) => {
      const bank = chain.bankAt(row.address);
      for (const address of [bank.address, bank.mint, bank.liquidityVault, ...oracleAccountsOf(bank)])
        expect(all).toContain(address);
    },
  );

  it('leaves of a deposit on each venue only its signers and programs to be spelt out', async () => {
    const party = await chain.addParty({});
    for (const row of DEMO_BANKS) {
      const bank = chain.bankAt(row.address);
      if (bank.venue === 'p0' || bank.venue === 'drift') continue;
      const { refresh, deposit } = venueInstructionsOf(bank);
      const read = (address: Address) => chain.data(address);
      const instructions = [...refresh(bank, read), ...deposit(party, bank, 1n, read)];
      const message = pipe(
        createTransactionMessage({ version: 0 }),
        (empty) => setTransactionMessageFeePayer(party.wallet, empty),
        (paid) =>
          setTransactionMessageLifetimeUsingBlockhash(
            { blockhash: party.wallet as never, lastValidBlockHeight: 1n },
            paid,
          ),
        (timed) => appendTransactionMessageInstructions(instructions, timed),
        (whole) =>
          compressTransactionMessageUsingAddressLookupTables(
            whole,
            Object.fromEntries(MARGINFI_MAIN_LOOKUP_TABLES.map((table, index) => [table, [...(tables[index] ?? [])]])),
          ),
      );
      const { staticAccounts } = getCompiledTransactionMessageDecoder().decode(
        compileTransaction(message).messageBytes,
      );
      const programs = instructions.map(({ programAddress }) => programAddress);
      const own = [party.wallet, party.account, tokenAccountOf(party.wallet, tokenOf(bank)), ...programs];
      expect(
        staticAccounts.filter((address) => !own.includes(address)),
        row.description,
      ).toEqual([]);
    }
  });
});
