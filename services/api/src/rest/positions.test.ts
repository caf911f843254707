import { formatI80F48, parseI80F48, utilizationFromU32 } from '@lending/domain';
import { describe, expect, it } from 'vitest';
import { positionsReplySchema } from '#records/position-fields.ts';
import {
  ACCOUNT,
  accountRow,
  activityRow,
  BANKS,
  balanceRow,
  GROWN_LEDGER,
  LEDGER,
  LIQUIDATOR,
  MEASURES,
  measureRow,
  OTHER_ACCOUNT,
  priceColumn,
  SOL_MINT,
  TIP,
  UNEVEN_MEASURES,
  WALLET,
} from '../testing/account-rows.ts';
import { CHAIN_TIME_MS, KAMINO_BANK, kaminoRow, SOL_BANK, USDC_BANK, USDC_MINT } from '../testing/bank-row.ts';
import { type AccountsWorld, createAccountsApp, followRow, getJson } from '../testing/test-app.ts';

async function ask(world: AccountsWorld, address: string = WALLET, query = '') {
  const app = await createAccountsApp(world);
  const { status, body } = await getJson(app, `/v1/account/${address}${query}`);
  expect(status).toBe(200);
  return positionsReplySchema.parse(body);
}

async function only(world: AccountsWorld, query = '') {
  const reply = await ask(world, WALLET, query);
  const [account] = reply.accounts;
  if (account === undefined) throw new Error('no account');
  return { reply, account };
}

