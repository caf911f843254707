import type { ActivityPage, ActivityRow, BankRow, GroupChangePage, GroupChangeRow } from '@lending/store';
import { afterEach, describe, expect, it } from 'vitest';
import { activityReplySchema } from '#records/activity-fields.ts';
import { wireErrorSchema } from '#tools/wire-error-schema.ts';
import {
  ACCOUNT,
  accountRow,
  activityRow,
  BANKS,
  LIQUIDATOR,
  OTHER_ACCOUNT,
  SOL_MINT,
  TIP,
  WALLET,
} from '../testing/account-rows.ts';
import { kaminoRow, SOL_BANK, USDC_BANK, USDC_MINT } from '../testing/bank-row.ts';
import { answeredFollow, createAccountsApp, followRow, getJson } from '../testing/test-app.ts';

let asked: ActivityPage[] = [];
afterEach(() => {
  asked = [];
});

const PRICES: Readonly<Record<string, string>> = { [SOL_BANK]: '140.5', [USDC_BANK]: '1' };

type Store = NonNullable<Parameters<typeof createAccountsApp>[0]>['store'];

async function ask(rows: readonly ActivityRow[], query = '', store: Store = {}, address: string = WALLET) {
  const app = await createAccountsApp({
    accounts: [accountRow()],
    store: {
      readActivity: async (page) => {
        asked.push(page);
        return rows.slice(0, page.limit);
      },
      readActivityPrices: async (wanted) =>
        wanted.map(({ bank, time }) => ({ bank, time, price_usd: PRICES[bank] ?? null, exchange_rate: null })),
      ...store,
    },
  });
  return getJson(app, `/v1/activity/${address}${query}`);
}

async function list(rows: readonly ActivityRow[], query = '', store: Store = {}, address?: string) {
  const { status, body } = await ask(rows, query, store, address);
  expect(status).toBe(200);
  return activityReplySchema.parse(body);
}

const LEG = { shares: null, closes_side: false, premium_settled: null, premium_written_off: null } as const;
const liquidation = activityRow({
  id: 'L:0',
  kind: 'liquidation',
  actor: LIQUIDATOR,
  counterparty: OTHER_ACCOUNT,
  legs: [
    { ...LEG, bank: SOL_BANK, mint: SOL_MINT, action: 'seize', amount_base: '1000000000' },
    { ...LEG, bank: USDC_BANK, mint: USDC_MINT, action: 'repay', amount_base: '137000000' },
  ],
  liquidation: {
    liquidator: LIQUIDATOR,
    assetBank: SOL_BANK,
    liabilityBank: USDC_BANK,
    seizedBase: '1000000000',
    repaidBase: '137000000',
  },
});

