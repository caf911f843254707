import { setTimeout as pause } from 'node:timers/promises';
import {
  advanceChainProgress,
  answerFollows,
  insertActivities,
  notifyProjected,
  readFollow,
  requestFollow,
  upsertAccounts,
  upsertBankMeasures,
  upsertIndexProgress,
  upsertWallets,
} from '@lending/store';
import { useDatabase } from '@lending/store/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { activityReplySchema } from '#records/activity-fields.ts';
import { healthReplySchema } from '#records/health-fields.ts';
import { positionsReplySchema } from '#records/position-fields.ts';
import { walletReplySchema } from '#records/wallet-fields.ts';
import type { RunningApi } from './start-api.ts';
import { ACCOUNT, LIQUIDATOR, OTHER_ACCOUNT, SOL_MINT, WALLET } from './testing/account-rows.ts';
import { SOL_BANK, USDC_BANK, USDC_MINT } from './testing/bank-row.ts';
import { getJson as getFrom, startTestApi, watchesChanges } from './testing/start-test-api.ts';
import {
  accountWrite,
  activityWrite,
  bankWrite,
  measureWrites,
  priceWrite,
  sampleWrite,
  walletWrite,
  write,
} from './testing/tables.ts';

const nowMs = Math.floor(Date.now() / 1000) * 1000;
const slotTime = new Date(nowMs).toISOString();
/** How long the api waits for a follow: far longer than an answer takes, however busy the machine. */
const WAIT_MS = 6_000;

const database = useDatabase();
let api: RunningApi;

beforeAll(async () => {
  const { connectionString, db } = database;
  await write(db, {
    banks: [bankWrite(), bankWrite({ address: SOL_BANK, symbol: 'SOL', mint: SOL_MINT, decimals: 9 })],
    samples: [
      sampleWrite(nowMs, { priceUsd: '1' }),
      sampleWrite(nowMs, { bank: SOL_BANK, priceUsd: '150' }),
      sampleWrite(nowMs - 3_600_000, { bank: SOL_BANK, priceUsd: '140' }),
    ],
    prices: [priceWrite(nowMs, { priceUsd: '1' }), priceWrite(nowMs, { bank: SOL_BANK, priceUsd: '150' })],
  });
  await db.transaction().execute(async (transaction) => {
    await upsertBankMeasures(transaction, measureWrites(200n, slotTime));
    await advanceChainProgress(transaction, [{ tipSlot: 300n, tipTime: slotTime, rootSlot: 270n, source: 'localnet' }]);
  });
  api = await startTestApi(db, { FOLLOW_WAIT_MS: String(WAIT_MS) }, watchesChanges(connectionString));
});
afterAll(() => api.close());

const EMPTIED = [
  'followed_address',
  'index_progress',
  'balance',
  'account',
  'wallet_balance',
  'wallet',
  'activity_leg',
  'activity',
  'slot_finality',
] as const;
afterEach(async () => {
  for (const table of EMPTIED) await database.db.deleteFrom(table).execute();
});

const getJson = (path: string) => getFrom(api, path);

type AnswerFollow = Parameters<typeof answerFollows>[1][number];

/** What the indexer does once it was asked: publishes what it found, then the answer. */
async function answer(aspect: AnswerFollow['aspect'], address: string, accounts: readonly string[] = []) {
  await database.db.transaction().execute(async (transaction) => {
    const found = { address, aspect, accounts, isComplete: true, slot: 250n, slotTime };
    await answerFollows(transaction, [found]);
    await notifyProjected(transaction, { topic: 'address.followed.v1', keys: [address] });
  });
}

async function untilAsked(aspect: AnswerFollow['aspect'], address: string): Promise<void> {
  while ((await readFollow(database.db, address, aspect)) === null) await pause(5);
}

async function follow(aspect: AnswerFollow['aspect'], address: string, accounts: readonly string[] = []) {
  await requestFollow(database.db, { address, aspect, maxFollowed: 100 });
  await answer(aspect, address, accounts);
}

