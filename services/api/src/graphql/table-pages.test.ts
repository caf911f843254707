import type { AccountBalanceRow } from '@lending/store';
import { afterAll, describe, expect, it } from 'vitest';
import { ACCOUNT, accountRow, activityRow, balanceRow, OTHER_ACCOUNT, WALLET } from '../testing/account-rows.ts';
import { SOL_BANK, USDC_BANK } from '../testing/bank-row.ts';
import { createAccountsApp } from '../testing/test-app.ts';
import { ask } from './testing/ask.ts';

/** Shares beyond what a float holds exactly. */
const WIDE = '9007199254740993.5';
const balance = (account: string): AccountBalanceRow => ({ ...balanceRow({ asset_shares: WIDE }), account });
const ROWS = {
  listAccounts: [accountRow({ slot: 7n }), accountRow({ address: OTHER_ACCOUNT })],
  listBalances: [balance(ACCOUNT), balance(OTHER_ACCOUNT)],
  listLargestBalances: [balance(ACCOUNT), balance(OTHER_ACCOUNT)],
  listActivity: [activityRow({ slot: 9n, inner_index: 3 }), activityRow({ id: 'b:0', slot: 7n })],
};
const SINCE = '2026-11-21T10:00:04Z';

/** Questions to the tables since the last query. */
let asked: unknown[] = [];
const answering =
  <R>(rows: readonly R[]) =>
  async (question: { readonly limit: number }) => {
    asked.push(question);
    return rows.slice(0, question.limit);
  };
const app = await createAccountsApp({
  store: {
    listAccounts: answering(ROWS.listAccounts),
    listBalances: answering(ROWS.listBalances),
    listLargestBalances: answering(ROWS.listLargestBalances),
    listActivity: answering(ROWS.listActivity),
    listNewestActivity: answering(ROWS.listActivity),
    listGroupChanges: answering([]),
    readActivityPrices: async () => [],
  },
});
afterAll(() => app.close());

async function questionOf(field: string) {
  asked = [];
  const { errors } = await ask(app, `{ ${field} }`);
  expect(errors).toEqual([]);
  return asked.at(-1);
}
const inBank = (text: string): string => `bank(address: "${SOL_BANK}") { ${text} }`;
const NODES = '{ nodes { __typename } }';

/** Which rows match, and in what order, the store's own tests say. */
describe('a question to the tables', () => {
  it.each<[field: string, question: object]>([
    ['accounts', { order: 'address', limit: 21 }],
    ['accounts(filter: { authority: null, bank: null, side: null })', { order: 'address', limit: 21 }],
    ['accounts(first: 100, orderBy: updated)', { order: 'updated', limit: 101 }],
    [`accounts(filter: { authority: "${WALLET}" })`, { order: 'address', limit: 21, authority: WALLET }],
    [`accounts(filter: { group: "${WALLET}" })`, { order: 'address', limit: 21, group: WALLET }],
    [
      `accounts(filter: { bank: ["${SOL_BANK}"], side: lend })`,
      { order: 'address', limit: 21, banks: [SOL_BANK], side: 'lend' },
    ],
    ['accounts(filter: { hasDebt: false })', { order: 'address', limit: 21, hasDebt: false }],
    ['accounts(filter: { isClosed: true })', { order: 'address', limit: 21, isClosed: true }],
    [`accounts(filter: { updatedSince: "${SINCE}" })`, { order: 'address', limit: 21, updatedSince: new Date(SINCE) }],
    ['balances', { limit: 21 }],
    [`balances(filter: { bank: ["${SOL_BANK}", "${USDC_BANK}"] })`, { limit: 21, banks: [SOL_BANK, USDC_BANK] }],
    [`balances(filter: { account: ["${ACCOUNT}"] })`, { limit: 21, accounts: [ACCOUNT] }],
    [`balances(filter: { authority: "${WALLET}", side: borrow })`, { limit: 21, authority: WALLET, side: 'borrow' }],
    ['activity', { limit: 21 }],
    [`activity(filter: { account: ["${ACCOUNT}"] })`, { limit: 21, accounts: [ACCOUNT] }],
    [`activity(filter: { authority: "${WALLET}" })`, { limit: 21, authority: WALLET }],
    [`activity(filter: { actor: "${WALLET}" })`, { limit: 21, actor: WALLET }],
    [`activity(filter: { bank: ["${SOL_BANK}"] })`, { limit: 21, banks: [SOL_BANK] }],
    ['activity(filter: { kind: [deposit, order] })', { limit: 21, kinds: ['deposit', 'order'] }],
    [`activity(filter: { since: "${SINCE}" })`, { limit: 21, since: new Date(SINCE) }],
    [`activity(filter: { until: "${SINCE}" })`, { limit: 21, until: new Date(SINCE) }],
    ['activity(filter: { finality: confirmed })', { limit: 21, finality: 'confirmed' }],
  ])('is the filter of %s', async (field, question) => {
    expect(await questionOf(`${field} ${NODES}`)).toEqual(question);
  });

  it.each(['lend', 'borrow'])('is whose balances of a bank are the largest that %s it', async (side) => {
    const question = await questionOf(inBank(`largestBalances(side: ${side}, first: 3) ${NODES}`));
    expect(question).toEqual({ banks: [SOL_BANK], side, limit: 4 });
  });

  it('is what an account did last, of the kinds asked for', async () => {
    const question = await questionOf(
      'accounts(first: 1) { nodes { activity(first: 3, kind: [deposit, repay]) { id } } }',
    );
    expect(question).toEqual({ accounts: [ACCOUNT], limit: 3, kinds: ['deposit', 'repay'] });
  });
});

