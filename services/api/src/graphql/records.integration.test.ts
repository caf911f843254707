import {
  type AccountWrite,
  insertGroupChanges,
  recordTagChanges,
  upsertAccountOrders,
  upsertRebalanceOrders,
} from '@lending/store';
import { useDatabase } from '@lending/store/testing';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { activitySchema } from '#records/activity-fields.ts';
import { balanceSchema } from '#records/balance-fields.ts';
import { groupChangeSchema } from '#records/group-change-fields.ts';
import { healthSchema, stressSchema } from '#records/health-fields.ts';
import { historyPointSchema } from '#records/history-fields.ts';
import { limitsSchema } from '#records/limit-fields.ts';
import { accountSchema } from '#records/position-fields.ts';
import { strategySchema } from '#records/strategy-fields.ts';
import { ACCOUNT, LIQUIDATOR, OTHER_ACCOUNT, SOL_MINT, WALLET } from '../testing/account-rows.ts';
import { CHAIN_TIME_MS, SOL_BANK, USDC_BANK } from '../testing/bank-row.ts';
import { strategyBanks, strategyMeasures, swapQuoteRow } from '../testing/strategy-rows.ts';
import { activityWrite } from '../testing/tables.ts';
import { createTestApp, fakeStore } from '../testing/test-app.ts';
import { ask, asRecord, selectionOf } from './testing/ask.ts';
import {
  accountOf,
  createTablesApp,
  nthAddress,
  type TablesApp,
  writeAccounts,
  writeActivity,
  writeBanks,
} from './testing/graphql-tables.ts';

async function get(app: FastifyInstance, url: string) {
  const response = await app.inject(url);
  expect(response.statusCode, response.payload).toBe(200);
  return response.json();
}

async function query(app: FastifyInstance, text: string) {
  const { data, errors } = await ask(app, text);
  expect(errors).toEqual([]);
  return data;
}

const REBALANCE = nthAddress('owner', 9);

const borrower = (address: string, changes: Partial<AccountWrite> = {}) =>
  accountOf(
    address,
    WALLET,
    [
      { bank: USDC_BANK, side: 'lend', shares: '1000000000.123456789' },
      { bank: SOL_BANK, side: 'borrow', shares: '250000000.5' },
    ],
    changes,
  );

