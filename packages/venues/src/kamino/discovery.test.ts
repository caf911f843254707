import { KLEND_PROGRAM, NO_KEY } from '@lending/programs';
import { type Address, address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import type { AccountSearch } from '../venue-adapter.ts';
import { discoverReserves } from './discovery.ts';
import { FARM, MARKET, madeReserve, RESERVE, reserveAccount, USDC } from './testing/made-reserve.ts';

const OTHER: Address = address('So11111111111111111111111111111111111111112');

describe('discoverReserves', () => {
  it('finds reserves by what they are, with the accounts a reading needs, from their first bytes', async () => {
    const searches: AccountSearch[] = [];
    const listed = reserveAccount(madeReserve({ farmCollateral: FARM, farmDebt: FARM }));
    const found = await discoverReserves(async (search) => {
      searches.push(search);
      return [{ ...listed, data: listed.data.subarray(0, search.slice?.length) }];
    }, expect.unreachable);
    expect(found).toEqual([
      { venue: 'kamino', address: RESERVE, market: MARKET, mint: USDC, accounts: [RESERVE, MARKET, FARM] },
    ]);
    expect(searches).toMatchObject([
      {
        program: KLEND_PROGRAM,
        filters: [
          { kind: 'content', offset: 0 },
          { kind: 'size', bytes: 8624 },
        ],
      },
    ]);
  });

  it('asks for no farm where there is none', async () => {
    const listed = reserveAccount(madeReserve({ farmCollateral: NO_KEY, farmDebt: NO_KEY }));
    const [keys] = await discoverReserves(async () => [listed], expect.unreachable);
    expect(keys?.accounts).toEqual([RESERVE, MARKET]);
  });

  it('leaves out what cannot be read, and nothing else', async () => {
    const rejected: Address[] = [];
    const good = reserveAccount(madeReserve());
    const found = await discoverReserves(
      async () => [{ ...good, address: OTHER, data: good.data.subarray(0, 100) }, good],
      (reserve) => rejected.push(reserve),
    );
    expect(found.map((keys) => keys.address)).toEqual([RESERVE]);
    expect(rejected).toEqual([OTHER]);
  });
});
