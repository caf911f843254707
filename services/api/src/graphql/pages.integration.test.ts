import { NAMED_HANG, useDatabase } from '@lending/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { activityWrite } from '../testing/account-tables.ts';
import { ask } from './testing/ask.ts';
import {
  accountOf,
  createTablesApp,
  emptyAccounts,
  nthAddress,
  nthBank,
  type TablesApp,
  writeAccounts,
  writeActivity,
  writeBanks,
} from './testing/graphql-tables.ts';

const database = useDatabase();
let tables: TablesApp;
beforeAll(async () => {
  await writeBanks(database.db, 3);
  tables = await createTablesApp(database.db);
});
afterAll(() => tables.app.close());

interface Made {
  readonly nth: number;
  readonly slot: number;
  /** Few, so that many are equal. */
  readonly shares: number;
}

const made: fc.Arbitrary<Made> = fc.record({
  nth: fc.integer({ min: 0, max: 200 }),
  slot: fc.integer({ min: 1, max: 5 }),
  shares: fc.integer({ min: 1, max: 4 }),
});
const many = fc.uniqueArray(made, { minLength: 1, maxLength: 20, selector: ({ nth }) => nth });

const writeMade = (rows: readonly Made[]): Promise<void> =>
  writeAccounts(
    database.db,
    rows.map(({ nth, slot, shares }) =>
      accountOf(
        nthAddress('account', nth),
        nthAddress('owner', 0),
        [
          { bank: nthBank(0), side: 'lend', shares: `${9_007_199_254_740_993n + BigInt(shares)}.5` },
          { bank: nthBank(1), side: 'borrow', shares: `${shares}000` },
        ],
        { slot: BigInt(slot) },
      ),
    ),
  );
const writeDone = (rows: readonly Made[]): Promise<void> =>
  writeActivity(
    database.db,
    rows.map(({ nth, slot, shares }) =>
      activityWrite({ signature: `S${nth + 1}`.replaceAll('0', 'z'), slot: BigInt(slot), instructionIndex: shares }),
    ),
  );

interface Paged {
  readonly name: string;
  /** With `$first` and `$after`; its connection is answered as `page`. */
  readonly query: string;
  readonly key: string;
  readonly write: (rows: readonly Made[]) => Promise<void>;
}

const PAGED: readonly Paged[] = [
  { name: 'accounts', query: 'page: accounts(first: $first, after: $after)', key: 'address', write: writeMade },
  {
    name: 'accounts by update',
    query: 'page: accounts(first: $first, after: $after, orderBy: updated)',
    key: 'address',
    write: writeMade,
  },
  {
    name: 'balances',
    query: 'page: balances(first: $first, after: $after)',
    key: 'account slotIndex',
    write: writeMade,
  },
  { name: 'activity', query: 'page: activity(first: $first, after: $after)', key: 'id', write: writeDone },
  ...(['lend', 'borrow'] as const).map((side, nth) => ({
    name: `the largest who ${side}`,
    query: `bank(address: "${nthBank(nth)}") { page: largestBalances(side: ${side}, first: $first, after: $after)`,
    key: 'account',
    write: writeMade,
  })),
];

describe.each(PAGED)('pages of $name', ({ query, key, write }) => {
  const text = `query ($first: Int, $after: String) { ${query} {
    edges { cursor node { ${key} } } nodes { ${key} } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  } ${query.startsWith('bank') ? '}' : ''} }`;

  async function readPage(first: number, after: string | null) {
    const { data, errors } = await ask(tables.app, text, { first, after });
    expect(errors).toEqual([]);
    const page = data.page ?? data.bank.page;
    const { edges, pageInfo } = page;
    expect(page.nodes).toEqual(edges.map(({ node }: { node: unknown }) => node));
    expect(edges.length).toBeLessThanOrEqual(first);
    expect(pageInfo).toMatchObject({
      hasPreviousPage: after !== null,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    });
    return { keys: edges.map(({ node }: { node: unknown }) => JSON.stringify(node)) as string[], pageInfo };
  }

  async function readAll(sizes: readonly number[], between: () => Promise<void> = async () => undefined) {
    const seen: string[] = [];
    let after: string | null = null;
    for (let nth = 0; ; nth += 1) {
      const { keys, pageInfo }: Awaited<ReturnType<typeof readPage>> = await readPage(
        sizes[nth % sizes.length] ?? 1,
        after,
      );
      seen.push(...keys);
      // A list that repeats itself may have no end.
      expect(seen.length).toBeLessThan(200);
      if (!pageInfo.hasNextPage) return seen;
      after = pageInfo.endCursor;
      await between();
    }
  }

  it('repeat none and lose none while rows arrive', async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(many, fc.nat(), sizes, async (all, split, pageSizes) => {
        await emptyAccounts(database.db);
        const later = all.slice((split % all.length) + 1);
        await write(all.slice(0, (split % all.length) + 1));
        const before = await readAll([100]);
        const seen = await readAll(pageSizes, async () => {
          const arriving = later.splice(0, 2);
          if (arriving.length > 0) await write(arriving);
        });
        expect(new Set(seen).size).toBe(seen.length);
        expect(seen).toEqual(expect.arrayContaining(before));
        const whole = await readAll([100]);
        // In the order of the whole list, too.
        expect(whole.filter((one) => seen.includes(one))).toEqual(seen);
      }),
      { numRuns: 25, ...NAMED_HANG },
    );
  });
});