describe('GET /v1/activity/{address}', () => {
  it('shows an activity whole, priced as of its time', async () => {
    const reply = await list([activityRow()]);
    expect(reply).toMatchObject({ count: 1, next_cursor: null, coverage: { complete: true } });
    expect(reply.as_of.slot).toBe(Number(TIP.tip_slot));
    expect(reply.activity?.[0]).toEqual({
      id: activityRow().id,
      signature: activityRow().signature,
      slot: 400_000_500,
      time: '2026-11-21T09:56:40.000Z',
      finality: 'finalized',
      kind: 'deposit',
      group_id: null,
      account: ACCOUNT,
      authority: WALLET,
      actor: WALLET,
      legs: [
        {
          bank: SOL_BANK,
          symbol: 'SOL',
          mint: SOL_MINT,
          venue: 'P0',
          side: 'lend',
          action: 'deposit',
          amount_ui: 2,
          amount_raw: '2000000000',
          amount_usd: 281,
          price_usd: 140.5,
          close_side: false,
          premium_settled_ui: null,
          premium_written_off_ui: null,
        },
      ],
      fee_sol: 0.000005,
      tip_sol: 0,
      liquidation: null,
      rebalance: null,
    });
  });

  it('says what of a repayment paid premium, and what was given up', async () => {
    const premium = { premium_settled: '410000', premium_written_off: '3000000' };
    const leg = {
      ...LEG,
      ...premium,
      bank: USDC_BANK,
      mint: USDC_MINT,
      action: 'repay',
      amount_base: '900000',
    } as const;
    const repayment = activityRow({ kind: 'repay', legs: [leg] });
    const shown = { amount_ui: 0.9, premium_settled_ui: 0.41, premium_written_off_ui: 3 };
    for (const format of ['concise', 'detailed']) {
      const reply = await list([repayment], `?response_format=${format}`);
      expect(reply.activity?.[0]?.legs[0]).toMatchObject(shown);
    }
  });

  it('says what a rebalance moved and what came of its tip', async () => {
    const rebalance = {
      order: OTHER_ACCOUNT,
      executor: LIQUIDATOR,
      record: OTHER_ACCOUNT,
      moved: '12.5',
      tipLamports: '70000',
      realized: null,
      settlement: null,
    };
    const settlement = { tipLamports: '0', realized: false };
    const rows = [
      { ...rebalance, settlement },
      { ...rebalance, moved: null, tipLamports: '5000', realized: true },
      rebalance,
    ].map((each) => activityRow({ kind: 'order', rebalance: each }));
    const common = { order: OTHER_ACCOUNT, executor: LIQUIDATOR };
    expect((await list(rows)).activity?.map(({ rebalance: shown }) => shown)).toEqual([
      { ...common, moved_ui: 12.5, tip_sol: 0.00007, tip_paid_sol: 0, realized: false },
      { ...common, moved_ui: null, tip_sol: null, tip_paid_sol: 0.000005, realized: true },
      { ...common, moved_ui: 12.5, tip_sol: 0.00007, tip_paid_sol: null, realized: null },
    ]);
  });

  describe('and changes', () => {
    const change = (kind: string, detail: GroupChangeRow['detail'], changes: Partial<GroupChangeRow> = {}) => ({
      id: 'S:1#0',
      slot: 400_000_500n,
      time: new Date('2026-11-21T09:56:40Z'),
      finality: 'confirmed' as const,
      kind,
      address: USDC_BANK,
      actor: WALLET,
      detail,
      ...changes,
    });
    const askFor = (rows: readonly GroupChangeRow[], query = '', address?: string) => {
      const questions: GroupChangePage[] = [];
      const store: Store = {
        listGroupChanges: async (page) => {
          questions.push(page);
          return rows;
        },
      };
      return { questions, reply: list([], query, store, address) };
    };

    it('are those of the liquidation tags of a wallet’s accounts, within the same time', async () => {
      const tag = { actor: null, finality: null, address: ACCOUNT, id: `${ACCOUNT}:5` };
      const rows = [
        change('liquidation_tag', { taggedAt: null, version: 'Infinity' }, tag),
        change('liquidation_tag', { taggedAt: '1791000000', version: '7' }, tag),
      ];
      const { questions, reply } = askFor(rows, '?since=2026-11-01T00:00:00Z&until=2026-11-30T00:00:00Z');
      const common = {
        id: `${ACCOUNT}:5`,
        slot: 400_000_500,
        time: '2026-11-21T09:56:40.000Z',
        finality: null,
        kind: 'liquidation_tag',
        address: ACCOUNT,
      };
      const { changes, count, empty_reason: reason } = await reply;
      expect(changes).toEqual([
        { ...common, tagged_at: null },
        { ...common, tagged_at: '2026-10-03T04:00:00.000Z' },
      ]);
      expect([count, reason]).toEqual([0, undefined]);
      const [since, until] = [new Date('2026-11-01'), new Date('2026-11-30')];
      expect(questions).toEqual([{ addresses: [WALLET, ACCOUNT], since, until, limit: 10 }]);
    });

    it.each([
      ['premium_sweep', { collectedBase: '12000000', outstandingBase: null }, { amount_ui: 12 }],
      [
        'premium_rate',
        { collateralTag: 3, liabilityTag: 4, oldRate: 0, newRate: 429_496_729 },
        { collateral_tag: 3, liability_tag: 4, rate_pct: expect.closeTo(100, 6), rate_before_pct: 0 },
      ],
      ['premium_tag', { premiumTag: 4, isActive: true }, { premium_tag: 4, premium_active: true }],
      [
        'breaker_trip',
        { tier: 2, deviationBps: '1250', haltStartedAt: '1790999000', haltEndedAt: '1791000000' },
        { tier: 2, deviation_pct: 12.5, halted_until: '2026-10-03T04:00:00.000Z' },
      ],
      ['breaker_clear', { tier: 2, isByAdmin: false }, { tier: 2, by_admin: false }],
      ['breaker_break', { trips: 3 }, {}],
      ['governance_admin', { previous: WALLET, next: ACCOUNT }, { admin: ACCOUNT, admin_before: WALLET }],
    ])('say of a bank what is of their kind: %s', async (kind, detail, own) => {
      const { questions, reply } = askFor([change(kind, detail)], '', USDC_BANK);
      const { changes } = await reply;
      expect(questions).toMatchObject([{ addresses: [USDC_BANK] }]);
      const { id, slot, time, finality, address, symbol, actor, ...rest } = changes?.[0] ?? {};
      expect([id, slot, time, finality]).toEqual(['S:1#0', 400_000_500, '2026-11-21T09:56:40.000Z', 'confirmed']);
      expect([address, symbol, actor]).toEqual([USDC_BANK, 'USDC', WALLET]);
      expect(rest).toEqual({ kind, ...own });
    });

    it('of a bank are as complete as what was read of everybody, and the address is not called wrong', async () => {
      const { coverage, empty_reason: reason } = await askFor([], '', USDC_BANK).reply;
      expect(coverage).toMatchObject({ complete: false, reason: expect.stringMatching(/since this service follows/) });
      expect(reason).toMatch(/^No change of a bank was read: changes of banks/);
    });

    it('are not asked for with a kind of activity, nor on later pages', async () => {
      const { questions, reply } = askFor([change('breaker_break', { trips: 3 })], '?kind=deposit');
      expect((await reply).changes).toBeUndefined();
      expect(questions).toEqual([]);
    });
  });

  it('says what a liquidation cost', async () => {
    const [entry] = (await list([liquidation])).activity ?? [];
    expect(entry?.liquidation).toEqual({
      liquidator: LIQUIDATOR,
      asset_bank: SOL_BANK,
      liability_bank: USDC_BANK,
      seized_ui: 1,
      repaid_ui: 137,
      penalty_usd: 3.5,
    });
    expect(entry?.legs.map(({ side, action }) => [side, action])).toEqual([
      ['lend', 'seize'],
      ['borrow', 'repay'],
    ]);
  });

  it('prices a liquidation whose legs stand elsewhere', async () => {
    const [entry] = (await list([{ ...liquidation, legs: [] }])).activity ?? [];
    expect(entry?.liquidation?.penalty_usd).toBe(3.5);
  });

  describe('of a liquidation that moved receipts', () => {
    const seize = (bankRow: BankRow, seizedBase: string, rate: string | null, changes: Partial<ActivityRow> = {}) => {
      const { address: bank } = bankRow;
      const [leg] = liquidation.legs;
      if (leg === undefined || liquidation.liquidation === null) throw new Error();
      const row = {
        ...liquidation,
        legs: [{ ...leg, bank, mint: bankRow.mint, amount_base: seizedBase }],
        liquidation: { ...liquidation.liquidation, assetBank: bank, seizedBase, repaidBase: '2000000' },
        ...changes,
      };
      return list([row], '', {
        listBanks: async () => [...BANKS, bankRow],
        readActivityPrices: async (wanted) =>
          wanted.map((one) => ({ ...one, price_usd: '1', exchange_rate: one.bank === bank ? rate : null })),
      });
    };
    const shown = async (...asked: Parameters<typeof seize>) => {
      const [entry] = (await seize(...asked)).activity ?? [];
      const { amount_ui, amount_raw, amount_usd } = entry?.legs[0] ?? {};
      return [amount_ui, amount_raw, amount_usd, entry?.liquidation?.seized_ui, entry?.liquidation?.penalty_usd];
    };

    it('says the tokens they were worth then', async () => {
      expect(await shown(kaminoRow(), '4000000', '1.25')).toEqual([5, '5000000', 5, 5, 3]);
    });

    it('counts those of Drift in nine decimals', async () => {
      const drift = kaminoRow({ venue: 'drift', asset_tag: 4 });
      expect(await shown(drift, '4000000000', '1.25')).toEqual([5, '5000000', 5, 5, 3]);
    });

    it('says nothing where nobody recorded what a receipt was worth', async () => {
      expect(await shown(kaminoRow(), '4000000', null)).toEqual([null, null, null, null, null]);
    });

    it('leaves alone tokens that a receiver withdrew', async () => {
      const receivership = { counterparty: null, group_id: 'L:0' };
      expect(await shown(kaminoRow(), '4000000', '1.25', receivership)).toEqual([4, '4000000', 4, 4, 2]);
    });
  });

  it('knows no dollars where no price was recorded then, and no amount of a bank that is gone', async () => {
    const unknown = await list([liquidation], '', {
      readActivityPrices: async (wanted) =>
        wanted.map(({ bank, time }) => ({ bank, time, price_usd: null, exchange_rate: null })),
    });
    expect(unknown.activity?.[0]?.legs[0]).toMatchObject({ amount_ui: 1, amount_usd: null, price_usd: null });
    expect(unknown.activity?.[0]?.liquidation?.penalty_usd).toBeNull();
    const gone = activityRow({
      legs: [{ ...LEG, bank: OTHER_ACCOUNT, mint: SOL_MINT, action: 'borrow', amount_base: '7', closes_side: true }],
    });
    expect((await list([gone])).activity?.[0]?.legs[0]).toMatchObject({
      symbol: null,
      venue: null,
      amount_ui: null,
      amount_raw: '7',
      side: 'borrow',
      close_side: true,
    });
  });

  it('asks for the wallet and its accounts, so that both sides of a liquidation find it', async () => {
    await list([]);
    expect(asked[0]?.addresses).toEqual([WALLET, ACCOUNT]);
  });

  it('has nobody followed where everybody’s accounts and past are whole, and waits for none', async () => {
    const followed: string[] = [];
    const whole = async (isPastWhole: boolean) => {
      const reply = await list([activityRow()], '', {
        readIndexTask: async () => ({ is_complete: true }) as never,
        isPastWhole: async () => isPastWhole,
        requestFollow: async ({ address, aspect }) => {
          followed.push(aspect);
          return { kind: 'known', follow: answeredFollow(address, aspect, [ACCOUNT]) };
        },
      });
      return reply;
    };
    expect((await whole(true)).coverage.complete).toBe(true);
    expect([followed, asked.at(-1)?.addresses]).toEqual([[], [WALLET, ACCOUNT]]);
    await whole(false);
    expect(followed).toEqual(['activity']);
  });

  it('hands on what it is asked for', async () => {
    await list([], '?kind=BORROW&since=2026-11-01&until=2026-11-02T12:00:00%2B02:00&limit=7');
    expect(asked[0]).toMatchObject({
      kinds: ['borrow'],
      since: new Date('2026-11-01T00:00:00Z'),
      until: new Date('2026-11-02T10:00:00Z'),
      limit: 8,
    });
  });

  it('takes times without seconds', async () => {
    await list([], '?since=2026-11-01T12:30Z&until=2026-11-02T12:00%2B02:00');
    expect(asked[0]).toMatchObject({
      since: new Date('2026-11-01T12:30:00Z'),
      until: new Date('2026-11-02T10:00:00Z'),
    });
  });

  it('pages on after the last activity shown, and refuses a cursor of another question', async () => {
    const rows = [activityRow(), activityRow({ id: 'b:0', instruction_index: 0, inner_index: 3, slot: 7n })];
    const first = await list(rows, '?limit=1');
    expect(first.count).toBe(1);
    await list([], `?limit=1&cursor=${first.next_cursor}`);
    expect(asked.at(-1)?.before).toEqual({
      slot: 400_000_500n,
      signature: activityRow().signature,
      instructionIndex: 2,
      innerIndex: null,
    });
    const other = await ask([], `?kind=repay&cursor=${first.next_cursor}`);
    expect(wireErrorSchema.parse(other.body).details).toMatchObject({ field: 'cursor' });
  });

  it.each([
    ['a slot that no chain reaches', ['9223372036854775808', activityRow().signature, 2, null]],
    ['what is no signature', ['7', 'a\0b', 2, null]],
    ['an instruction too many', ['7', activityRow().signature, 256, null]],
  ])('refuses a cursor made up of %s', async (_what, place) => {
    const { next_cursor: cursor } = await list([activityRow(), activityRow({ slot: 7n })], '?limit=1');
    const [version, question] = JSON.parse(Buffer.from(cursor ?? '', 'base64url').toString());
    const forged = Buffer.from(JSON.stringify([version, question, ...place])).toString('base64url');
    const { status, body } = await ask([], `?limit=1&cursor=${forged}`);
    expect(status).toBe(400);
    expect(wireErrorSchema.parse(body).details).toMatchObject({ field: 'cursor' });
  });

  it('says how far the past was read while it is', async () => {
    const reply = await list([activityRow()], '', {
      requestFollow: async ({ address, aspect }) => ({
        kind: 'known',
        follow: { ...answeredFollow(address, aspect, [ACCOUNT]), is_complete: false },
      }),
      listIndexProgress: async () => [
        {
          task: `activity:${WALLET}:9`,
          kind: 'activity',
          address: WALLET,
          from_slot: 9n,
          until_slot: 0n,
          cursor_signature: null,
          cursor_slot: null,
          done: 250n,
          total: null,
          is_complete: false,
          source: 'chain',
          slot: 9n,
          slot_time: new Date(),
        },
      ],
    });
    expect(reply.coverage).toMatchObject({ complete: false, reason: expect.stringContaining('250 transactions') });
  });

  it('says why nothing is listed', async () => {
    expect((await list([])).empty_reason).toMatch(/Nothing was done/);
    expect((await list([], '?kind=loop')).empty_reason).toMatch(/matches the filters/);
    const unread = await list([], '', {
      requestFollow: async ({ address, aspect }) => ({ kind: 'new', follow: followRow(address, aspect) }),
    });
    expect(unread.empty_reason).toMatch(/Nothing is known/);
    expect(unread.coverage.complete).toBe(false);
  });
});

