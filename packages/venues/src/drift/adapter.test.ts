import { DRIFT_STATE, driftSpotMarketLayout, tokenAccountLayout } from '@lending/programs';
import { describe, expect, it } from 'vitest';
import { openDumps } from '#testing/account-dumps.ts';
import { FEED } from '#testing/made-bank.ts';
import type { AccountBytes } from '../account.ts';
import type { ReserveKeys } from '../reserve.ts';
import type { AccountSearch } from '../venue-adapter.ts';
import { accumulatedInterest } from './accrual.ts';
import { driftAdapter } from './adapter.ts';
import { decodeExchange, decodeReserve } from './decode-reserve.ts';
import { borrowsOf, depositsOf } from './exchange-rate.ts';
import { borrowRateOf, depositRateOf, utilizationOf } from './interest-curve.ts';
import {
  exchangeAccount,
  LAST_INTEREST,
  SPOT_MARKET,
  SPOT_VAULT,
  spotMarket,
  spotMarketAccount,
  spotVaultAccount,
} from './testing/made-reserve.ts';

const keys: ReserveKeys = {
  ...{ venue: 'drift', address: SPOT_MARKET, market: DRIFT_STATE, mint: spotMarket().mint },
  accounts: [SPOT_MARKET, SPOT_VAULT, DRIFT_STATE],
};

const VAULT_BASE = 30_000_000n;
const at = (unixTimestamp: bigint) => ({ slot: 1n, unixTimestamp, slotMicros: 400_000n });
const read = (
  fields: Parameters<typeof spotMarket>[0] = {},
  { vault = spotVaultAccount(VAULT_BASE), state = exchangeAccount(), time = LAST_INTEREST + 60n }: Surroundings = {},
) => driftAdapter.readReserve(keys, [spotMarketAccount(fields), vault, state], at(time));

interface Surroundings {
  readonly vault?: AccountBytes | null;
  readonly state?: AccountBytes | null;
  readonly time?: bigint;
}

