import { ACTIVITY_KINDS } from '@lending/domain';
import type { ActivityWrite } from '@lending/store';
import { useDatabase } from '@lending/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { activityWrite } from '../testing/account-tables.ts';
import { CHAIN_TIME_MS } from '../testing/bank-row.ts';
import { ask } from './testing/ask.ts';
import {
  accountOf,
  createTablesApp,
  type Holding,
  nthAddress,
  nthBank,
  type TablesApp,
  writeAccounts,
  writeActivity,
  writeBanks,
} from './testing/graphql-tables.ts';

const GROUP = '4qp6Fx6tnZkY5Wropq9wUYgtFxXKwE6viZxFHg3rdAG8';
const OTHER_GROUP = nthAddress('bank', 250);
const at = (slot: number): string => new Date(CHAIN_TIME_MS + slot * 1_000).toISOString();

interface Made {
  readonly address: string;
  readonly authority: string;
  readonly group: string;
  readonly isClosed: boolean;
  readonly slot: number;
  readonly held: readonly Holding[];
}

/** Every mix of owner, group, banks and sides, by remainders. */
const MADE: readonly Made[] = Array.from({ length: 42 }, (_, nth) => ({
  address: nthAddress('account', nth),
  authority: nthAddress('owner', nth % 3),
  group: nth % 4 === 0 ? OTHER_GROUP : GROUP,
  isClosed: nth % 7 === 3,
  slot: 1 + (nth % 5),
  held:
    nth % 7 === 3
      ? []
      : [
          {
            bank: nthBank(nth % 3),
            side: nth % 2 === 0 ? ('lend' as const) : ('borrow' as const),
            shares: `${nth + 1}00`,
          },
          { bank: nthBank(3), side: 'lend' as const, shares: nth % 5 === 0 ? '0.5' : `${(nth % 6) + 1}0` },
        ],
}));

const DONE: readonly ActivityWrite[] = Array.from({ length: 60 }, (_, nth) => {
  const [first] = activityWrite({ signature: 'x' }).legs;
  if (first === undefined) throw new TypeError('an activity without legs');
  const actions = ['deposit', 'withdraw', 'borrow', 'repay'] as const;
  const kind = ACTIVITY_KINDS[nth % ACTIVITY_KINDS.length] ?? 'deposit';
  const action = actions.find((one) => one === kind) ?? 'deposit';
  return activityWrite({
    signature: `S${(nth + 11).toString().replaceAll('0', 'z')}`,
    slot: BigInt(1 + (nth % 9)),
    time: at(1 + (nth % 9)),
    kind,
    account: nthAddress('account', nth % 5),
    authority: nthAddress('owner', nth % 3),
    actor: nthAddress('owner', nth % 4),
    finality: nth % 9 > 6 ? 'confirmed' : 'finalized',
    legs: nth % 4 === 0 ? [] : [{ ...first, action, bank: nthBank(nth % 3) }],
  });
});

const database = useDatabase();
let tables: TablesApp;
beforeAll(async () => {
  await writeBanks(database.db, 4);
  await writeAccounts(
    database.db,
    MADE.map(({ address, authority, group, isClosed, slot, held }) => {
      const open = accountOf(address, authority, held, { slot: BigInt(slot), slotTime: at(slot) });
      return { ...open, state: isClosed || open.state === null ? null : { ...open.state, groupAddress: group } };
    }),
  );
  await writeActivity(database.db, DONE);
  tables = await createTablesApp(database.db);
});
afterAll(() => tables.app.close());

type Variables = Readonly<Record<string, unknown>>;

const holds = (account: Made, banks: readonly string[], side?: 'lend' | 'borrow') =>
  account.held.some(
    (held) => Number(held.shares) >= 1 && banks.includes(held.bank) && (side === undefined || held.side === side),
  );
const owes = (account: Made) => account.held.some(({ side, shares }) => side === 'borrow' && Number(shares) >= 1);
const BANKS = [nthBank(0), nthBank(1)];

