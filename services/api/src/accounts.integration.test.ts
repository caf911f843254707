import { setTimeout as pause } from 'node:timers/promises';
import { createLogger, createMetrics, parseConfig } from '@lending/runtime';
import {
  advanceChainProgress,
  answerFollows,
  dropSlots,
  finalizeSlots,
  insertActivities,
  listenProjected,
  notifyProjected,
  readFollow,
  requestFollow,
  upsertAccounts,
  upsertBankMeasures,
  upsertIndexProgress,
  upsertWallets,
} from '@lending/store';
import { NAMED_HANG, RAISED_RATE_LIMITS, useDatabase } from '@lending/testing';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { activityReplySchema } from '#records/activity-fields.ts';
import { healthReplySchema } from '#records/health-fields.ts';
import { positionsReplySchema } from '#records/position-fields.ts';
import { walletReplySchema } from '#records/wallet-fields.ts';
import { apiSettings } from './config.ts';
import { type RunningApi, startApi } from './start-api.ts';
import { createAbsentNode } from './testing/absent-node.ts';
import { ACCOUNT, LIQUIDATOR, OTHER_ACCOUNT, SOL_MINT, WALLET } from './testing/account-rows.ts';
import { accountWrite, activityWrite, measureWrites, walletWrite } from './testing/account-tables.ts';
import { SOL_BANK, USDC_BANK, USDC_MINT } from './testing/bank-row.ts';
import { bankWrite, priceWrite, sampleWrite, write } from './testing/tables.ts';

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
  api = await startApi({
    config: parseConfig(apiSettings, { API_PORT: '0', ...RAISED_RATE_LIMITS, FOLLOW_WAIT_MS: String(WAIT_MS) }),
    logger: createLogger({ level: 'silent', name: 'test' }),
    metrics: createMetrics(),
    chain: createAbsentNode(),
    version: '0.1.0',
    db,
    watchChanges: async (onChange) => {
      const listener = listenProjected({ connectionString, onProjected: onChange, onListening: onChange });
      return () => listener.stop();
    },
  });
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
async function empty(tables: readonly (typeof EMPTIED)[number][] = EMPTIED): Promise<void> {
  for (const table of tables) await database.db.deleteFrom(table).execute();
}
afterEach(() => empty());

async function getJson(path: string) {
  const response = await fetch(api.url + path);
  return { status: response.status, body: JSON.parse(await response.text()) };
}

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

interface Place {
  readonly slot: bigint;
  readonly transaction: number;
  readonly instructionIndex: number;
  readonly innerIndex: number | null;
}