describe('the page after a page', () => {
  it.each<[field: string, place: object]>([
    ['accounts(', { after: { address: ACCOUNT, slot: 7n } }],
    ['accounts(orderBy: updated, ', { after: { address: ACCOUNT, slot: 7n } }],
    ['balances(', { after: { account: ACCOUNT, slotIndex: 0 } }],
    ['largestBalances(side: lend, ', { after: { shares: WIDE, account: ACCOUNT } }],
    ['largestBalances(side: borrow, ', { after: { shares: '0', account: ACCOUNT } }],
    ['activity(', { before: { slot: 9n, signature: activityRow().signature, instructionIndex: 2, innerIndex: 3 } }],
  ])('of %s first: 1) goes on behind its last row', async (field, place) => {
    const read = async (args: string) => {
      const page = `page: ${field}${args}) { edges { cursor } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }`;
      asked = [];
      const { data, errors } = await ask(app, `{ ${field.startsWith('largest') ? inBank(page) : page} }`);
      expect(errors).toEqual([]);
      return (data.page ?? data.bank.page) as { edges: { cursor: string }[]; pageInfo: Record<string, unknown> };
    };
    const { edges, pageInfo } = await read('first: 1');
    const [{ cursor } = { cursor: '' }] = edges;
    const ends = { startCursor: cursor, endCursor: cursor };
    expect([edges.length, pageInfo]).toEqual([1, { hasNextPage: true, hasPreviousPage: false, ...ends }]);
    const next = await read(`first: 2, after: "${cursor}"`);
    expect(asked).toMatchObject([{ ...place, limit: 3 }]);
    expect(next.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
  });
});

describe('nonsense', () => {
  const refused: readonly (readonly [field: string, named: string])[] = [
    ['activity(filter: { since: "2026-11-22", until: "2026-11-21" }) { nodes { id } }', 'until'],
    ['activity(filter: { since: "2026-11-22", until: "2026-11-22" }) { nodes { id } }', 'until'],
    ['activity(filter: { bank: [] }) { nodes { id } }', 'bank'],
    ['activity(filter: { account: [] }) { nodes { id } }', 'account'],
    ['activity(filter: { kind: [] }) { nodes { id } }', 'kind'],
    ['accounts(first: 1) { nodes { activity(kind: []) { id } } }', 'kind'],
    ['groupChanges(filter: { address: [] }) { nodes { id } }', 'address'],
    ['groupChanges(filter: { since: "2026-11-22", until: "2026-11-22" }) { nodes { id } }', 'until'],
    ['accounts(filter: { bank: [] }) { nodes { address } }', 'bank'],
    ['accounts(filter: { side: lend }) { nodes { address } }', 'side'],
    ['balances(filter: { bank: [] }) { nodes { bank } }', 'bank'],
    ['balances(filter: { account: [] }) { nodes { bank } }', 'account'],
    ...['banks', 'accounts', 'balances', 'activity', 'groupChanges', 'strategies'].flatMap(
      (field): [field: string, named: string][] => [
        [`${field}(first: 0) { pageInfo { hasNextPage } }`, 'first'],
        [`${field}(first: 101) { pageInfo { hasNextPage } }`, 'first'],
        [`${field}(first: -1) { pageInfo { hasNextPage } }`, 'first'],
        [`${field}(after: "rubbish") { pageInfo { hasNextPage } }`, 'after'],
      ],
    ),
    [inBank('largestBalances(side: lend, first: 101) { nodes { account } }'), 'first'],
    [inBank('limitChanges(first: 0) { time }'), 'first'],
    ['accounts(first: 1) { nodes { activity(first: 101) { id } } }', 'first'],
    [inBank('history(start: "2026-11-21", end: "2026-11-20") { gapCount }'), 'end'],
    [inBank('history(start: "2126-11-21") { gapCount }'), 'start'],
    [inBank('history(start: "yesterday") { gapCount }'), 'start'],
    ['strategies(targetLeverage: 1) { totalCount }', 'targetLeverage'],
    ['strategies(targetLeverage: 1.505) { totalCount }', 'targetLeverage'],
    ['strategies(targetLeverage: -2) { totalCount }', 'targetLeverage'],
    ['strategies(filter: { minSizeUsd: -1 }) { totalCount }', 'minSizeUsd'],
    ['strategies(filter: { maxLeverage: 0.5 }) { totalCount }', 'maxLeverage'],
    ['account(address: "nobody") { address }', 'address'],
  ];

  it.each(refused)('%s is refused by name', async (field, named) => {
    const { errors } = await ask(app, `{ ${field} }`);
    expect(errors).toHaveLength(1);
    expect(errors[0]?.extensions).toMatchObject({ code: 'INVALID_ARGUMENT', details: { field: named } });
  });

  it.each([
    ['accounts', 'accounts(filter: { hasDebt: true }'],
    ['accounts', 'accounts(orderBy: updated'],
    ['balances', 'balances(filter: { side: lend }'],
    ['accounts', 'balances(first: 2'],
    ['activity', 'activity(filter: { kind: [deposit] }'],
  ])('that is a cursor of %s in %s is refused by name', async (of, field) => {
    const { data } = await ask(app, `{ page: ${of}(first: 1) { pageInfo { endCursor } } }`);
    const cursor = data.page.pageInfo.endCursor;
    const { errors } = await ask(app, `{ ${field}, after: "${cursor}") { pageInfo { hasNextPage } } }`);
    expect(errors[0]?.extensions).toMatchObject({ code: 'INVALID_ARGUMENT', details: { field: 'after' } });
  });
});