describe('GET /v1/account/{address}', () => {
  it('values what an account holds and owes', async () => {
    const { reply, account } = await only({ accounts: [accountRow()] });
    expect(reply).toMatchObject({ authority: WALLET, count: 1, next_cursor: null, coverage: { complete: true } });
    expect(account).toMatchObject({
      address: ACCOUNT,
      balance_slots_used: 2,
      balance_slots_max: 16,
      equity_usd: 900,
      assets_usd: 1500,
      liabilities_usd: 600,
      orders: [],
    });
    expect(account.leverage).toBeCloseTo(1500 / 900, 12);
    // 1,500 × 0.95 against 600 × 1.05.
    expect(account.health.health_ratio).toBeCloseTo(1425 / 630, 9);
    expect(account.health).toMatchObject({ status: 'healthy', oracle_issues: [] });
    expect(account.positions).toMatchObject([
      {
        bank: SOL_BANK,
        symbol: 'SOL',
        venue: 'P0',
        side: 'lend',
        amount_ui: 10,
        amount_raw: '10000000000',
        amount_usd: 1500,
      },
      { bank: USDC_BANK, symbol: 'USDC', side: 'borrow', amount_ui: 600, amount_raw: '600000000', max_withdraw_ui: 0 },
    ]);
  });

  it('sums its parts: weights, totals, net rate', async () => {
    const { account } = await only({ accounts: [accountRow()] });
    const [lend, borrow] = account.positions;
    expect([lend?.weight_maint, borrow?.weight_maint]).toEqual([0.95, 1.05]);
    expect(lend?.weighted_usd).toBeCloseTo((lend?.amount_usd ?? 0) * (lend?.weight_maint ?? 0), 6);
    expect(account.health.assets_usd_maint).toBe(lend?.weighted_usd);
    expect(account.health.liabilities_usd_maint).toBe(borrow?.weighted_usd);
    const earned = 1500 * (lend?.apy_pct ?? 0) - 600 * (borrow?.apy_pct ?? 0);
    expect(account.net_apy_pct).toBeCloseTo(earned / 900, 9);
  });

  it('says what can be borrowed and withdrawn, and what stops more', async () => {
    const { account } = await only({ accounts: [accountRow()] });
    const [sol, usdc] = [SOL_BANK, USDC_BANK].map((bank) => account.max_borrow?.find((entry) => entry.bank === bank));
    // 1,500 × 0.9 less 600 × 1.1, over 1.1 a dollar; SOL is lent already, and a deposit is not a debt.
    expect(usdc).toMatchObject({ amount_ui: 627.272727, limited_by: 'health' });
    expect(sol).toMatchObject({ amount_ui: 0, limited_by: 'balance' });
    // What 660 of debt leaves free of 1,350: 690 over 135 a token.
    expect(account.positions[0]).toMatchObject({ max_withdraw_ui: 5.111111111, max_withdraw_limited_by: 'health' });
  });

  describe('with deposits and debts that nothing has touched for an hour', () => {
    const HOUR = 3_600;
    const measuredAt = Number(LEDGER.lastUpdate);
    const totals = { totalAssetShares: '1000000000000000', totalLiabilityShares: '500000000000000' };
    const sol = measureRow({
      ...{ bank: SOL_BANK, price: priceColumn('150'), vault_base: '500000000000000' },
      ledger: { ...GROWN_LEDGER, ...totals },
    });
    const untouched: AccountsWorld = {
      accounts: [accountRow()],
      store: { listBankMeasures: async () => [measureRow({ ledger: GROWN_LEDGER }), sol] },
    };

    it('says what the program takes: it brings the interest of the bank acted on up to date, and of no other', async () => {
      const { account } = await only(untouched);
      const usdc = account.max_borrow?.find(({ bank }) => bank === USDC_BANK);
      // 10 SOL as stored, 1,350; 600.012 owed.
      expect(usdc).toMatchObject({ amount_ui: 627.260727, limited_by: 'health' });
      // 10.0001 SOL by now, and 600 owed as stored: 690.0135 over 135.
      expect(account.positions[0]).toMatchObject({ max_withdraw_ui: 5.111211111, max_withdraw_limited_by: 'health' });
    });

    it('has no interest in its amounts of a time after as_of', async () => {
      const tip = { ...TIP, tip_slot: 400_000_999n, tip_time: new Date((measuredAt - HOUR / 2) * 1_000) };
      const { account, reply } = await only({
        ...untouched,
        store: { ...untouched.store, readChainProgress: async () => tip },
      });
      expect(Date.parse(reply.as_of.time) / 1_000).toBe(measuredAt - HOUR / 2);
      expect(account.positions.map(({ amount_raw: raw }) => raw)).toEqual(['10000049999', '600005999']);
    });

    it('has it in each account up to the oldest measure of that account', async () => {
      const debt = balanceRow({ bank: USDC_BANK, asset_shares: '0', liability_shares: '600000000' });
      const { accounts, as_of: asOf } = await ask({
        accounts: [accountRow({ balances: [debt] }), accountRow({ address: OTHER_ACCOUNT })],
        store: { listBankMeasures: async () => UNEVEN_MEASURES },
      });
      expect(Date.parse(asOf.time) / 1_000).toBe(measuredAt - HOUR / 2);
      expect(accounts.map(({ positions }) => positions.map(({ amount_raw: raw }) => raw))).toEqual([
        ['600011999'],
        ['10000049999', '600005999'],
      ]);
    });
  });

  it('lets all of a deposit go where nothing is owed', async () => {
    const { account } = await only({ accounts: [accountRow({ balances: [balanceRow()] })] });
    expect(account.positions[0]).toMatchObject({ max_withdraw_ui: 10, max_withdraw_limited_by: 'balance' });
    expect(account.health).toMatchObject({ status: 'healthy', health_factor: 1, health_ratio: null });
  });

  it('names the price that liquidates, from both sides', async () => {
    const { account } = await only({ accounts: [accountRow()] });
    // 630 of weighted debt over 10 × 0.95; 1,425 over 600 × 1.05.
    expect(account.positions[0]?.liquidation_price_usd).toBeCloseTo(66.31579, 4);
    expect(account.positions[0]?.price_change_to_liquidation_pct).toBeCloseTo(-55.789, 2);
    expect(account.positions[1]?.liquidation_price_usd).toBeCloseTo(2.2619, 4);
    expect(account.health.weakest).toMatchObject({ bank: SOL_BANK, symbol: 'SOL' });
  });

  it('counts a venue’s receipts in tokens, and caps them by what the venue lets out', async () => {
    const kamino = kaminoRow({ reserve_withdraw_room_base: '300000000' });
    const receipts = { ...LEDGER, depositLimit: '2000000000000' };
    const world: AccountsWorld = {
      accounts: [
        accountRow({ balances: [balanceRow({ bank: KAMINO_BANK, asset_tag: 3, asset_shares: '800000001' })] }),
      ],
      store: {
        listBanks: async () => [...BANKS, kamino],
        listBankMeasures: async () => [
          ...MEASURES,
          measureRow({ bank: KAMINO_BANK, ledger: receipts, price: priceColumn('1.25'), vault_base: '900000000' }),
        ],
      },
    };
    const { account } = await only(world);
    // 800.000001 receipts at 1.25, the part of a unit cut off; the reserve has 300 to give.
    expect(account.positions[0]).toMatchObject({
      venue: 'Kamino',
      amount_raw: '1000000001',
      amount_ui: 1000.000001,
      max_withdraw_ui: 300,
      max_withdraw_limited_by: 'liquidity',
    });
    expect(account.positions[0]?.amount_usd).toBeCloseTo(1000.00000125, 9);
    expect(account.max_borrow?.map(({ bank }) => bank)).not.toContain(KAMINO_BANK);
  });

  it.each([
    // 83 receipts pay 103 tokens, 84 of them 105.
    ['Kamino', 'kamino', 3, 0.000103],
    // 104 tokens are named, whatever receipts they take.
    ['JupLend', 'juplend', 6, 0.000104],
  ] as const)(
    'holds a bank’s window of 104 tokens against what a withdrawal on %s names',
    async (word, venue, tag, most) => {
      const hourly = {
        ...LEDGER.rateLimiter.hourly,
        maxOutflow: '104',
        windowDuration: '3600',
        windowStart: LEDGER.lastUpdate,
      };
      const ledger = { ...LEDGER, rateLimiter: { ...LEDGER.rateLimiter, hourly } };
      const { account } = await only({
        accounts: [
          accountRow({ balances: [balanceRow({ bank: KAMINO_BANK, asset_tag: tag, asset_shares: '800000001' })] }),
        ],
        store: {
          listBanks: async () => [...BANKS, kaminoRow({ venue, asset_tag: tag })],
          listBankMeasures: async () => [
            ...MEASURES,
            measureRow({ bank: KAMINO_BANK, ledger, price: priceColumn('1.25'), vault_base: '900000000' }),
          ],
        },
      });
      expect(account.positions[0]).toMatchObject({
        venue: word,
        max_withdraw_ui: most,
        max_withdraw_limited_by: 'rate_limit',
      });
    },
  );

  it('names flags that are not known, and values the account all the same', async () => {
    const known = await ask({ accounts: [accountRow({ flags: (1n << 8n).toString() })] });
    expect(known.coverage).toMatchObject({ complete: true, reason: null });
    const reply = await ask({ accounts: [accountRow({ flags: (1n << 40n).toString() })] });
    expect(reply.coverage).toMatchObject({
      complete: false,
      reason: `account ${ACCOUNT} has flags that are not known here`,
    });
    expect(reply.accounts[0]?.positions[0]?.amount_usd).toBeGreaterThan(0);
  });

  it('gives a wallet with several accounts all of them, by address', async () => {
    const accounts = [accountRow(), accountRow({ address: OTHER_ACCOUNT, balances: [] })];
    const reply = await ask({ accounts });
    expect(reply.accounts.map(({ address }) => address)).toEqual([ACCOUNT, OTHER_ACCOUNT]);
    expect(reply.accounts[1]).toMatchObject({ positions: [], equity_usd: 0, health: { status: 'healthy' } });
    expect(reply.accounts[1]?.leverage).toBeNull();
    const one = await ask({ accounts }, OTHER_ACCOUNT);
    expect(one.accounts.map(({ address }) => address)).toEqual([OTHER_ACCOUNT]);
    expect(one.authority).toBe(WALLET);
  });

  it('leaves dust out, which takes a slot all the same', async () => {
    const dust = balanceRow({ slot_index: 2, bank: USDC_BANK, asset_shares: '0.5', liability_shares: '0' });
    const { account } = await only({ accounts: [accountRow({ balances: [balanceRow(), dust] })] });
    expect(account.positions).toHaveLength(1);
    expect(account.balance_slots_used).toBe(2);
  });

  it('shows standing orders with the banks they are about', async () => {
    const balances = accountRow().balances.map((row, index) => ({ ...row, order_tag: index + 7 }));
    const order = {
      address: OTHER_ACCOUNT,
      account: ACCOUNT,
      trigger: 'stop_loss' as const,
      stop_loss: '1.5',
      take_profit: null,
      max_slippage: formatI80F48(utilizationFromU32(42_949_672)),
      tags: [7, 8],
    };
    const toRebalance = {
      address: LIQUIDATOR,
      account: ACCOUNT,
      mint: SOL_MINT,
      banks: [SOL_BANK, USDC_BANK],
      min_improvement: formatI80F48(parseI80F48('0.07')),
      cooldown_seconds: '86400',
      amount_base: '18446744073709551615',
      keeper_tip_lamports: '10000',
      last_executed_at: '1791000000',
      fee_pool_lamports: '1890880',
      executions: [
        activityRow({
          kind: 'order',
          legs: [SOL_BANK, USDC_BANK, SOL_BANK].flatMap((bank) => activityRow().legs.map((leg) => ({ ...leg, bank }))),
          rebalance: {
            order: LIQUIDATOR,
            executor: WALLET,
            record: null,
            moved: '2',
            tipLamports: '5000',
            realized: null,
            settlement: { realized: true, tipLamports: '5000' },
          },
        }),
      ],
    };
    const { account } = await only({
      accounts: [accountRow({ active_orders: 2, balances })],
      store: { readOrdersOf: async () => [order], readRebalanceOrdersOf: async () => [toRebalance] },
    });
    expect(account.orders).toEqual([
      {
        address: OTHER_ACCOUNT,
        trigger: 'stop_loss',
        stop_loss: 1.5,
        take_profit: null,
        max_slippage_pct: 1,
        banks: [SOL_BANK, USDC_BANK],
      },
    ]);
    expect(account.rebalance_orders).toEqual([
      {
        address: LIQUIDATOR,
        mint: SOL_MINT,
        banks: [SOL_BANK, USDC_BANK],
        min_improvement_pct: 7,
        cooldown_seconds: 86_400,
        max_amount_raw: '18446744073709551615',
        keeper_tip_sol: 0.000_01,
        fee_pool_sol: 0.001_890_88,
        last_executed_at: '2026-10-03T04:00:00.000Z',
        executions: [
          {
            id: activityRow().id,
            time: activityRow().time.toISOString(),
            banks: [SOL_BANK, USDC_BANK],
            executor: WALLET,
            moved_ui: 2,
            tip_sol: 0.000_005,
            tip_paid_sol: 0.000_005,
            realized: true,
          },
        ],
      },
    ]);
  });

  it('is as old as the tip or the oldest measure it was valued with', async () => {
    const { reply } = await only({ accounts: [accountRow()] });
    expect(reply.as_of).toMatchObject({ slot: 400_001_000, age_seconds: 5, stale: false });
    const late = await ask({ accounts: [accountRow()], now: () => CHAIN_TIME_MS + 33_000 });
    expect(late.as_of.stale).toBe(true);
    expect(late.warnings.map(({ code }) => code)).toContain('DATA_STALE');
    const followed = {
      accounts: [accountRow()],
      now: () => CHAIN_TIME_MS + 121_000,
      store: { readChainProgress: async () => ({ ...TIP, tip_time: new Date(CHAIN_TIME_MS + 120_000) }) },
    };
    expect((await ask(followed)).as_of).toMatchObject({ age_seconds: 121, stale: true });
    expect((await ask({ ...followed, now: () => CHAIN_TIME_MS + 119_000 })).as_of).toMatchObject({ stale: false });
  });

  it('keeps an answer to an agent short: ten borrows, no weights, figures to six digits', async () => {
    const { account } = await only({ accounts: [accountRow()] }, '?detail=concise');
    expect(account.positions[0]).not.toHaveProperty('mint');
    expect(account.health).not.toHaveProperty('assets_usd_maint');
    expect(account.positions[0]?.liquidation_price_usd).toBe(66.3158);
    expect(account.positions[0]?.amount_raw).toBe('10000000000');
    expect(account.max_borrow).toEqual([
      { bank: USDC_BANK, symbol: 'USDC', amount_ui: 627.272727, amount_usd: 627.273, limited_by: 'health' },
    ]);
  });
});

