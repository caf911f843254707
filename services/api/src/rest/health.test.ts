import { describe, expect, it } from 'vitest';
import { healthReplySchema } from '#records/health-fields.ts';
import { wireErrorSchema } from '#tools/wire-error-schema.ts';
import {
  ACCOUNT,
  accountRow,
  balanceRow,
  LEDGER,
  MEASURES,
  measureRow,
  OTHER_ACCOUNT,
  priceColumn,
  WALLET,
} from '../testing/account-rows.ts';
import { CHAIN_TIME_MS, SOL_BANK, USDC_BANK } from '../testing/bank-row.ts';
import { type AccountsWorld, createAccountsApp, followRow, getJson } from '../testing/test-app.ts';

async function ask(world: AccountsWorld, path: string) {
  const app = await createAccountsApp(world);
  return getJson(app, path);
}

async function health(world: AccountsWorld = { accounts: [accountRow()] }, query = '') {
  const { status, body } = await ask(world, `/v1/health/${ACCOUNT}${query}`);
  expect(status).toBe(200);
  return healthReplySchema.parse(body);
}

async function refused(world: AccountsWorld, path: string, status: number) {
  const reply = await ask(world, path);
  expect(reply.status).toBe(status);
  return wireErrorSchema.parse(reply.body);
}

/** Ten SOL at 0.95 are 1,425; so many dollars of debt at 1.05 against them. */
const owing = (usd: string) =>
  accountRow({
    balances: [balanceRow(), balanceRow({ bank: USDC_BANK, slot_index: 1, asset_shares: '0', liability_shares: usd })],
  });

describe('GET /v1/health/{account}', () => {
  it('says how far an account is from liquidation', async () => {
    const reply = await health();
    expect(reply).toMatchObject({
      account: ACCOUNT,
      authority: WALLET,
      status: 'healthy',
      weakest: { bank: SOL_BANK },
    });
    expect(reply.health_ratio).toBeCloseTo(1425 / 630, 9);
    expect(reply.health_factor).toBeCloseTo(1 - 630 / 1425, 9);
    expect(reply.health_usd).toBeCloseTo(795, 6);
    expect(reply.assets_usd_init).toBeCloseTo(1350, 6);
    expect(reply.free_collateral_usd).toBeCloseTo(690, 6);
    expect(reply).not.toHaveProperty('repair');
    expect(reply.liquidation_tagged_at).toBeNull();
  });

  it('counts the premium of a debt, claimed and since, where its bank charges one', async () => {
    const day = { premium_rate: 429_496_729, last_update: String(CHAIN_TIME_MS / 1000 - 86_400) };
    const debt = { bank: USDC_BANK, slot_index: 1, asset_shares: '0', liability_shares: '600000000' };
    const accounts = [
      accountRow({ balances: [balanceRow(), balanceRow({ ...debt, ...day, premium_outstanding: '100000000' })] }),
    ];
    const charging = (isActive: boolean) => {
      const premium = { tag: 4, isActive, activatedAt: '1' };
      const banks = [measureRow({ ledger: { ...LEDGER, premium } }), ...MEASURES.slice(1)];
      return health({ accounts, store: { listBankMeasures: async () => banks } });
    };
    // 100 claimed, and a day of 100 % a year on 600, at 1.05.
    expect((await charging(true)).health_usd).toBeCloseTo(795 - 1.05 * (100 + 600 / 365), 5);
    expect((await charging(false)).health_usd).toBeCloseTo(795, 6);
  });

  it('says since when an account is tagged for liquidation', async () => {
    const reply = await health({ accounts: [accountRow({ liquidation_tagged_at: 1_791_000_000n })] });
    expect(reply.liquidation_tagged_at).toBe('2026-10-03T04:00:00.000Z');
  });

  it.each([
    ['678571428', 'healthy'],
    ['678571429', 'moderate'],
    ['1085714285', 'moderate'],
    ['1085714286', 'warning'],
    ['1233766233', 'warning'],
    ['1233766234', 'critical'],
    ['1357142857', 'critical'],
    ['1357142858', 'liquidatable'],
  ])('calls a debt of %s base units %s', async (debt, status) => {
    expect((await health({ accounts: [owing(debt)] })).status).toBe(status);
  });

  it('is 1 without debt, without a ratio', async () => {
    const reply = await health({ accounts: [accountRow({ balances: [balanceRow()] })] });
    expect(reply).toMatchObject({ status: 'healthy', health_factor: 1, health_ratio: null, weakest: null });
  });

  it('is 1 for an empty account', async () => {
    const reply = await health({ accounts: [accountRow({ balances: [] })] });
    expect(reply).toMatchObject({ status: 'healthy', health_factor: 1, health_usd: 0, free_collateral_usd: 0 });
  });

  it('never goes below −1: debt against worthless collateral', async () => {
    const worthless = measureRow({ bank: SOL_BANK, price: priceColumn('0.000000001') });
    const reply = await health({
      accounts: [accountRow()],
      store: { listBankMeasures: async () => [measureRow(), worthless] },
    });
    expect(reply).toMatchObject({ status: 'liquidatable', health_factor: -1 });
  });

  it('names a token whose price moves as the weakest, though a dollar had the shorter way', async () => {
    // 1,000 dollars at 0.95 against three SOL at 1.05: the dollar would reach the line by −50.3 %, SOL by +101 %.
    const short = accountRow({
      balances: [
        balanceRow({ bank: USDC_BANK, asset_shares: '1000000000' }),
        balanceRow({ slot_index: 1, asset_shares: '0', liability_shares: '3000000000' }),
      ],
    });
    const { weakest } = await health({ accounts: [short] });
    expect(weakest).toMatchObject({ bank: SOL_BANK, price_change_pct: expect.closeTo(101.058, 2) });
  });

  it('shows what falls of the market do: dollars stay, the rest falls', async () => {
    const { stress } = await health();
    expect(stress.map(({ shock_pct }) => shock_pct)).toEqual([-5, -10, -20, -30]);
    expect(stress[0]?.applies_to).toEqual(['SOL']);
    expect(stress[3]?.health_ratio).toBeCloseTo((1425 * 0.7) / 630, 6);
  });

  it('says what repairs it, cheapest first, and it does', async () => {
    const reply = await health({ accounts: [owing('1300000000')] }, '?target_health_ratio=1.25');
    expect(reply.status).toBe('critical');
    const [repay, deposit] = reply.repair ?? [];
    // 1,425 ÷ 1.25 is 1,140 of weighted debt: 1,085.714286 dollars may stay.
    expect(repay).toMatchObject({ action: 'repay', bank: USDC_BANK, amount_ui: 214.285715, amount_raw: '214285715' });
    expect(deposit).toMatchObject({ action: 'deposit', bank: SOL_BANK });
    expect(deposit?.amount_usd).toBeGreaterThan(repay?.amount_usd ?? 0);
    expect((await health({ accounts: [owing(String(1_300_000_000 - 214_285_715))] })).status).toBe('moderate');
    expect((await health({ accounts: [owing(String(1_300_000_000 - 214_285_714))] })).status).toBe('warning');
  });

  it('has nothing to repair where the target is reached', async () => {
    expect((await health(undefined, '?target_health_ratio=1.5')).repair).toEqual([]);
  });

  it('tells a stale oracle from bad health', async () => {
    const stale = measureRow({ bank: SOL_BANK, price: { error: 'PythPushStalePrice' } });
    const reply = await health(
      { accounts: [accountRow()], store: { listBankMeasures: async () => [measureRow(), stale] } },
      '?target_health_ratio=2',
    );
    expect(reply).toMatchObject({ status: 'unknown', health_factor: null, repair: null });
    expect(reply.oracle_issues).toMatchObject([{ bank: SOL_BANK, reason: 'PythPushStalePrice' }]);
    expect(reply.stress.every(({ status }) => status === 'unknown')).toBe(true);
  });

  it('warns of an account that its owner can do nothing with', async () => {
    const reply = await health({ accounts: [accountRow({ flags: '64' })] });
    expect(reply.warnings.map(({ code }) => code)).toContain('ACCOUNT_RESTRICTED');
  });
});

