import {
  ASSOCIATED_TOKEN_PROGRAM,
  findFeeState,
  findKlendMarketAuthority,
  findSolendMarketAuthority,
  INSTRUCTIONS_SYSVAR,
  JUPLEND_LENDING_PROGRAM,
  JUPLEND_LIQUIDITY_PROGRAM,
  JUPLEND_REWARDS_PROGRAM,
  KAMINO_FARMS_PROGRAM,
  KLEND_PROGRAM,
  MARGINFI_MAIN_GROUP,
  MARGINFI_MAIN_LOOKUP_TABLES,
  MARGINFI_PROGRAM,
  NO_KEY,
  SOLEND_MAIN_MARKET,
  SOLEND_NULL_ORACLE,
  SOLEND_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '@lending/programs';
import { type Address, getAddressEncoder } from '@solana/kit';
import type { AccountState } from '#engine/engine.ts';
import { LOOKUP_TABLE_PROGRAM, SYSTEM_PROGRAM } from '#engine/runtime-addresses.ts';
import { deriveBankAddresses } from './bank-addresses.ts';
import type { DemoBank } from './demo-bank.ts';
import { DEMO_FEEDS } from './feeds.ts';
import { rentExempt } from './rent.ts';
import { DEMO_TOKENS } from './tokens.ts';
import { KAMINO_MARKET_ROWS } from './venues/kamino-reserves.ts';

const MAX_ADDRESSES = 256;
const NEVER_DEACTIVATED = 2n ** 64n - 1n;
const META_BYTES = 56;
const ADDRESS_BYTES = 32;
const INITIALIZED = 1;

/** What instructions of every kind name, whatever the bank. */
const SHARED: readonly Address[] = [
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
  TOKEN_2022_PROGRAM,
  ASSOCIATED_TOKEN_PROGRAM,
  INSTRUCTIONS_SYSVAR,
  MARGINFI_PROGRAM,
  MARGINFI_MAIN_GROUP,
];

/** Programs of the venues, and accounts that all reserves of one share. */
const VENUES: readonly Address[] = [
  KLEND_PROGRAM,
  KAMINO_FARMS_PROGRAM,
  SOLEND_PROGRAM,
  SOLEND_MAIN_MARKET,
  SOLEND_NULL_ORACLE,
  JUPLEND_LENDING_PROGRAM,
  JUPLEND_LIQUIDITY_PROGRAM,
  JUPLEND_REWARDS_PROGRAM,
  ...KAMINO_MARKET_ROWS.map(({ address }) => address),
];

type Placed = readonly [Address, AccountState];

/**
 * The main group's lookup tables, filled with what builders name here: the first with what P0's own banks take, the others with the
 * venues and what stands behind their banks. The operators' tables are filled as banks were added, and differ.
 * @param venueAccounts all that the venues keep on the chain, at their addresses.
 */
export async function lookupTableAccounts(
  banks: readonly DemoBank[],
  venueAccounts: readonly Placed[],
): Promise<readonly Placed[]> {
  const isOnVenue = ({ venueAccount }: DemoBank) => venueAccount !== undefined;
  const own = [
    ...SHARED,
    (await findFeeState())[0],
    ...Object.values(DEMO_TOKENS).map(({ mint }) => mint),
    ...Object.values(DEMO_FEEDS).map(({ account }) => account),
    ...(await addressesOf(banks.filter((bank) => !isOnVenue(bank)))),
  ];
  const authorities = await Promise.all([
    ...KAMINO_MARKET_ROWS.map(({ address }) => findKlendMarketAuthority(address)),
    findSolendMarketAuthority(SOLEND_MAIN_MARKET),
  ]);
  const venues = [
    ...VENUES,
    ...authorities.map(([authority]) => authority),
    ...(await addressesOf(banks.filter(isOnVenue))),
    ...venueAccounts.map(([address]) => address),
  ];
  const first = [...new Set(own)];
  const others = [...new Set(venues)].filter((address) => !first.includes(address));
  const contents = [first, ...chunksOf(others, MAX_ADDRESSES)];
  if (contents.length > MARGINFI_MAIN_LOOKUP_TABLES.length || first.length > MAX_ADDRESSES) {
    throw new TypeError('The demo market has more addresses than its lookup tables hold');
  }
  return MARGINFI_MAIN_LOOKUP_TABLES.map((table, index) => [table, tableAccount(contents[index] ?? [])]);
}

/** Each bank with its vault of tokens, who signs for it, and what it has on its venue. */
async function addressesOf(banks: readonly DemoBank[]): Promise<readonly Address[]> {
  const parts = await Promise.all(
    banks.map(async (bank) => {
      const { liquidity, integration } = await deriveBankAddresses(bank);
      const { stake, onRamp } = bank.singlePool ?? { stake: NO_KEY, onRamp: NO_KEY };
      return [bank.address, liquidity.address, liquidity.authority, ...integration, stake, onRamp];
    }),
  );
  return parts.flat().filter((address) => address !== NO_KEY);
}

/** A table that is as old as the chain, and that nobody can extend. @see agave address-lookup-table state.rs LookupTableMeta */
export function tableAccount(addresses: readonly Address[]): AccountState {
  const data = new Uint8Array(META_BYTES + ADDRESS_BYTES * addresses.length);
  const view = new DataView(data.buffer);
  view.setUint32(0, INITIALIZED, true);
  view.setBigUint64(4, NEVER_DEACTIVATED, true);
  for (const [index, address] of addresses.entries()) {
    data.set(getAddressEncoder().encode(address), META_BYTES + ADDRESS_BYTES * index);
  }
  return { lamports: rentExempt(data.length), owner: LOOKUP_TABLE_PROGRAM, data, executable: false };
}

function chunksOf<T>(values: readonly T[], size: number): readonly (readonly T[])[] {
  return values.length <= size ? [values] : [values.slice(0, size), ...chunksOf(values.slice(size), size)];
}
