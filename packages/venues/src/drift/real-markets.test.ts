import { driftSpotMarketLayout, tokenAccountLayout } from '@lending/programs';
import { describe, expect, it } from 'vitest';
import { openDumps } from '#testing/account-dumps.ts';
import { accumulatedInterest } from './accrual.ts';
import { driftAdapter } from './adapter.ts';
import { decodeExchange, decodeReserve } from './decode-reserve.ts';
import { borrowsOf, depositsOf } from './exchange-rate.ts';
import { borrowRateOf, depositRateOf, utilizationOf } from './interest-curve.ts';
import { exchangeAccount, spotVaultAccount } from './testing/made-reserve.ts';

const { isMissing, dumps } = openDumps(process.env.FIXTURES_DIR);
const markets = dumps('drift', 'spot-market');
const DAY = 86_400n;

describe.skipIf(isMissing)('real spot markets (FIXTURES_DIR)', () => {
  it('finds the dumps', () => {
    expect(markets).toHaveLength(17);
  });

  it.each(markets)('has the amounts, rates and interest of $name that the SDK has', ({ account, math }) => {
    const market = decodeReserve(account);
    const [deposits, borrows] = [depositsOf(market), borrowsOf(market)];
    const utilization = utilizationOf(deposits, borrows);
    const borrowRate = borrowRateOf(market, utilization) ?? -1n;
    const interest = accumulatedInterest(market, market.lastInterestTs + DAY);
    expect({
      depositTokenAmount: `${deposits}`,
      borrowTokenAmount: `${borrows}`,
      utilization: `${utilization}`,
      interestRate: `${borrowRate}`,
      borrowRate: `${borrowRate}`,
      depositRate: `${depositRateOf(borrowRate, utilization, market.insuranceFund.totalFactor)}`,
      oneDayAfterLastUpdate: {
        depositInterestDelta: `${interest?.depositInterest}`,
        borrowInterestDelta: `${interest?.borrowInterest}`,
      },
    }).toEqual(
      Object.fromEntries(Object.entries(math).filter(([key]) => !['fixture', 'computedWith', 'units'].includes(key))),
    );
  });

  it.each(markets)('reads $name as it stood', ({ account, expected, math }) => {
    const { essentials } = expected;
    const market = driftSpotMarketLayout.decode(account.data);
    const vault = { ...spotVaultAccount(depositsOf(market), market.vault) };
    const data = Uint8Array.from(vault.data);
    data.set(account.data.subarray(72, 104), 0);
    const keys = {
      ...({ venue: 'drift', address: account.address, market: exchangeAccount().address, mint: market.mint } as const),
      accounts: [account.address, market.vault, exchangeAccount().address],
    };
    const moment = { slot: 1n, unixTimestamp: market.lastInterestTs, slotMicros: 400_000n };
    const accounts = [account, { ...vault, data }, exchangeAccount()];
    const reading = driftAdapter.readReserve(keys, accounts, moment);
    expect(reading).toMatchObject({
      ...{ symbol: essentials.name, decimals: essentials.decimals, status: 'active' },
      rates: {
        depositApr: BigInt(math.depositRate) * 10n ** 12n,
        borrowApr: BigInt(math.borrowRate) * 10n ** 12n,
        utilization: BigInt(math.utilization) * 10n ** 12n,
      },
      sizes: { depositsBase: BigInt(math.depositTokenAmount), borrowsBase: BigInt(math.borrowTokenAmount) },
      exchangeRateE18: BigInt(essentials.cumulativeDepositInterest) * 10n ** 8n,
    });
    const later = driftAdapter.readReserve(keys, accounts, {
      ...moment,
      unixTimestamp: moment.unixTimestamp + DAY + 1n,
    });
    expect(later).toMatchObject({ status: 'suspended', rates: { depositApr: null, borrowApr: null } });
  });

  it.each(dumps('drift', 'state'))('reads $name as recorded', ({ account, expected }) => {
    const { admin, numberOfSpotMarkets, exchangeStatus } = decodeExchange(account);
    expect(expected.essentials).toMatchObject({ admin, numberOfSpotMarkets, exchangeStatus });
  });

  it('holds the claims of the SOL market of 2024-09-29 in the vault of the day after', () => {
    const [vault] = dumps('spl-token', 'account-drift-sol-vault');
    const [sol] = markets.filter(({ name }) => name.includes('sol-2024-09-29'));
    if (vault === undefined || sol === undefined) throw new Error('both dumps are needed');
    const market = decodeReserve(sol.account);
    expect(vault.account.address).toBe(market.vault);
    const { amount } = tokenAccountLayout.decode(vault.account.data);
    expect(amount).toBeGreaterThan(((depositsOf(market) - borrowsOf(market)) * 99n) / 100n);
  });
});