const ACCOUNTS: readonly (readonly [Variables, (account: Made) => boolean])[] = [
  [{}, () => true],
  [{ authority: nthAddress('owner', 1) }, (one) => !one.isClosed && one.authority === nthAddress('owner', 1)],
  [{ group: OTHER_GROUP }, (one) => !one.isClosed && one.group === OTHER_GROUP],
  [{ bank: BANKS }, (one) => holds(one, BANKS)],
  [{ bank: BANKS, side: 'lend' }, (one) => holds(one, BANKS, 'lend')],
  [{ bank: BANKS, side: 'borrow' }, (one) => holds(one, BANKS, 'borrow')],
  [{ bank: [nthBank(3)] }, (one) => holds(one, [nthBank(3)])],
  [{ hasDebt: true }, owes],
  [{ hasDebt: false }, (one) => !owes(one)],
  [{ isClosed: true }, (one) => one.isClosed],
  [{ isClosed: false }, (one) => !one.isClosed],
  [{ updatedSince: at(4) }, (one) => one.slot >= 4],
  [{ hasDebt: true, updatedSince: at(3), bank: BANKS }, (one) => owes(one) && one.slot >= 3 && holds(one, BANKS)],
  [{ authority: null, bank: null, side: null }, () => true],
];

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

describe('accounts', () => {
  const query = `query ($filter: AccountFilter, $order: AccountOrder!) {
    accounts(filter: $filter, orderBy: $order, first: 100) { nodes { address } } }`;

  it.each(ACCOUNTS)('are found by %j', async (filter, matches) => {
    const expected = MADE.filter(matches);
    expect(expected.length).toBeGreaterThan(0);
    for (const order of ['address', 'updated'] as const) {
      const { data, errors } = await ask(tables.app, query, { filter, order });
      expect(errors).toEqual([]);
      const sorted = expected.toSorted(
        (a, b) => (order === 'updated' ? b.slot - a.slot : 0) || byText(a.address, b.address),
      );
      expect(data.accounts.nodes.map(({ address }: Made) => address)).toEqual(sorted.map(({ address }) => address));
    }
  });
});

interface Balance extends Holding {
  readonly account: string;
  readonly authority: string;
  readonly slotIndex: number;
}

const BALANCES: readonly Balance[] = MADE.flatMap(({ address, authority, held }) =>
  held.map((one, slotIndex) => ({ ...one, account: address, authority, slotIndex })),
).filter(({ shares }) => Number(shares) >= 1);

const [FIRST, SECOND] = MADE as readonly [Made, Made, ...Made[]];
const BALANCE_FILTERS: readonly (readonly [Variables, (balance: Balance) => boolean])[] = [
  [{}, () => true],
  [{ bank: BANKS }, ({ bank }) => BANKS.includes(bank)],
  [
    { account: [FIRST.address, SECOND.address] },
    ({ account }) => account === FIRST.address || account === SECOND.address,
  ],
  [{ authority: nthAddress('owner', 2) }, ({ authority }) => authority === nthAddress('owner', 2)],
  [{ side: 'lend' }, ({ side }) => side === 'lend'],
  [{ side: 'borrow', bank: BANKS }, ({ side, bank }) => side === 'borrow' && BANKS.includes(bank)],
];

describe('balances', () => {
  it.each(BALANCE_FILTERS)('are found by %j', async (filter, matches) => {
    const query = `query ($filter: BalanceFilter) { balances(filter: $filter, first: 100) { nodes { account slotIndex } } }`;
    const expected = BALANCES.filter(matches).toSorted(
      (a, b) => byText(a.account, b.account) || a.slotIndex - b.slotIndex,
    );
    const { data, errors } = await ask(tables.app, query, { filter });
    expect(errors).toEqual([]);
    expect(expected.length).toBeGreaterThan(0);
    expect(data.balances.nodes).toEqual(expected.map(({ account, slotIndex }) => ({ account, slotIndex })));
  });

  it.each(['lend', 'borrow'] as const)('that %s the most are first', async (side) => {
    for (const bank of [nthBank(0), nthBank(3)]) {
      const { data, errors } = await ask(
        tables.app,
        `{ bank(address: "${bank}") { largestBalances(side: ${side}, first: 100) { nodes { account } } } }`,
      );
      expect(errors).toEqual([]);
      const expected = BALANCES.filter((one) => one.bank === bank && one.side === side).toSorted(
        (a, b) => Number(b.shares) - Number(a.shares) || byText(a.account, b.account),
      );
      expect(data.bank.largestBalances.nodes).toEqual(expected.map(({ account }) => ({ account })));
    }
  });
});