describe('what is not known', () => {
  const stale = measureRow({ bank: SOL_BANK, price: { error: 'PythPushStalePrice' } });

  it('still answers with a stale oracle, names the bank, and calls nothing healthy', async () => {
    const { reply, account } = await only({
      accounts: [accountRow()],
      store: { listBankMeasures: async () => [measureRow(), stale] },
    });
    expect(account.health).toMatchObject({
      status: 'unknown',
      health_factor: null,
      health_ratio: null,
      health_usd: null,
      oracle_issues: [{ bank: SOL_BANK, symbol: 'SOL', side: 'lend', reason: 'PythPushStalePrice' }],
    });
    expect(account).toMatchObject({ equity_usd: null, assets_usd: null, leverage: null, net_apy_pct: null });
    expect(account.positions[0]).toMatchObject({ amount_ui: 10, amount_usd: null, weighted_usd: null });
    expect(account.positions[1]).toMatchObject({ amount_usd: 600 });
    expect(reply.warnings).toContainEqual(expect.objectContaining({ code: 'ORACLE_STALE', bank: SOL_BANK }));
  });

  it('counts a stale collateral as nothing for new debt, as the program does', async () => {
    const { account } = await only({
      accounts: [accountRow({ balances: [balanceRow()] })],
      store: { listBankMeasures: async () => [measureRow(), stale] },
    });
    expect(account.health).toMatchObject({ health_factor: 1, assets_usd_init: 0, free_collateral_usd: 0 });
    expect(account.max_borrow?.find(({ bank }) => bank === USDC_BANK)).toMatchObject({
      amount_ui: 0,
      limited_by: 'health',
    });
  });

  it('lends nothing where a debt would bear a premium that a missing price keeps from being set', async () => {
    const receipts = balanceRow({ bank: KAMINO_BANK, slot_index: 1, asset_tag: 3, asset_shares: '800000000' });
    const lendable = async (isActive: boolean) => {
      const premium = { tag: 9, isActive, activatedAt: '0' };
      const { account } = await only({
        accounts: [accountRow({ balances: [balanceRow(), receipts] })],
        store: {
          listBanks: async () => [...BANKS, kaminoRow()],
          listBankMeasures: async () => [
            measureRow({ ledger: { ...LEDGER, premium } }),
            stale,
            measureRow({ bank: KAMINO_BANK, price: priceColumn('1.25') }),
          ],
        },
      });
      return account.max_borrow?.find(({ bank }) => bank === USDC_BANK);
    };
    expect((await lendable(false))?.amount_ui).toBeGreaterThan(0);
    expect(await lendable(true)).toMatchObject({ amount_ui: 0, amount_usd: 0, limited_by: 'health' });
  });

  it('names a bank nobody measured, leaves the others intact, and does not value the account', async () => {
    const { reply, account } = await only({
      accounts: [accountRow()],
      store: { listBankMeasures: async () => [measureRow()] },
    });
    expect(reply.coverage).toMatchObject({ complete: false, banks_skipped: [{ bank: SOL_BANK }] });
    expect(account.health).toMatchObject({ status: 'unknown', health_factor: null });
    expect(account.max_borrow).toBeNull();
    expect(account.positions).toMatchObject([
      { bank: USDC_BANK, amount_ui: 600 },
      { bank: SOL_BANK, symbol: 'SOL', amount_ui: null, amount_usd: null, max_withdraw_ui: null },
    ]);
  });

  it('skips a measure that cannot be read and serves the others', async () => {
    const { account } = await only({
      accounts: [accountRow()],
      store: {
        listBankMeasures: async () => [measureRow(), measureRow({ bank: SOL_BANK, ledger: { nothing: true } })],
      },
    });
    expect(account.positions.map(({ amount_ui }) => amount_ui)).toEqual([600, null]);
  });

  it('knows no limits where the vault or the group could not be read', async () => {
    const { account } = await only({
      accounts: [accountRow()],
      store: { listBankMeasures: async () => MEASURES.map((row) => ({ ...row, group: null })) },
    });
    expect(account.positions[0]).toMatchObject({ max_withdraw_ui: null, max_withdraw_limited_by: null });
    expect(account.max_borrow?.[0]).toMatchObject({ amount_ui: null, amount_usd: null, limited_by: null });
    expect(account.health.status).toBe('healthy');
  });
});