describe('which account', () => {
  it('is the only one of an authority, by path or by query', async () => {
    const world = { accounts: [accountRow()] };
    expect((await ask(world, `/v1/health?authority=${WALLET}`)).body.account).toBe(ACCOUNT);
    expect((await ask(world, `/v1/health/${WALLET}`)).body.account).toBe(ACCOUNT);
  });

  it('is not guessed among several', async () => {
    const world = { accounts: [accountRow(), accountRow({ address: OTHER_ACCOUNT })] };
    const error = await refused(world, `/v1/health?authority=${WALLET}`, 409);
    expect(error).toMatchObject({ code: 'ACCOUNT_AMBIGUOUS', details: { accounts: [ACCOUNT, OTHER_ACCOUNT] } });
  });

  it('has to be named', async () => {
    const error = await refused({}, '/v1/health', 400);
    expect(error).toMatchObject({ code: 'INVALID_ARGUMENT', details: { field: 'account' } });
  });

  it('has to be named once', async () => {
    const error = await refused({}, `/v1/health?account=${ACCOUNT}&authority=${WALLET}`, 400);
    expect(error.details).toMatchObject({ field: 'authority' });
  });

  it('does not exist, was closed, or is something else', async () => {
    expect((await refused({}, `/v1/health/${ACCOUNT}`, 404)).code).toBe('ACCOUNT_NOT_FOUND');
    const closed = await refused({ accounts: [accountRow({ is_closed: true })] }, `/v1/health/${ACCOUNT}`, 404);
    expect(closed.error).toMatch(/closed/);
    expect((await refused({}, `/v1/health/${USDC_BANK}`, 404)).error).toMatch(/a bank/);
  });

  it('is worth another try while it is being read for the first time', async () => {
    const unread: AccountsWorld = {
      store: { requestFollow: async ({ address, aspect }) => ({ kind: 'new', follow: followRow(address, aspect) }) },
    };
    const error = await refused(unread, `/v1/health/${ACCOUNT}`, 503);
    expect(error).toMatchObject({ retryable: true });
  });
});

it('takes null and empty options for absent', async () => {
  const reply = await health(
    { accounts: [accountRow()], store: { listBankMeasures: async () => MEASURES } },
    '?authority=&target_health_ratio=',
  );
  expect(reply.account).toBe(ACCOUNT);
});