const ACTIVITIES: readonly (readonly [Variables, (activity: ActivityWrite) => boolean])[] = [
  [{}, () => true],
  [{ account: [nthAddress('account', 1), nthAddress('account', 2)] }, (one) => isOneOf(one.account, 'account', [1, 2])],
  [{ authority: nthAddress('owner', 1) }, (one) => isOneOf(one.authority, 'owner', [1])],
  [{ actor: nthAddress('owner', 3) }, (one) => isOneOf(one.actor, 'owner', [3])],
  [{ actor: nthAddress('owner', 1) }, (one) => isOneOf(one.actor, 'owner', [1])],
  [{ bank: BANKS }, (one) => one.legs.some(({ bank }) => BANKS.includes(bank))],
  [{ kind: ['deposit', 'order'] }, ({ kind }) => kind === 'deposit' || kind === 'order'],
  [
    { bank: BANKS, kind: ['borrow'] },
    (one) => one.kind === 'borrow' && one.legs.some(({ bank }) => BANKS.includes(bank)),
  ],
  [{ since: at(4) }, ({ slot }) => slot >= 4n],
  [{ until: at(4) }, ({ slot }) => slot < 4n],
  [{ since: at(3), until: at(5) }, ({ slot }) => slot >= 3n && slot < 5n],
  [{ finality: 'confirmed' }, ({ finality }) => finality === 'confirmed'],
  [{ finality: 'finalized' }, ({ finality }) => finality === 'finalized'],
];

function isOneOf(address: string | null, family: 'account' | 'owner', numbers: readonly number[]): boolean {
  return numbers.some((nth) => nthAddress(family, nth) === address);
}

/** Of a slot by signature, as bytes are ordered. */
const newestFirst = (a: ActivityWrite, b: ActivityWrite): number =>
  Number(b.slot - a.slot) || byText(b.signature, a.signature);

describe('activity', () => {
  it.each(ACTIVITIES)('is found by %j', async (filter, matches) => {
    const query = 'query ($filter: ActivityFilter) { activity(filter: $filter, first: 100) { nodes { id } } }';
    const expected = DONE.filter(matches).toSorted(newestFirst);
    const { data, errors } = await ask(tables.app, query, { filter });
    expect(errors).toEqual([]);
    expect(expected.length).toBeGreaterThan(0);
    expect(data.activity.nodes.map(({ id }: { id: string }) => id)).toEqual(expected.map(({ id }) => id));
  });

  it('of an account is its newest, of the kinds asked for', async () => {
    const address = nthAddress('account', 1);
    const { data, errors } = await ask(
      tables.app,
      `{ accounts(first: 3) { nodes { address all: activity(first: 3) { id } some: activity(kind: [deposit, repay]) { id } } } }`,
    );
    expect(errors).toEqual([]);
    const own = DONE.filter(({ account }) => account === address).toSorted(newestFirst);
    const node = data.accounts.nodes.find((one: { address: string }) => one.address === address);
    expect(node.all).toEqual(own.slice(0, 3).map(({ id }) => ({ id })));
    expect(node.some).toEqual(
      own.filter(({ kind }) => kind === 'deposit' || kind === 'repay').map(({ id }) => ({ id })),
    );
  });
});