describe('as csv', () => {
  it('is a line per leg; what belongs to the whole stands on the first', async () => {
    const app = await createAccountsApp({
      accounts: [accountRow()],
      store: {
        readActivity: async ({ limit }) =>
          [liquidation, activityRow({ legs: [], kind: 'create_account' })].slice(0, limit),
        readActivityPrices: async (wanted) =>
          wanted.map(({ bank, time }) => ({ bank, time, price_usd: PRICES[bank] ?? null, exchange_rate: null })),
      },
    });
    const response = await app.inject(`/v1/activity/${WALLET}?format=csv`);
    expect(response.headers['content-type']).toBe('text/csv; charset=utf-8');
    const lines = response.payload
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(','));
    const [header = [], ...rows] = lines;
    expect(rows).toHaveLength(3);
    expect(rows.every((row) => row.length === header.length)).toBe(true);
    const column = (name: string) => rows.map((row) => row[header.indexOf(name)]);
    expect(column('kind')).toEqual(['liquidation', 'liquidation', 'create_account']);
    expect(column('action')).toEqual(['seize', 'repay', '']);
    expect(column('penalty_usd')).toEqual(['3.5', '', '']);
    expect(column('fee_sol')).toEqual(['0.000005', '', '0.000005']);
  });

  it('hands the cursor on in a header', async () => {
    const app = await createAccountsApp({
      accounts: [accountRow()],
      store: {
        readActivity: async ({ limit }) => [activityRow(), activityRow({ slot: 3n })].slice(0, limit),
        readActivityPrices: async () => [],
      },
    });
    const response = await app.inject(`/v1/activity/${WALLET}?format=csv&limit=1`);
    expect(response.headers['x-next-cursor']).toMatch(/^[\w-]{20,}$/);
  });

  it('is another answer where the same lines have another page behind them', async () => {
    const rows = [activityRow()];
    const app = await createAccountsApp({
      accounts: [accountRow()],
      store: { readActivity: async ({ limit }) => rows.slice(0, limit), readActivityPrices: async () => [] },
    });
    const url = `/v1/activity/${WALLET}?format=csv&limit=1`;
    const last = await app.inject(url);
    expect(last.headers['x-next-cursor']).toBe('');
    rows.push(activityRow({ slot: 3n }));
    const { statusCode, headers, payload } = await app.inject({ url, headers: { 'if-none-match': last.headers.etag } });
    expect([statusCode, payload]).toEqual([200, last.payload]);
    expect(headers['x-next-cursor']).not.toBe('');
  });
});