describe('driftAdapter.readReserve', () => {
  it('reads a market that does business, accrued', () => {
    const history = { ...spotMarket().historicalOracleData, lastOraclePrice: 999_870n, lastOraclePriceTwapTs: 5n };
    const name = Uint8Array.from(Buffer.from('USDC'.padEnd(32)));
    const reading = read({ name, historicalOracleData: history, cumulativeDepositInterest: 10_000_000_000n });
    expect(reading).toMatchObject({
      ...{
        keys,
        decimals: 6,
        receiptMint: null,
        symbol: 'USDC',
        marketName: 'Main Pool',
        status: 'active',
        statusReasons: [],
      },
      rates: { borrowApr: 43_750_000_000_000_000n, depositApr: 30_625_000_000_000_000n },
      sizes: { availableBase: VAULT_BASE },
      price: { usdE18: 999_870_000_000_000_000n, publishedAt: 5n },
      lastUpdate: { slot: null, unixTimestamp: LAST_INTEREST },
    });
    // 100 tokens at 4.375 % × 70 % for a minute.
    expect(reading.exchangeRateE18).toBe(1_000_000_058_200_000_000n);
    expect(reading.sizes.depositsBase).toBe(100_000_005n);
    expect(reading.sizes.borrowsBase).toBe(70_000_006n);
  });

  it.each([
    ['a day without interest', { time: LAST_INTEREST + 86_401n }, ['interest_frozen']],
    ['a paused exchange', { state: exchangeAccount(8) }, ['exchange_paused']],
    ['no exchange', { state: null }, ['exchange_missing']],
    ['a vault short by more than a hundredth', { vault: spotVaultAccount(29_699_999n) }, ['vault_short']],
    ['no vault', { vault: null }, ['vault_unreadable']],
    ['the vault of another market', { vault: spotVaultAccount(VAULT_BASE, FEED) }, ['vault_unreadable']],
  ])('suspends a market with %s', (_what, surroundings: Surroundings, statusReasons) => {
    const reading = read({}, surroundings);
    expect(reading).toMatchObject({
      ...{ status: 'suspended', statusReasons },
      rates: { depositApr: null, borrowApr: null, poolRewardApr: null, utilization: null, slotMicros: null },
      limits: { depositRoomBase: 0n, borrowRoomBase: 0n, withdrawRoomBase: 0n },
      // As the account has it: no interest that nobody earned.
      exchangeRateE18: 10n ** 18n,
      sizes: { depositsBase: 100_000_000n, borrowsBase: 70_000_000n },
    });
  });

  it('names every sign, and what the vault holds as all there is', () => {
    const { statusReasons, sizes } = read(
      { status: 6, pausedOperations: 13 },
      { vault: spotVaultAccount(7n), state: exchangeAccount(255), time: LAST_INTEREST + 10_000_000n },
    );
    expect(statusReasons).toEqual([
      ...['interest_frozen', 'exchange_paused', 'vault_short', 'market_reduce_only'],
      ...['interest_paused', 'deposits_paused', 'withdrawals_paused'],
    ]);
    expect(sizes.availableBase).toBe(7n);
  });

  it.each([
    ['interest of exactly a day ago', { time: LAST_INTEREST + 86_400n }],
    ['a vault short by a hundredth', { vault: spotVaultAccount(29_700_000n) }],
  ])('does not suspend a market with %s', (_what, surroundings: Surroundings) => {
    expect(read({}, surroundings).status).toBe('active');
  });

  it.each([
    ['reduce-only', { status: 6 }, 'closed', ['market_reduce_only'], [false, true, false]],
    ['delisted', { status: 8 }, 'closed', ['market_delisted'], [false, false, false]],
    ['expired', { expiryTs: LAST_INTEREST }, 'closed', ['market_expired'], [false, true, false]],
    ['of a status nobody knows', { status: 9 }, 'unknown', ['market_status_unknown'], [false, false, false]],
    ['paused for deposits', { pausedOperations: 4 }, 'restricted', ['deposits_paused'], [false, true, true]],
    ['paused for withdrawals', { pausedOperations: 8 }, 'restricted', ['withdrawals_paused'], [true, false, false]],
    ['protected from loans', { assetTier: 1 }, 'restricted', ['borrowing_disabled'], [true, true, false]],
  ] as const)('says what a market %s allows', (_what, fields, status, statusReasons, allowed) => {
    const reading = read({ ...fields, maxTokenDeposits: 200_000_000n });
    const { depositRoomBase, withdrawRoomBase, borrowRoomBase } = reading.limits;
    expect(reading).toMatchObject({ status, statusReasons });
    expect([depositRoomBase, withdrawRoomBase, borrowRoomBase].map((room) => room !== 0n)).toEqual(allowed);
    expect(reading.rates.depositApr).not.toBeNull();
  });

  it('has no price where the market never saw one, and no name where it has none', () => {
    expect(read()).toMatchObject({ price: null, symbol: null, marketName: 'Main Pool' });
    expect(read({ poolId: 3 }).marketName).toBe('Pool 3');
  });

  it('refuses a market that does not exist, or of absurd decimals', () => {
    expect(() => driftAdapter.readReserve(keys, [null, null, null], at(0n))).toThrow(
      expect.objectContaining({ code: 'DECODE__ACCOUNT_MALFORMED' }),
    );
    expect(() => read({ decimals: 20 })).toThrow(expect.objectContaining({ code: 'DECODE__VALUE_OUT_OF_RANGE' }));
  });
});

describe('driftAdapter.discover', () => {
  it('finds the markets, each with its vault and the one exchange', async () => {
    const searches: AccountSearch[] = [];
    const rejected: unknown[] = [];
    const cut = { ...spotMarketAccount(), address: FEED, data: spotMarketAccount().data.subarray(0, 700) };
    const found = await driftAdapter.discover(
      async (search) => {
        searches.push(search);
        return [cut, spotMarketAccount()];
      },
      (address, error) => rejected.push([address, error]),
    );
    expect(found).toEqual([keys]);
    expect(searches).toHaveLength(1);
    expect(rejected).toEqual([[FEED, expect.objectContaining({ code: 'DECODE__ACCOUNT_MALFORMED' })]]);
  });
});

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