describe('nonsense', () => {
  const cursorOf = async (field: string): Promise<string> => {
    const { data } = await ask(tables.app, `{ ${field} { pageInfo { endCursor } } }`);
    return Object.values<{ pageInfo: { endCursor: string } }>(data)[0]?.pageInfo.endCursor ?? '';
  };
  const below = (text: string): string => `bank(address: "${nthBank(0)}") { ${text} }`;

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
    ...['accounts', 'balances', 'activity', 'groupChanges', 'strategies'].flatMap(
      (field): [field: string, named: string][] => [
        [`${field}(first: 0) { pageInfo { hasNextPage } }`, 'first'],
        [`${field}(first: 101) { pageInfo { hasNextPage } }`, 'first'],
        [`${field}(first: -1) { pageInfo { hasNextPage } }`, 'first'],
        [`${field}(after: "rubbish") { pageInfo { hasNextPage } }`, 'after'],
      ],
    ),
    [below('largestBalances(side: lend, first: 101) { nodes { account } }'), 'first'],
    [below('limitChanges(first: 0) { time }'), 'first'],
    ['accounts(first: 1) { nodes { activity(first: 101) { id } } }', 'first'],
    [below('history(start: "2026-11-21", end: "2026-11-20") { gapCount }'), 'end'],
    [below('history(start: "2126-11-21") { gapCount }'), 'start'],
    [below('history(start: "yesterday") { gapCount }'), 'start'],
    ['strategies(targetLeverage: 1) { totalCount }', 'targetLeverage'],
    ['strategies(targetLeverage: 1.505) { totalCount }', 'targetLeverage'],
    ['strategies(targetLeverage: -2) { totalCount }', 'targetLeverage'],
    ['strategies(filter: { minSizeUsd: -1 }) { totalCount }', 'minSizeUsd'],
    ['strategies(filter: { maxLeverage: 0.5 }) { totalCount }', 'maxLeverage'],
    ['account(address: "nobody") { address }', 'address'],
  ];

  it.each(refused)('%s is refused by name', async (field, named) => {
    const { errors } = await ask(tables.app, `{ ${field} }`);
    expect(errors).toHaveLength(1);
    expect(errors[0]?.extensions).toMatchObject({ code: 'INVALID_ARGUMENT', details: { field: named } });
  });

  it('that is a cursor of another question is refused by name', async () => {
    const cursors = {
      accounts: await cursorOf('accounts(first: 2)'),
      balances: await cursorOf('balances(first: 2)'),
      activity: await cursorOf('activity(first: 2)'),
    };
    for (const [field, cursor] of [
      ['accounts(filter: { hasDebt: true }', cursors.accounts],
      ['accounts(orderBy: updated', cursors.accounts],
      ['balances(filter: { side: lend }', cursors.balances],
      ['balances(first: 2', cursors.accounts],
      ['activity(filter: { kind: [deposit] }', cursors.activity],
    ] as const) {
      expect(cursor).not.toBe('');
      const { errors } = await ask(tables.app, `{ ${field}, after: "${cursor}") { pageInfo { hasNextPage } } }`);
      expect(errors[0]?.extensions, field).toMatchObject({ code: 'INVALID_ARGUMENT', details: { field: 'after' } });
    }
  });
});

describe('times far away', () => {
  it.each([
    'activity(filter: { since: "0000-01-01", until: "9999-12-31" }) { nodes { id } }',
    'activity(filter: { until: "0000-01-02" }) { nodes { id } }',
    'accounts(filter: { updatedSince: "0000-01-01" }) { nodes { address } }',
    'accounts(filter: { updatedSince: "9999-12-31" }) { nodes { address } }',
    'banks { nodes { history(start: "0000-01-01") { points { time } } } }',
    'banks { nodes { history(start: "0000-01-01", end: "9999-12-31", interval: _1m) { gapCount } } }',
    'banks { nodes { history(end: "0000-01-02") { gapCount nextStart firstAvailable } } }',
  ])('are answered: %s', async (field) => {
    const { errors } = await ask(tables.app, `{ ${field} }`);
    expect(errors).toEqual([]);
  });
});