describe('an address that nobody followed', () => {
  it('is asked for, waited for, and answered as soon as it is there', async () => {
    const started = performance.now();
    const asking = getJson(`/v1/account/${WALLET}`);
    await untilAsked('accounts', WALLET);
    await answer('accounts', WALLET, [ACCOUNT]);
    // The account's own rows come by another topic, and may be later than the answer.
    await pause(50);
    await database.db.transaction().execute((transaction) => upsertAccounts(transaction, [accountWrite()]));
    const { status, body } = await asking;
    expect(status).toBe(200);
    const reply = positionsReplySchema.parse(body);
    expect(reply.coverage).toEqual({ complete: true, reason: null, banks_skipped: [] });
    expect(reply.accounts[0]).toMatchObject({ address: ACCOUNT, equity_usd: 900 });
    expect(reply.as_of).toMatchObject({ slot: 200, source: 'localnet' });
    expect(performance.now() - started).toBeLessThan(WAIT_MS);
  });

  it('is answered with what there is after a while, and is complete the next time', async () => {
    const started = performance.now();
    const first = positionsReplySchema.parse((await getJson(`/v1/account/${WALLET}`)).body);
    expect(performance.now() - started).toBeGreaterThanOrEqual(WAIT_MS - 20);
    expect(first).toMatchObject({ accounts: [], coverage: { complete: false } });
    await answer('accounts', WALLET);
    const second = positionsReplySchema.parse((await getJson(`/v1/account/${WALLET}`)).body);
    expect(second).toMatchObject({ accounts: [], coverage: { complete: true } });
  });

  it('needs no asking once all accounts were read', async () => {
    await database.db.transaction().execute(async (transaction) => {
      await upsertAccounts(transaction, [accountWrite()]);
      await upsertIndexProgress(transaction, [
        {
          task: 'accounts',
          kind: 'accounts',
          address: null,
          fromSlot: 300n,
          untilSlot: 0n,
          cursor: null,
          done: 1,
          total: 1,
          isComplete: true,
          source: 'localnet',
          slot: 300n,
          slotTime,
        },
      ]);
    });
    // How far the indexer came is remembered for a moment.
    await pause(600);
    await getJson('/v1/status');
    await getJson(`/v1/health/${ACCOUNT}`);
    await pause(1_000);
    const health = healthReplySchema.parse((await getJson(`/v1/health/${ACCOUNT}`)).body);
    expect(health).toMatchObject({ account: ACCOUNT, status: 'healthy' });
    expect((await getJson(`/v1/account/${OTHER_ACCOUNT}`)).body).toMatchObject({
      accounts: [],
      coverage: { complete: true },
    });
    expect(await readFollow(database.db, OTHER_ACCOUNT, 'accounts')).toBeNull();
  });

  it('that is a wallet is answered with its tokens', async () => {
    const asking = getJson(`/v1/wallet/${WALLET}`);
    await untilAsked('wallet', WALLET);
    await database.db.transaction().execute((transaction) => upsertWallets(transaction, [walletWrite({ slot: 250n })]));
    await answer('wallet', WALLET);
    const reply = walletReplySchema.parse((await asking).body);
    expect(reply.tokens.map(({ is_native_sol, value_usd }) => [is_native_sol, value_usd])).toEqual([
      [true, 375],
      [false, 150],
    ]);
    expect(reply.coverage.complete).toBe(true);
  });
});

describe('activity on real tables', () => {
  it('is priced by what was recorded then, and found by both sides of a liquidation', async () => {
    await follow('activity', WALLET, [ACCOUNT]);
    await follow('activity', LIQUIDATOR, [OTHER_ACCOUNT]);
    const leg = { shares: null, closesSide: false };
    const liquidation = activityWrite({
      signature: 'liquidated',
      kind: 'liquidation',
      actor: LIQUIDATOR,
      counterparty: OTHER_ACCOUNT,
      legs: [
        { ...leg, bank: SOL_BANK, mint: SOL_MINT, action: 'seize', amountBase: '1000000000' },
        { ...leg, bank: USDC_BANK, mint: USDC_MINT, action: 'repay', amountBase: '137000000' },
      ],
      liquidation: {
        liquidator: LIQUIDATOR,
        assetBank: SOL_BANK,
        liabilityBank: USDC_BANK,
        seizedBase: '1000000000',
        repaidBase: '137000000',
      },
      time: slotTime,
    });
    await database.db
      .transaction()
      .execute((transaction) =>
        insertActivities(transaction, [
          liquidation,
          activityWrite({ signature: 'hourAgo', slot: 9n, time: new Date(nowMs - 3_600_000 + 30_000).toISOString() }),
          activityWrite({ signature: 'unknown', slot: 8n, time: '2020-01-01T00:00:00Z' }),
        ]),
      );
    const list = async (address: string) =>
      activityReplySchema.parse((await getJson(`/v1/activity/${address}`)).body).activity ?? [];
    const found = await list(WALLET);
    expect(found.map(({ legs }) => legs[0]?.amount_usd)).toEqual([150, 140, null]);
    expect(found[0]?.liquidation?.penalty_usd).toBe(13);
    expect(await list(LIQUIDATOR)).toEqual([found[0]]);
  });
});

describe('/v1/status', () => {
  it('says how far the indexer is', async () => {
    await follow('wallet', WALLET);
    await requestFollow(database.db, { address: WALLET, aspect: 'activity', maxFollowed: 100 });
    const task = {
      task: `activity:${WALLET}:300`,
      kind: 'activity' as const,
      address: WALLET,
      fromSlot: 300n,
      untilSlot: 10n,
      cursor: { signature: 'S', slot: 120n },
      total: null,
      isComplete: false,
      source: 'localnet' as const,
    };
    const progress = (done: number, seconds: number) =>
      database.db.transaction().execute((transaction) =>
        upsertIndexProgress(transaction, [
          {
            ...task,
            done,
            slot: 300n + BigInt(seconds),
            slotTime: new Date(nowMs + seconds * 1000).toISOString(),
          },
        ]),
      );
    await progress(100, 0);
    const first = (await getJson('/v1/status')).body.indexer;
    expect(first).toMatchObject({
      tip: { slot: 300, source: 'localnet' },
      root_slot: 270,
      unfinal_slots: 30,
      accounts_complete: false,
      open_tasks: 1,
      tasks: [{ task: task.task, done: 100, total: null, rate_per_second: null, at_slot: 120, until_slot: 10 }],
      followed: { count: 2, unanswered: 1, limit: 10_000 },
    });
    await progress(150, 10);
    expect((await getJson('/v1/status')).body.indexer.tasks[0]).toMatchObject({ done: 150, rate_per_second: 5 });
  });
});
