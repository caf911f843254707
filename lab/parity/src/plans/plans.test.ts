import { editAccount, fundWallet } from '@lending/localnet';
import { MARGINFI_MAIN_GROUP, marginfiGroupLayout, WRAPPED_SOL_MINT } from '@lending/programs';
import type { LendingAction } from '@lending/transactions';
import type { Address, KeyPairSigner } from '@solana/kit';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Acted, PlanChain } from './plan-chain.ts';

const SOL = 1_000_000_000n;
const USDC = 1_000_000n;
let chain: PlanChain;
let wallet: KeyPairSigner;
beforeAll(async () => {
  chain = await PlanChain.open();
});
beforeEach(async () => {
  wallet = await chain.addWallet({ tokens: { USDC: 10_000n * USDC, PYUSD: 10_000n * USDC, JitoSOL: 100n * SOL } });
});

/** Carries an action out, and sees that it lands, and that what the plan said of rent is so. */
async function act(kind: LendingAction['kind'], bank: Address, amount: bigint | 'all'): Promise<Acted> {
  const acted = await chain.act(wallet, { kind, bank, amount });
  expect(acted.error, acted.logs.join('\n')).toBeNull();
  for (const { address, lamports } of acted.plan.rent) expect(chain.lamports(address), address).toBe(lamports);
  chain.advance(20);
  return acted;
}

const tokens = (mint: Address) => chain.tokens(wallet.address, mint);
const lamports = () => chain.lamports(wallet.address);
const balancesOf = ({ state }: Acted) => chain.marginfiAccount(state.account.address).balances;

describe('plans on the local chain', () => {
  it('tell a whole story on P0 banks, and open the account on the way', async () => {
    const [usdc, sol] = [chain.bank('USDC'), chain.bank('SOL')];
    const opened = await act('deposit', usdc, 1_000n * USDC);
    expect(opened.plan.rent).toHaveLength(1);
    await act('borrow', sol, SOL);
    await act('repay', sol, SOL / 2n);
    await act('repay', sol, 'all');
    await act('withdraw', usdc, 400n * USDC);
    const closed = await act('withdraw', usdc, 'all');
    expect(balancesOf(closed)).toEqual([]);
  });

  it.each(['Kamino', 'Solend', 'Jupiter'])(
    'pay at least what was asked for, and at most two units more, on %s',
    async (venue) => {
      const bank = chain.bank('USDC', venue);
      const { state } = await act('deposit', bank, 7_000n * USDC);
      const mint = state.target?.mint.address as Address;
      expect(await tokens(mint)).toBe(3_000n * USDC);
      await act('withdraw', bank, 1_234_567_891n);
      const paid = ((await tokens(mint)) ?? 0n) - 3_000n * USDC;
      expect(paid).toBeGreaterThanOrEqual(1_234_567_891n);
      expect(paid).toBeLessThanOrEqual(1_234_567_893n);
      expect(balancesOf(await act('withdraw', bank, 'all'))).toEqual([]);
    },
  );

  it('refresh every venue whose receipts a debt rests on', async () => {
    for (const venue of ['Kamino', 'Solend', 'Jupiter']) await act('deposit', chain.bank('USDC', venue), 2_000n * USDC);
    await act('deposit', chain.bank('SOL', 'Kamino'), SOL);
    const { plan } = await act('borrow', chain.bank('USDT'), 4_000n * USDC);
    expect(plan.refresh).toHaveLength(3);
    await act('withdraw', chain.bank('USDC', 'Jupiter'), 100n * USDC);
    await act('withdraw', chain.bank('USDC', 'Kamino'), 100n * USDC);
    await act('withdraw', chain.bank('USDC', 'Solend'), 100n * USDC);
    await act('withdraw', chain.bank('SOL', 'Kamino'), 'all');
  });

  it('refresh nobody else’s receipts without a debt', async () => {
    await act('deposit', chain.bank('USDC', 'Kamino'), 100n * USDC);
    await act('deposit', chain.bank('USDC'), 100n * USDC);
    const { plan } = await act('withdraw', chain.bank('USDC'), 50n * USDC);
    expect(plan.refresh).toEqual([]);
  });

  it.each([
    ['PYUSD', 'P0'],
    ['PYUSD', 'Kamino'],
    ['LEVY', 'P0'],
  ])('move %s of Token-2022 on %s', async (symbol, venue) => {
    const bank = chain.bank(symbol, venue);
    await fundWallet(chain.localnet.ledger, wallet.address, { tokens: { [symbol]: 10_000n * USDC } });
    await act('deposit', bank, 1_000n * USDC);
    await act('withdraw', bank, 100n * USDC);
    expect(balancesOf(await act('withdraw', bank, 'all'))).toEqual([]);
  });

  it('create the account of a mint with a fee where it is missing, with its rent', async () => {
    await act('deposit', chain.bank('USDC'), 5_000n * USDC);
    const { plan, state } = await act('borrow', chain.bank('LEVY'), 10n * USDC);
    expect(plan.rent).toHaveLength(1);
    expect(await tokens(state.target?.mint.address as Address)).toBeGreaterThan(0n);
  });

  it('carry on where a limit on the whole group wants the price of what is closed', async () => {
    const [sol, usdc] = [chain.bank('JitoSOL'), chain.bank('USDC')];
    await act('deposit', usdc, 100n * USDC);
    await act('deposit', sol, SOL);
    const before = chain.localnet.ledger.account(MARGINFI_MAIN_GROUP);
    if (before === undefined) throw new TypeError('There is no group');
    editAccount(chain.localnet.ledger, marginfiGroupLayout, MARGINFI_MAIN_GROUP, ({ rateLimiter, ...group }) => {
      const hourly = { ...rateLimiter.hourly, maxOutflow: 1_000_000n, windowDuration: 3_600n };
      return { ...group, rateLimiter: { ...rateLimiter, hourly } };
    });
    try {
      await act('withdraw', sol, 'all');
      expect(balancesOf(await act('withdraw', usdc, 'all'))).toEqual([]);
    } finally {
      chain.localnet.ledger.writeAccount(MARGINFI_MAIN_GROUP, before);
    }
  });
});

