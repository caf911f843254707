import { NAMED_HANG } from '@lending/testing';
import fc from 'fast-check';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { accountState } from '#testing/rows.ts';
import { useDatabase } from '#testing/use-database.ts';
import { type AccountPage, listAccounts } from './list-accounts.ts';
import { listBalances, listLargestBalances } from './list-balances.ts';
import { type AccountWrite, type BalanceWrite, upsertAccounts } from './upsert-accounts.ts';

const database = useDatabase();
const START_MS = Date.parse('2026-11-21T10:00:00Z');
const at = (slot: number): Date => new Date(START_MS + slot * 1_000);
/** Above what a float holds exactly, so that shares which are only exactly apart keep their order. */
const WIDE = 9_007_199_254_740_993n;

interface Made {
  readonly number: number;
  readonly slot: number;
  readonly owner: number;
  readonly isClosed: boolean;
  readonly held: readonly {
    readonly bank: number;
    readonly side: 'lend' | 'borrow' | 'dust';
    readonly shares: number;
  }[];
}

const made: fc.Arbitrary<Made> = fc.record({
  number: fc.integer({ min: 0, max: 400 }),
  slot: fc.integer({ min: 1, max: 9 }),
  owner: fc.integer({ min: 0, max: 2 }),
  isClosed: fc.boolean(),
  held: fc.uniqueArray(
    fc.record({
      bank: fc.integer({ min: 0, max: 2 }),
      side: fc.constantFrom('lend' as const, 'borrow' as const, 'dust' as const),
      shares: fc.integer({ min: 0, max: 3 }),
    }),
    { selector: ({ bank }) => bank },
  ),
});
const many = (minLength: number, maxLength: number) =>
  fc.uniqueArray(made, { minLength, maxLength, selector: ({ number }) => number });

const nameOf = ({ number }: Pick<Made, 'number'>): string => `account${number.toString().padStart(3, '0')}`;
const sharesOf = (shares: number): string => `${WIDE + BigInt(shares)}.5`;

function account(row: Made): AccountWrite {
  const { slot, owner, isClosed, held } = row;
  const balances = held.map(
    ({ bank, side, shares }, slotIndex): BalanceWrite => ({
      slotIndex,
      bank: `bank${bank}`,
      assetTag: 0,
      orderTag: 0,
      assetShares: side === 'lend' ? sharesOf(shares) : side === 'dust' ? '0.999' : '0',
      liabilityShares: side === 'borrow' ? sharesOf(shares) : '0',
      lastUpdate: '0',
      premiumRate: 0,
      premiumOutstanding: '0',
    }),
  );
  const state = accountState({ groupAddress: `group${owner % 2}`, authority: `owner${owner}`, balances });
  const seen = { source: 'chain', slotTime: at(slot).toISOString(), writeVersion: null } as const;
  return { address: nameOf(row), state: isClosed ? null : state, slot: BigInt(slot), ...seen };
}

async function write(rows: readonly Made[]): Promise<void> {
  await database.db.transaction().execute((transaction) => upsertAccounts(transaction, rows.map(account)));
}

async function refill(rows: readonly Made[]): Promise<void> {
  await sql`truncate account, balance`.execute(database.db);
  await write(rows);
}

type Filter = Omit<AccountPage, 'order' | 'after' | 'limit'>;

const filters: fc.Arbitrary<Filter> = fc.record(
  {
    authority: fc.constantFrom('owner0', 'owner1'),
    group: fc.constantFrom('group0', 'group1'),
    banks: fc.subarray(['bank0', 'bank1'], { minLength: 1 }),
    side: fc.constantFrom('lend' as const, 'borrow' as const),
    hasDebt: fc.boolean(),
    isClosed: fc.boolean(),
    updatedSince: fc.integer({ min: 0, max: 10 }).map(at),
  },
  { requiredKeys: [] },
);

function isOf(row: Made, { authority, group, banks, side, hasDebt, isClosed, updatedSince }: Filter): boolean {
  const held = row.isClosed ? [] : row.held.filter((one) => one.side !== 'dust');
  const ofSide = held.filter((one) => side === undefined || one.side === side);
  return (
    (authority === undefined || (!row.isClosed && `owner${row.owner}` === authority)) &&
    (group === undefined || (!row.isClosed && `group${row.owner % 2}` === group)) &&
    (banks === undefined || ofSide.some(({ bank }) => banks.includes(`bank${bank}`))) &&
    (hasDebt === undefined || held.some((one) => one.side === 'borrow') === hasDebt) &&
    (isClosed === undefined || row.isClosed === isClosed) &&
    (updatedSince === undefined || at(row.slot) >= updatedSince)
  );
}