describe('activity on real tables', () => {
  const insert = (activities: readonly ReturnType<typeof activityWrite>[]) =>
    database.db.transaction().execute((transaction) => insertActivities(transaction, activities));
  const list = async (query = '', address = WALLET) => {
    const { status, body } = await getJson(`/v1/activity/${address}${query}`);
    expect(status).toBe(200);
    return activityReplySchema.parse(body);
  };

  it('is priced by what was recorded then', async () => {
    await follow('activity', WALLET, [ACCOUNT]);
    await insert([
      activityWrite({ signature: 'now', slot: 10n, time: slotTime }),
      activityWrite({ signature: 'hourAgo', slot: 9n, time: new Date(nowMs - 3_600_000 + 30_000).toISOString() }),
      activityWrite({ signature: 'unknown', slot: 8n, time: '2020-01-01T00:00:00Z' }),
    ]);
    const { activity } = await list();
    expect(activity?.map(({ legs }) => legs[0]?.amount_usd)).toEqual([150, 140, null]);
  });

  it('is found by both sides of a liquidation, and once where both are one wallet’s', async () => {
    await follow('activity', WALLET, [ACCOUNT]);
    await follow('activity', LIQUIDATOR, [OTHER_ACCOUNT]);
    await insert([
      activityWrite({
        signature: 'liquidated',
        kind: 'liquidation',
        actor: LIQUIDATOR,
        counterparty: OTHER_ACCOUNT,
        legs: [
          {
            bank: SOL_BANK,
            mint: SOL_MINT,
            action: 'seize',
            amountBase: '1000000000',
            shares: null,
            closesSide: false,
          },
          {
            bank: USDC_BANK,
            mint: USDC_MINT,
            action: 'repay',
            amountBase: '137000000',
            shares: null,
            closesSide: false,
          },
        ],
        liquidation: {
          liquidator: LIQUIDATOR,
          assetBank: SOL_BANK,
          liabilityBank: USDC_BANK,
          seizedBase: '1000000000',
          repaidBase: '137000000',
        },
        time: slotTime,
      }),
    ]);
    for (const address of [WALLET, ACCOUNT, LIQUIDATOR, OTHER_ACCOUNT]) {
      if (address === ACCOUNT || address === OTHER_ACCOUNT) await follow('activity', address, [address]);
      const reply = await list('', address);
      expect(
        reply.activity?.map(({ liquidation }) => liquidation?.penalty_usd),
        address,
      ).toEqual([13]);
    }
  });

  it('rises to final, and is gone with its fork', async () => {
    await follow('activity', WALLET);
    await insert([
      activityWrite({ signature: 'kept', slot: 20n, finality: 'confirmed' }),
      activityWrite({ signature: 'dropped', slot: 21n, finality: 'confirmed' }),
    ]);
    const finality = async () => (await list()).activity?.map((entry) => [entry.id, entry.finality]);
    expect(await finality()).toEqual([
      ['dropped:0', 'confirmed'],
      ['kept:0', 'confirmed'],
    ]);
    await database.db.transaction().execute(async (transaction) => {
      await finalizeSlots(transaction, [20n]);
      await dropSlots(transaction, [21n]);
    });
    expect(await finality()).toEqual([['kept:0', 'finalized']]);
  });

  it('is paged while rows arrive: none repeated, none lost', async () => {
    await follow('activity', WALLET);
    const place: fc.Arbitrary<Place> = fc.record({
      slot: fc.bigInt({ min: 1n, max: 6n }),
      transaction: fc.integer({ min: 0, max: 3 }),
      instructionIndex: fc.integer({ min: 0, max: 2 }),
      innerIndex: fc.option(fc.integer({ min: 0, max: 1 })),
    });
    const places = fc.uniqueArray(place, {
      minLength: 1,
      maxLength: 25,
      selector: ({ slot, transaction, instructionIndex, innerIndex }) =>
        `${slot} ${transaction} ${instructionIndex} ${innerIndex}`,
    });
    const toWrite = ({ slot, transaction, instructionIndex, innerIndex }: Place) =>
      activityWrite({ signature: `S${slot}T${transaction + 1}`, slot, instructionIndex, innerIndex });
    await fc.assert(
      fc.asyncProperty(places, fc.nat(), fc.integer({ min: 1, max: 5 }), async (all, split, limit) => {
        await empty(['activity_leg', 'activity', 'slot_finality']);
        const rows = all.map(toWrite);
        const before = rows.slice(0, (split % rows.length) + 1);
        const later = rows.slice(before.length);
        await insert(before);
        const seen: string[] = [];
        let cursor: string | null = null;
        do {
          const page: Awaited<ReturnType<typeof list>> = await list(
            `?limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`,
          );
          seen.push(...(page.activity ?? []).map(({ id }) => id));
          cursor = page.next_cursor;
          const arriving = later.splice(0, 3);
          if (arriving.length > 0) await insert(arriving);
        } while (cursor !== null);
        expect(new Set(seen).size).toBe(seen.length);
        expect(seen).toEqual(expect.arrayContaining(before.map(({ id }) => id)));
      }),
      { numRuns: 40, ...NAMED_HANG },
    );
  });

  it('finds what a filter matches, and nothing else', async () => {
    await follow('activity', WALLET);
    await insert([
      activityWrite({ signature: 'a', slot: 1n, time: '2026-11-01T00:00:00Z', kind: 'borrow' }),
      activityWrite({ signature: 'b', slot: 2n, time: '2026-11-02T00:00:00Z', kind: 'borrow' }),
      activityWrite({ signature: 'c', slot: 3n, time: '2026-11-03T00:00:00Z' }),
    ]);
    const ids = async (query: string) => (await list(query)).activity?.map(({ id }) => id);
    expect(await ids('?kind=borrow')).toEqual(['b:0', 'a:0']);
    expect(await ids('?since=2026-11-02T00:00:00Z')).toEqual(['c:0', 'b:0']);
    expect(await ids('?until=2026-11-02T00:00:00Z')).toEqual(['a:0']);
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