describe('SOL in plans', () => {
  const FEE = 5_000n;

  it.each([
    ['P0', null],
    ['P0', 0n],
    ['P0', 2n * SOL],
    ['P0', 7n * SOL],
    ['Kamino', null],
    ['Kamino', 2n * SOL],
  ])('is the wallet’s own, in and out of %s, with %s lamports wrapped before', async (venue, kept) => {
    if (kept !== null) await fundWallet(chain.localnet.ledger, wallet.address, { tokens: { SOL: kept } });
    const bank = chain.bank('SOL', venue);
    const before = lamports();
    const { plan } = await act('deposit', bank, 5n * SOL);
    const used = kept === null ? 0n : kept < 5n * SOL ? kept : 5n * SOL;
    const rent = plan.rent.reduce((sum, each) => sum + each.lamports, 0n);
    expect(await tokens(WRAPPED_SOL_MINT)).toBe(kept === null ? null : kept - used);
    expect(before - lamports()).toBe(5n * SOL - used + rent + FEE);

    const [wrapped, held] = [await tokens(WRAPPED_SOL_MINT), lamports()];
    await act('withdraw', bank, 2n * SOL);
    const closedRent = wrapped === 0n ? chain.localnet.ledger.minimumBalance(165) : 0n;
    const paid = lamports() - held + FEE - closedRent;
    expect(paid).toBeGreaterThanOrEqual(2n * SOL);
    expect(paid).toBeLessThanOrEqual(2n * SOL + 2n);
    expect(await tokens(WRAPPED_SOL_MINT)).toBe(wrapped === 0n ? null : wrapped);
  });

  it.each([null, 0n, SOL / 2n, 9n * SOL])(
    'pays a whole debt back though it grew since, with %s wrapped',
    async (kept) => {
      await act('deposit', chain.bank('USDC'), 5_000n * USDC);
      await act('borrow', chain.bank('SOL'), 2n * SOL);
      if (kept !== null) await fundWallet(chain.localnet.ledger, wallet.address, { tokens: { SOL: kept } });
      const action = { kind: 'repay', bank: chain.bank('SOL'), amount: 'all' } as const;
      const planned = await chain.plan(wallet.address, action);
      // More than a minute of slots.
      chain.advance(200);
      expect(await chain.send(wallet, planned)).toMatchObject({ error: null });
      expect(chain.marginfiAccount(planned.state.account.address).balances).toHaveLength(1);
      const left = await tokens(WRAPPED_SOL_MINT);
      if (kept === null || kept === 0n) expect(left).toBeNull();
      else if (kept > 3n * SOL) expect(left).toBeGreaterThan(kept - 2n * SOL - 100_000n);
      else expect(left).toBeLessThan(100_000n);
    },
  );
});
