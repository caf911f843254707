import { SOLEND_MAIN_MARKET, SOLEND_PROGRAM } from '@lending/programs';
import { type Address, address, getAddressDecoder } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import type { AccountBytes } from '../account.ts';
import type { AccountSearch } from '../venue-adapter.ts';
import { discoverReserves } from './discovery.ts';
import { madeMarket, madeReserve, marketAccount, RESERVE, reserveAccount, USDC } from './testing/made-reserve.ts';

const MAIN_OWNER = address('5pHk2TmnqQzRF9L6egy5FfiyBgS7G9cMZ5RFaJAvghzw');
const SOMEBODY = address('8PbodeaosQP19SjYFx855UMqWxH2HynZLdBXmsrbac36');
const OTHER_MARKET = address('DZ4KceEwWw9FuH4Q94rWupWsmQTFLxHZXzfKD4T6UDjo');
const OTHER_RESERVE = address('5suXmvdbKQ98VonxGCXqViuWRu8k4zgZRxndYKsH2fJg');
const SECOND_RESERVE = address('41pdcwEyWpCDWMLZWKDgL7rjg1GFbygnuX1LpTZXJFaA');

/** Answers searches from a handful of accounts, as a node does. */
function listFrom(accounts: readonly AccountBytes[], searches: AccountSearch[] = []) {
  return async (search: AccountSearch): Promise<readonly AccountBytes[]> => {
    searches.push(search);
    const matches = ({ data }: AccountBytes) =>
      search.filters.every((filter) =>
        filter.kind === 'size'
          ? data.length === filter.bytes
          : filter.bytes.every((byte, index) => data[filter.offset + index] === byte),
      );
    const { offset, length } = search.slice ?? { offset: 0, length: Number.POSITIVE_INFINITY };
    return accounts
      .filter((account) => account.owner === search.program && matches(account))
      .map((account) => ({ ...account, data: account.data.subarray(offset, offset + length) }));
  };
}

const noReject = (reserve: Address) => expect.unreachable(`${reserve} was rejected`);

describe('discoverReserves', () => {
  const accounts = [
    marketAccount(madeMarket({ owner: MAIN_OWNER })),
    marketAccount(madeMarket({ owner: SOMEBODY }), OTHER_MARKET),
    reserveAccount(madeReserve()),
    reserveAccount(madeReserve(), SECOND_RESERVE),
    reserveAccount(madeReserve({ lendingMarket: OTHER_MARKET }), OTHER_RESERVE),
  ];

  it('finds the reserves of trusted markets, with the accounts they are read from', async () => {
    expect(await discoverReserves(listFrom(accounts), noReject)).toEqual([
      {
        venue: 'solend',
        address: SECOND_RESERVE,
        market: SOLEND_MAIN_MARKET,
        mint: USDC,
        accounts: [SECOND_RESERVE, SOLEND_MAIN_MARKET],
      },
      {
        venue: 'solend',
        address: RESERVE,
        market: SOLEND_MAIN_MARKET,
        mint: USDC,
        accounts: [RESERVE, SOLEND_MAIN_MARKET],
      },
    ]);
  });

  it('asks once for all reserves and once for the markets of each trusted owner', async () => {
    const searches: AccountSearch[] = [];
    await discoverReserves(listFrom(accounts, searches), noReject);
    const owners = searches.flatMap(({ filters }) =>
      filters.flatMap((filter) =>
        filter.kind === 'content' && filter.offset === 2 ? [getAddressDecoder().decode(filter.bytes)] : [],
      ),
    );
    expect(searches).toHaveLength(5);
    expect(searches.every(({ program }) => program === SOLEND_PROGRAM)).toBe(true);
    expect(owners).toContain(MAIN_OWNER);
    expect(new Set(owners).size).toBe(4);
  });

  it('leaves out accounts that are not set up', async () => {
    const unset = reserveAccount({ ...madeReserve(), version: 0 }, SECOND_RESERVE);
    const found = await discoverReserves(listFrom([marketAccount(madeMarket({ owner: MAIN_OWNER })), unset]), noReject);
    expect(found).toEqual([]);
  });

  it('tells of a reserve that came cut short, and goes on', async () => {
    const cut = { ...reserveAccount(madeReserve(), SECOND_RESERVE), data: Uint8Array.of(1) };
    const list = async (search: AccountSearch) =>
      search.slice?.length === 0
        ? [marketAccount(madeMarket({ owner: MAIN_OWNER }))]
        : [cut, reserveAccount(madeReserve())];
    const rejected: Address[] = [];
    const found = await discoverReserves(list, (reserve) => rejected.push(reserve));
    expect(rejected).toEqual([SECOND_RESERVE]);
    expect(found.map(({ address: reserve }) => reserve)).toEqual([RESERVE]);
  });
});
