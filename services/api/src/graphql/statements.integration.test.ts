import { useDatabase } from '@lending/store/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { activityWrite } from '../testing/tables.ts';
import { ask } from './testing/ask.ts';
import {
  accountOf,
  createTablesApp,
  nthAddress,
  nthBank,
  type TablesApp,
  writeAccounts,
  writeActivity,
  writeBanks,
} from './testing/graphql-tables.ts';

const BANKS = 20;
const ACCOUNTS = 50;

const database = useDatabase();
let tables: TablesApp;

beforeAll(async () => {
  await writeBanks(database.db, BANKS);
  const accounts = Array.from({ length: ACCOUNTS }, (_, nth) => nth);
  await writeAccounts(
    database.db,
    accounts.map((nth) =>
      accountOf(nthAddress('account', nth), nthAddress('owner', nth % 7), [
        { bank: nthBank(nth % BANKS), side: 'lend', shares: `${(nth + 1) * 1_000_000}` },
        { bank: nthBank((nth + 1) % BANKS), side: 'lend', shares: '5000000' },
        { bank: nthBank((nth + 2) % BANKS), side: 'borrow', shares: '1000000' },
      ]),
    ),
  );
  await writeActivity(
    database.db,
    accounts.flatMap((nth) =>
      [1, 2, 3].map((step) =>
        activityWrite({
          signature: `S${nth + 1}T${step}`,
          slot: BigInt(step),
          account: nthAddress('account', nth),
          authority: nthAddress('owner', nth % 7),
        }),
      ),
    ),
  );
  tables = await createTablesApp(database.db);
});
afterAll(() => tables.app.close());

/** Statements of the query alone: repeated until two runs need the same number, since caches are partly loaded in the background. */
async function statementsOf(query: string, first: number) {
  for (let before = Number.NaN; ; ) {
    const { data, errors } = await ask(tables.app, query, { first });
    expect(errors).toEqual([]);
    const statements = tables.takeStatements();
    if (statements === before) return { data, statements };
    before = statements;
  }
}

describe('a query over rows of rows', () => {
  it('asks for accounts, their banks and their activity in as many statements for 50 as for 2', async () => {
    const query = `query ($first: Int) { accounts(first: $first) { nodes {
      address health { status } orders { address }
      positions { amountUsd bankRecord { symbol rates { depositApy7dPct } } }
      activity(first: 2) { id accountRecord { equityUsd } legs { amountUsd bankRecord { symbol } } }
    } } }`;
    const few = await statementsOf(query, 2);
    const many = await statementsOf(query, ACCOUNTS);
    expect(many.data.accounts.nodes).toHaveLength(ACCOUNTS);
    for (const node of many.data.accounts.nodes) {
      expect(node.positions).toHaveLength(3);
      expect(node.positions.every((position: { bankRecord: unknown }) => position.bankRecord !== null)).toBe(true);
      expect(node.activity).toHaveLength(2);
      expect(node.activity[0].accountRecord).not.toBeNull();
    }
    expect(many.statements).toBe(few.statements);
    // Accounts, their activity, its prices, its accounts.
    expect(many.statements).toBe(4);
  });

  it('asks for banks, their histories, limits and largest balances in as many statements for 20 as for 2', async () => {
    const query = `query ($first: Int) { banks(first: $first) { nodes {
      symbol history(interval: _1h) { points { time depositApyPct } } limitChanges(first: 2) { time }
      lent: largestBalances(side: lend, first: 2) { nodes { amountUsd bankRecord { symbol } accountRecord { address } } }
    } } }`;
    const few = await statementsOf(query, 2);
    const many = await statementsOf(query, BANKS);
    expect(many.data.banks.nodes).toHaveLength(BANKS);
    for (const bank of many.data.banks.nodes) {
      expect(bank.history.points).toHaveLength(2);
      expect(bank.limitChanges).toHaveLength(2);
      expect(bank.lent.nodes).toHaveLength(2);
      expect(bank.lent.nodes[0].accountRecord).not.toBeNull();
    }
    expect(many.statements).toBe(few.statements);
    // What history there is, where its rows lie, its buckets, limits, balances, their accounts.
    expect(many.statements).toBe(6);
  });

  it('asks for balances, their banks and their accounts in two', async () => {
    const query = `query ($first: Int) { balances(first: $first) { nodes { bankRecord { symbol } accountRecord { address } } } }`;
    const few = await statementsOf(query, 2);
    const many = await statementsOf(query, 100);
    expect(many.data.balances.nodes).toHaveLength(100);
    expect([few.statements, many.statements]).toEqual([2, 2]);
  });

  it('asks for everybody’s activity with prices and accounts in three', async () => {
    const query = `query ($first: Int) { activity(first: $first) { nodes { legs { priceUsd } accountRecord { address } } } }`;
    const few = await statementsOf(query, 2);
    const many = await statementsOf(query, 100);
    expect(many.data.activity.nodes).toHaveLength(100);
    expect([few.statements, many.statements]).toEqual([3, 3]);
  });
});