describe('an address that is not simply there', () => {
  it('without accounts is an empty list with a reason, and what to call instead', async () => {
    const reply = await ask({});
    expect(reply).toMatchObject({ authority: null, accounts: [], count: 0, coverage: { complete: true } });
    expect(reply.empty_reason).toMatch(/No lending account/);
    expect(reply.next_actions[0]).toMatchObject({ tool: 'svc_get_wallet', args: { address: WALLET } });
  });

  it('that nobody read yet answers with what there is, and says so', async () => {
    const reply = await ask({
      accounts: [],
      store: { requestFollow: async ({ address, aspect }) => ({ kind: 'new', follow: followRow(address, aspect) }) },
    });
    expect(reply.coverage).toMatchObject({ complete: false, reason: expect.stringMatching(/being read/) });
    expect(reply.empty_reason).toMatch(/Nothing is known/);
  });

  it('that was closed says so', async () => {
    const reply = await ask({ accounts: [accountRow({ is_closed: true, balances: [] })] }, ACCOUNT);
    expect(reply.accounts).toEqual([]);
    expect(reply.empty_reason).toMatch(/was closed/);
  });

  it('that was moved names where to', async () => {
    const reply = await ask(
      { accounts: [accountRow({ is_closed: true, migrated_to: OTHER_ACCOUNT, balances: [] })] },
      ACCOUNT,
    );
    expect(reply.empty_reason).toContain(OTHER_ACCOUNT);
  });

  it.each([
    ['11111111111111111111111111111111', /the System program/],
    [USDC_MINT, /a token mint/],
    [SOL_MINT, /a token mint/],
    [USDC_BANK, /a bank/],
  ])('%s is recognised, and nobody follows it', async (address, reason) => {
    const reply = await ask(
      {
        store: {
          requestFollow: async () => {
            throw new Error('followed');
          },
        },
      },
      address,
    );
    expect(reply.empty_reason).toMatch(reason);
    expect(reply.coverage.complete).toBe(true);
    expect(reply.next_actions).toMatchObject([{ tool: 'svc_get_banks' }]);
  });
});