describe('a record in GraphQL', () => {
  const database = useDatabase();
  let tables: TablesApp;
  beforeAll(async () => {
    const { db } = database;
    await writeBanks(db, 3);
    const account = borrower(ACCOUNT);
    await writeAccounts(db, [
      { ...account, state: { ...(account.state as NonNullable<typeof account.state>), activeOrders: 2 } },
      accountOf(OTHER_ACCOUNT, LIQUIDATOR, []),
    ]);
    const order = { trigger: 'stop_loss', stopLoss: '100', takeProfit: null, maxSlippage: '0.01', tags: [0] };
    await db.transaction().execute((transaction) =>
      upsertAccountOrders(transaction, [
        {
          address: LIQUIDATOR,
          account: ACCOUNT,
          state: order,
          source: 'localnet',
          slot: 100n,
          writeVersion: null,
          slotTime: new Date(CHAIN_TIME_MS).toISOString(),
        },
      ]),
    );
    const time = new Date(CHAIN_TIME_MS).toISOString();
    const seen = { source: 'localnet', slot: 100n, writeVersion: null, slotTime: time } as const;
    const toRebalance = {
      mint: SOL_MINT,
      banks: [SOL_BANK],
      minImprovement: '0.05',
      cooldownSeconds: '86400',
      amountBase: null,
      keeperTipLamports: '10000',
      lastExecutedAt: null,
      feePoolLamports: '1890880',
    };
    const taggedState = { ...(account.state as NonNullable<typeof account.state>), liquidationTaggedAt: '1791000000' };
    await db.transaction().execute(async (transaction) => {
      await upsertRebalanceOrders(transaction, [{ ...seen, address: REBALANCE, account: ACCOUNT, state: toRebalance }]);
      await recordTagChanges(transaction, [{ ...account, ...seen, slot: 10_000n, state: taggedState }]);
      const happened = { time, actor: WALLET, finality: 'finalized', slot: 9_000n } as const;
      await insertGroupChanges(transaction, [
        {
          ...happened,
          id: 's:0#0',
          kind: 'premium_tag',
          address: USDC_BANK,
          detail: { premiumTag: 4, isActive: true },
        },
        {
          ...happened,
          id: 's:1#0',
          kind: 'breaker_trip',
          address: USDC_BANK,
          detail: { tier: 2, deviationBps: '1250', haltStartedAt: '1790999000', haltEndedAt: '1791000000' },
        },
      ]);
    });
    const leg = { mint: SOL_MINT, shares: null, closesSide: true, amountBase: '1000000000' };
    await writeActivity(db, [
      activityWrite({ signature: 'deposited', slot: 90n, time, groupId: 'deposited:1' }),
      activityWrite({
        signature: 'seized',
        kind: 'liquidation',
        actor: LIQUIDATOR,
        counterparty: OTHER_ACCOUNT,
        innerIndex: 3,
        legs: [
          { ...leg, bank: SOL_BANK, action: 'seize' },
          { ...leg, bank: USDC_BANK, action: 'repay', amountBase: '137000000' },
        ],
        liquidation: {
          liquidator: LIQUIDATOR,
          assetBank: SOL_BANK,
          liabilityBank: USDC_BANK,
          seizedBase: '1000000000',
          repaidBase: '137000000',
        },
        time,
      }),
      activityWrite({
        signature: 'moved',
        kind: 'order',
        slot: 80n,
        time,
        legs: [{ ...leg, bank: USDC_BANK, action: 'repay', premium: { settledBase: '7', writtenOffBase: null } }],
        rebalance: {
          order: REBALANCE,
          executor: LIQUIDATOR,
          record: null,
          moved: '1.5',
          tipLamports: '10000',
          realized: null,
        },
      }),
    ]);
    tables = await createTablesApp(db);
  });
  afterAll(() => tables.app.close());

  it('of an account is that of /v1/account', async () => {
    const { accounts } = await get(tables.app, `/v1/account/${ACCOUNT}`);
    const record = accountSchema.extend({ health: healthSchema });
    const { account } = await query(tables.app, `{ account(address: "${ACCOUNT}") ${selectionOf(record)} }`);
    expect(accounts[0].positions).toHaveLength(2);
    expect(accounts[0].orders).toHaveLength(1);
    expect(accounts[0].rebalance_orders).toMatchObject([{ executions: [{ moved_ui: 1.5, banks: [USDC_BANK] }] }]);
    expect(accounts[0].max_borrow.length).toBeGreaterThan(1);
    expect(accounts[0].equity_usd).toBeGreaterThan(1);
    expect(asRecord(account)).toEqual(accounts[0]);
    const listed = await query(
      tables.app,
      `{ accounts(filter: { authority: "${WALLET}" }) { nodes ${selectionOf(record)} } }`,
    );
    expect(listed.accounts.nodes).toEqual([account]);
  });

  it('of health is that of /v1/health', async () => {
    const { stress, ...rest } = await get(tables.app, `/v1/health/${ACCOUNT}`);
    const { account } = await query(
      tables.app,
      `{ account(address: "${ACCOUNT}") { health ${selectionOf(healthSchema)} stress ${selectionOf(stressSchema)} } }`,
    );
    expect(stress).toHaveLength(4);
    expect(asRecord(account.stress)).toEqual(stress);
    expect(rest).toMatchObject(asRecord(account.health) as object);
  });

  it('of a balance is that of the position', async () => {
    const { accounts } = await get(tables.app, `/v1/account/${ACCOUNT}`);
    const { balances } = await query(
      tables.app,
      `{ balances(filter: { account: ["${ACCOUNT}"] }) { nodes ${selectionOf(balanceSchema)} } }`,
    );
    expect(balances.nodes).toHaveLength(2);
    for (const [nth, balance] of (asRecord(balances.nodes) as Record<string, unknown>[]).entries()) {
      const { account, slot_index, asset_shares, liability_shares, ...held } = balance;
      expect(accounts[0].positions[nth]).toMatchObject(held);
      expect([account, slot_index]).toEqual([ACCOUNT, nth]);
      expect([asset_shares, liability_shares]).toEqual(
        nth === 0 ? ['1000000000.123456789', '0'] : ['0', '250000000.5'],
      );
    }
  });

  it('of activity is that of /v1/activity, at the root and below an account', async () => {
    const { activity } = await get(tables.app, `/v1/activity/${ACCOUNT}`);
    const fields = selectionOf(activitySchema);
    const data = await query(
      tables.app,
      `{ activity(filter: { account: ["${ACCOUNT}"] }) { nodes ${fields} } account(address: "${ACCOUNT}") { activity ${fields} } }`,
    );
    expect(activity.map(({ kind }: { kind: string }) => kind)).toEqual(['liquidation', 'deposit', 'order']);
    expect(activity[0].liquidation.penalty_usd).not.toBeNull();
    expect(asRecord(data.activity.nodes)).toEqual(activity);
    expect(asRecord(data.account.activity)).toEqual(activity);
  });

  it('of changes is that of /v1/activity of a bank and of an account, page by page', async () => {
    const fields = selectionOf(groupChangeSchema);
    const nulls = Object.fromEntries(Object.keys(groupChangeSchema.shape).map((name) => [name, null]));
    const ofRest = async (address: string) => {
      const { changes } = await get(tables.app, `/v1/activity/${address}`);
      return changes.map((change: object) => ({ ...nulls, ...change }));
    };
    const all = [...(await ofRest(ACCOUNT)), ...(await ofRest(USDC_BANK))];
    expect(all.map(({ kind }) => kind)).toEqual(['liquidation_tag', 'breaker_trip', 'premium_tag']);
    const pageFrom = async (args: string) => {
      const { groupChanges } = await query(
        tables.app,
        `{ groupChanges(${args}) { nodes ${fields} pageInfo { endCursor hasNextPage } } }`,
      );
      return { nodes: asRecord(groupChanges.nodes), ...groupChanges.pageInfo };
    };
    const first = await pageFrom('first: 2');
    expect(first).toMatchObject({ nodes: all.slice(0, 2), hasNextPage: true });
    expect(await pageFrom(`first: 2, after: "${first.endCursor}"`)).toMatchObject({
      nodes: all.slice(2),
      hasNextPage: false,
    });
    const filter = `filter: { address: ["${USDC_BANK}"], kind: [premium_tag, governance_admin] }`;
    expect((await pageFrom(filter)).nodes).toEqual(all.slice(2));
  });

  it.each(['1m', '1h', '1d'])('of a history of %s is that of /v1/banks/…/history', async (interval) => {
    const start = new Date(CHAIN_TIME_MS - 7_200_000).toISOString();
    const rest = await get(tables.app, `/v1/banks/${USDC_BANK}/history?interval=${interval}&start=${start}`);
    const { bank } = await query(
      tables.app,
      `{ bank(address: "${USDC_BANK}") { history(interval: _${interval}, start: "${start}") {
        points ${selectionOf(historyPointSchema)} gapCount firstAvailable lastAvailable rolledFrom
      } } }`,
    );
    expect(rest.points.length).toBeGreaterThan(0);
    const { points, gap_count, first_available, last_available, rolled_from } = rest;
    expect(asRecord(bank.history)).toEqual({ points, gap_count, first_available, last_available, rolled_from });
  });

  it('of limits is that of /v1/banks/…/limits', async () => {
    const { limits } = await get(tables.app, `/v1/banks/${USDC_BANK}/limits`);
    const { bank } = await query(
      tables.app,
      `{ bank(address: "${USDC_BANK}") { limitChanges ${selectionOf(limitsSchema)} } }`,
    );
    expect(limits).toHaveLength(2);
    expect(asRecord(bank.limitChanges)).toEqual(limits);
  });

  it.each([
    'activity(filter: { since: "0000-01-01", until: "9999-12-31" }) { nodes { id } }',
    'activity(filter: { until: "0000-01-02" }) { nodes { id } }',
    'accounts(filter: { updatedSince: "0000-01-01" }) { nodes { address } }',
    'accounts(filter: { updatedSince: "9999-12-31" }) { nodes { address } }',
    'banks { nodes { history(start: "0000-01-01") { points { time } } } }',
    'banks { nodes { history(start: "0000-01-01", end: "9999-12-31", interval: _1m) { gapCount } } }',
    'banks { nodes { history(end: "0000-01-02") { gapCount nextStart firstAvailable } } }',
  ])('is looked for at times far away: %s', async (field) => {
    await query(tables.app, `{ ${field} }`);
  });
});

describe('a strategy in GraphQL', () => {
  it.each([
    ['strategies', '/v1/strategies?limit=100', ''],
    ['strategies at a leverage', '/v1/strategies?limit=100&target_leverage=1.5', 'targetLeverage: 1.5'],
  ])('%s are those of REST', async (_name, url, argument) => {
    const store = fakeStore(strategyBanks(), {
      listBankMeasures: async () => strategyMeasures(),
      listSwapQuotes: async () => [swapQuoteRow()],
    });
    const app = await createTestApp({ store });
    const rest = await get(app, url);
    expect(rest.strategies.length).toBeGreaterThan(2);
    const { strategies } = await query(
      app,
      `{ strategies(first: 100 ${argument}) { nodes ${selectionOf(strategySchema)} totalCount } }`,
    );
    expect(strategies.totalCount).toBe(rest.strategies.length);
    // Where no leverage is asked about REST leaves the figures at it out.
    const expected = rest.strategies.map((record: object) => ({ at_target: null, ...record }));
    expect(asRecord(strategies.nodes)).toEqual(expected);
    await app.close();
  });
});