describe('listAccounts', () => {
  it('gives what every filter lets through, in both orders', async () => {
    await fc.assert(
      fc.asyncProperty(many(10, 40), fc.array(filters, { minLength: 6, maxLength: 6 }), async (rows, asked) => {
        await refill(rows);
        for (const filter of asked) {
          const expected = rows.filter((row) => isOf(row, filter));
          const byAddress = await listAccounts(database.db, { ...filter, order: 'address', limit: 100 });
          expect(byAddress.map(({ address }) => address)).toEqual(expected.map(nameOf).sort());
          const byUpdate = await listAccounts(database.db, { ...filter, order: 'updated', limit: 100 });
          const newestFirst = expected.toSorted((a, b) => b.slot - a.slot || a.number - b.number);
          expect(byUpdate.map(({ address }) => address)).toEqual(newestFirst.map(nameOf));
        }
      }),
      { numRuns: 25, ...NAMED_HANG },
    );
  });

  it('pages through without repeating or losing any while others arrive and are written again', async () => {
    await fc.assert(
      fc.asyncProperty(
        many(15, 40),
        fc.array(fc.tuple(fc.integer({ min: 1, max: 7 }), many(0, 4)), { minLength: 1 }),
        fc.constantFrom('address' as const, 'updated' as const),
        async (rows, steps, order) => {
          await refill(rows);
          const known = new Set(rows.map(nameOf));
          const seen: string[] = [];
          let after: AccountPage['after'];
          for (let step = 0; ; step += 1) {
            const [limit, arriving] = steps[step % steps.length] ?? [5, []];
            const page = await listAccounts(database.db, { order, after, limit: limit + 1 });
            const shown = page.slice(0, limit);
            seen.push(...shown.map(({ address }) => address));
            const last = shown.at(-1);
            if (page.length <= limit || last === undefined) break;
            after = { address: last.address, slot: last.slot };
            if (step < 20) {
              // By update, what is written again moves: there only new ones come.
              await write(order === 'address' ? arriving : arriving.filter((row) => !known.has(nameOf(row))));
            }
          }
          expect(new Set(seen).size).toBe(seen.length);
          expect([...known].filter((address) => !seen.includes(address))).toEqual([]);
        },
      ),
      { numRuns: 25, ...NAMED_HANG },
    );
  });
});

describe('listBalances', () => {
  it('pages through what is held, by account, without dust', async () => {
    await fc.assert(
      fc.asyncProperty(
        many(10, 30),
        fc.record(
          {
            banks: fc.subarray(['bank0', 'bank2'], { minLength: 1 }),
            authority: fc.constantFrom('owner0', 'owner1'),
            side: fc.constantFrom('lend' as const, 'borrow' as const),
          },
          { requiredKeys: [] },
        ),
        fc.integer({ min: 1, max: 9 }),
        async (rows, filter, limit) => {
          await refill(rows);
          const found: string[] = [];
          let after: { account: string; slotIndex: number } | undefined;
          for (;;) {
            const page = await listBalances(database.db, { ...filter, after, limit });
            found.push(...page.map(({ account: owner, bank }) => `${owner} ${bank}`));
            const last = page.at(-1);
            if (last === undefined) break;
            after = { account: last.account, slotIndex: last.slot_index };
          }
          const expected = rows
            .filter((row) => !row.isClosed && (filter.authority ?? `owner${row.owner}`) === `owner${row.owner}`)
            .toSorted((a, b) => a.number - b.number)
            .flatMap((row) =>
              row.held
                .filter(({ side }) => side !== 'dust' && (filter.side ?? side) === side)
                .filter(({ bank }) => filter.banks?.includes(`bank${bank}`) ?? true)
                .map(({ bank }) => `${nameOf(row)} bank${bank}`),
            );
          expect(found).toEqual(expected);
        },
      ),
      { numRuns: 25, ...NAMED_HANG },
    );
  });
});

describe('listLargestBalances', () => {
  it('pages through the holders of each bank, largest first, equal ones by account', async () => {
    await fc.assert(
      fc.asyncProperty(many(10, 40), fc.integer({ min: 1, max: 6 }), async (rows, limit) => {
        await refill(rows);
        const found: string[] = [];
        let after: { shares: string; account: string } | undefined;
        for (;;) {
          const page = await listLargestBalances(database.db, { banks: ['bank1'], side: 'borrow', after, limit });
          found.push(...page.map((row) => row.account));
          const last = page.at(-1);
          if (last === undefined) break;
          after = { shares: last.liability_shares, account: last.account };
        }
        const expected = rows
          .filter((row) => !row.isClosed)
          .flatMap((row) =>
            row.held
              .filter(({ bank, side }) => bank === 1 && side === 'borrow')
              .map(({ shares }) => ({ name: nameOf(row), shares })),
          )
          .sort((a, b) => b.shares - a.shares || (a.name < b.name ? -1 : 1));
        expect(found).toEqual(expected.map(({ name }) => name));
      }),
      { numRuns: 25, ...NAMED_HANG },
    );
  });

  it('gives each bank as many as asked for', async () => {
    const held = [0, 1].map((bank) => ({ bank, side: 'lend' as const, shares: 1 }));
    await refill([1, 2, 3].map((number) => ({ number, slot: 1, owner: 0, isClosed: false, held })));
    const page = await listLargestBalances(database.db, {
      banks: ['bank1', 'bank7', 'bank0'],
      side: 'lend',
      limit: 2,
    });
    expect(page.map(({ account: owner, bank }) => `${bank} ${owner}`)).toEqual([
      'bank1 account001',
      'bank1 account002',
      'bank0 account001',
      'bank0 account002',
    ]);
  });
});
