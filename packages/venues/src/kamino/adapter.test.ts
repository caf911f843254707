import { venueApy } from '@lending/domain';
import { KLEND_PROGRAM, NO_KEY } from '@lending/programs';
import { type Address, address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { openDumps } from '#testing/account-dumps.ts';
import type { ReserveKeys } from '../reserve.ts';
import type { AccountSearch } from '../venue-adapter.ts';
import { accrueReserve } from './accrual.ts';
import { kaminoAdapter } from './adapter.ts';
import { decodeReserve } from './decode-reserve.ts';
import { discoverReserves } from './discovery.ts';
import { exchangeRateOf, totalSupplySf } from './exchange-rate.ts';
import {
  FARM,
  farmAccount,
  MARKET,
  madeFarm,
  madeMarket,
  madeReserve,
  marketAccount,
  RESERVE,
  reserveAccount,
  USDC,
} from './testing/made-reserve.ts';

const { isMissing, dumps } = openDumps(process.env.FIXTURES_DIR);
const keys: ReserveKeys = {
  venue: 'kamino',
  address: RESERVE,
  market: MARKET,
  mint: USDC,
  accounts: [RESERVE, MARKET, FARM],
};

const moment = { slot: 377_723_091n, unixTimestamp: 1_762_201_837n, slotMicros: 400_000n };
const market = marketAccount(madeMarket());
const farmed = reserveAccount(madeReserve({ farmCollateral: FARM }));

describe('kaminoAdapter', () => {
  it('reads a reserve with its market and its farm', () => {
    const reading = kaminoAdapter.readReserve(keys, [farmed, market, farmAccount(madeFarm())], moment);
    expect(reading).toMatchObject({
      keys,
      decimals: 6,
      symbol: null,
      marketName: 'Main Market',
      status: 'active',
      statusReasons: [],
      incentives: [{ side: 'deposit', mint: USDC, amountPerYearBase: 7_884_000_000_000n, decimals: 6 }],
      sizes: {
        depositsBase: 587_510_686_273_095n,
        borrowsBase: 458_163_294_492_906n,
        availableBase: 129_639_221_256_987n,
      },
      price: { usdE18: 999_890_519_999_999_999n, publishedAt: 1_762_201_837n },
      lastUpdate: { slot: 377_723_091n, unixTimestamp: null },
    });
  });

  it('brings interest to the moment', () => {
    const later = { ...moment, slot: moment.slot + 1000n };
    const reading = kaminoAdapter.readReserve(keys, [farmed, market, null], later);
    expect(reading.sizes.borrowsBase).toBe(458_163_294_492_906n + 283_242_368n);
    expect(reading.lastUpdate.slot).toBe(moment.slot);
  });

  it('finds no incentives where the farm is gone', () => {
    expect(kaminoAdapter.readReserve(keys, [farmed, market, null], moment).incentives).toEqual([]);
  });

  it('reads as many decimals of a reward as a mint can have, and refuses more', () => {
    const paidIn = (decimals: bigint) => {
      const [info] = madeFarm().rewardInfos;
      if (info === undefined) throw new TypeError('no reward');
      const farm = farmAccount(madeFarm({ reward: { token: { ...info.token, mint: USDC, decimals } } }));
      return kaminoAdapter.readReserve(keys, [farmed, market, farm], moment).incentives;
    };
    expect(paidIn(255n)).toMatchObject([{ decimals: 255 }]);
    expect(() => paidIn(256n)).toThrow(expect.objectContaining({ code: 'DECODE__VALUE_OUT_OF_RANGE' }));
  });

  it('has no price where the account holds none', () => {
    const unpriced = reserveAccount(madeReserve({ farmCollateral: NO_KEY, liquidity: { marketPriceSf: 0n } }));
    expect(kaminoAdapter.readReserve(keys, [unpriced, market], moment).price).toBeNull();
  });

  it.each([
    ['a missing reserve', [null, market], 'DECODE__ACCOUNT_MALFORMED'],
    ['a missing market', [farmed, null], 'DECODE__ACCOUNT_MALFORMED'],
    ['another program’s account', [{ ...farmed, owner: NO_KEY }, market], 'DECODE__OWNER_MISMATCH'],
    ['another kind of account', [market, market], 'DECODE__DISCRIMINATOR_MISMATCH'],
    [
      'more decimals than klend knows',
      [reserveAccount(madeReserve({ liquidity: { mintDecimals: 20n } })), market],
      'DECODE__VALUE_OUT_OF_RANGE',
    ],
    [
      'an unknown interest basis',
      [reserveAccount(madeReserve({ config: { interestRateBasis: 7 } })), market],
      'DECODE__VALUE_OUT_OF_RANGE',
    ],
  ])('refuses %s', (_what, accounts, code) => {
    expect(() => kaminoAdapter.readReserve(keys, accounts, moment)).toThrow(expect.objectContaining({ code }));
  });
});

describe.skipIf(isMissing)('kaminoAdapter on real accounts (FIXTURES_DIR)', () => {
  const markets = new Map(dumps('klend', 'market').map(({ account }) => [account.address, account]));
  const farms = new Map(dumps('kamino-farms', 'farm').map(({ account }) => [account.address, account]));
  const reserves = dumps('klend', 'reserve').map((dump) => [dump.name, dump] as const);

  /** Recorded at the reserve's own slot, as klend's SDK (8.0.2) sees it with slots of 400 ms. */
  it.each(reserves)('reads %s as recorded', (_name, { account, expected, math }) => {
    const { lendingMarket, farmCollateral, liquidity, collateral, config, lastUpdate } = expected.decoded;
    const of: ReserveKeys = {
      venue: 'kamino',
      address: account.address,
      market: lendingMarket,
      mint: liquidity.mintPubkey,
      accounts: [account.address, lendingMarket, farmCollateral],
    };
    // Of the Maple market there is no dump; nothing but its name is read here, for it has no rewards and no switches.
    const itsMarket = markets.get(lendingMarket) ?? { ...market, address: lendingMarket };
    const at = {
      slot: BigInt(lastUpdate.slot),
      unixTimestamp: BigInt(liquidity.marketPriceLastUpdatedTs),
      slotMicros: 400_000n,
    };
    const reading = kaminoAdapter.readReserve(of, [account, itsMarket, farms.get(farmCollateral) ?? null], at);
    const toNumber = (e18: bigint | null) => Number(e18) / 1e18;
    expect(reading.sizes.borrowsBase).toBe(BigInt(math.borrowedAmount.split('.')[0]));
    expect(reading.sizes.depositsBase).toBe(BigInt(math.totalSupply.split('.')[0]));
    expect(reading.sizes.availableBase).toBe(BigInt(math.liquidityAvailableAmount));
    expect(toNumber(reading.rates.utilization)).toBeCloseTo(math.utilizationRatio, 14);
    expect(toNumber(reading.rates.borrowApr)).toBeCloseTo(math.borrowApr, 14);
    expect(toNumber(reading.rates.depositApr)).toBeCloseTo(math.supplyApr, 14);
    // The SDK compounds in doubles, of which 63,072,000 steps leave seven decimals.
    expect(venueApy(toNumber(reading.rates.borrowApr), 'kamino')).toBeCloseTo(math.borrowApy, 7);
    expect(venueApy(toNumber(reading.rates.depositApr), 'kamino')).toBeCloseTo(math.supplyApy, 7);
    // The SDK's rate is cTokens for a token.
    expect(1 / toNumber(reading.exchangeRateE18)).toBeCloseTo(Number(math.collateralExchangeRate), 14);
    expect(reading.decimals).toBe(Number(liquidity.mintDecimals));
    expect(reading.receiptMint).toBe(collateral.mintPubkey);
    expect(reading.symbol).toBe(Buffer.from(config.tokenInfo.name.slice(2), 'hex').toString().replaceAll('\0', ''));
    expect(reading.limits.depositLimitBase).toBe(BigInt(config.depositLimit));
    expect(reading).toMatchObject({ status: 'active', incentives: [], rates: { poolRewardApr: 0n } });
  });

  /**
   * The SDK accrues with the rate as the wall clock sees it, a quarter too much at 400 ms; the program counts a slot as half a second
   * whatever it lasts. So its 216,000 slots are the program's 270,000. And it keeps the square of a slot's interest, which is below the
   * program's last bit at such rates: less than 10⁻⁷ of the whole.
   */
  it.each(reserves)('accrues %s as recorded, once the SDK’s own convention is undone', (_name, { account, math }) => {
    const reserve = decodeReserve(account);
    const estimated = math.after216000Slots;
    const at = { slot: reserve.lastUpdate.slot + 270_000n, unixTimestamp: 0n };
    const accrued = accrueReserve(reserve, madeMarket(), at);
    const within = (ours: number, recorded: string) => expect(Math.abs(ours / Number(recorded) - 1)).toBeLessThan(1e-7);
    within(Number(totalSupplySf(accrued)) / 2 ** 60, estimated.estimatedTotalSupply);
    within(1e18 / Number(exchangeRateOf(accrued)), estimated.estimatedCollateralExchangeRate);
    const index = accrued.liquidity.cumulativeBorrowRateBsf.value.reduceRight((sum, word) => (sum << 64n) | word, 0n);
    within(Number(index) / 2 ** 60, estimated.estimatedCumulativeBorrowRate);
  });

  it.each(dumps('kamino-farms', 'farm').map((dump) => [dump.name, dump] as const))(
    'finds %s dry, as recorded',
    (_name, { account, expected }) => {
      const rewards: { rewardsAvailable: string }[] = expected.essentials.rewards;
      expect(rewards.map(({ rewardsAvailable }) => rewardsAvailable)).toEqual(['0']);
      const reserve = reserveAccount(madeReserve({ farmCollateral: account.address }));
      const of = { ...keys, accounts: [RESERVE, MARKET, account.address] };
      expect(kaminoAdapter.readReserve(of, [reserve, market, account], moment).incentives).toEqual([]);
    },
  );
});

const OTHER: Address = address('So11111111111111111111111111111111111111112');

describe('discoverReserves', () => {
  it('finds reserves by what they are, with the accounts a reading needs, from their first bytes', async () => {
    const searches: AccountSearch[] = [];
    const listed = reserveAccount(madeReserve({ farmCollateral: FARM, farmDebt: FARM }));
    const found = await discoverReserves(async (search) => {
      searches.push(search);
      return [{ ...listed, data: listed.data.subarray(0, search.slice?.length) }];
    }, expect.unreachable);
    expect(found).toEqual([
      { venue: 'kamino', address: RESERVE, market: MARKET, mint: USDC, accounts: [RESERVE, MARKET, FARM] },
    ]);
    expect(searches).toMatchObject([
      {
        program: KLEND_PROGRAM,
        filters: [
          { kind: 'content', offset: 0 },
          { kind: 'size', bytes: 8624 },
        ],
      },
    ]);
  });

  it('asks for no farm where there is none', async () => {
    const listed = reserveAccount(madeReserve({ farmCollateral: NO_KEY, farmDebt: NO_KEY }));
    const [keys] = await discoverReserves(async () => [listed], expect.unreachable);
    expect(keys?.accounts).toEqual([RESERVE, MARKET]);
  });

  it('leaves out what cannot be read, and nothing else', async () => {
    const rejected: Address[] = [];
    const good = reserveAccount(madeReserve());
    const found = await discoverReserves(
      async () => [{ ...good, address: OTHER, data: good.data.subarray(0, 100) }, good],
      (reserve) => rejected.push(reserve),
    );
    expect(found.map((keys) => keys.address)).toEqual([RESERVE]);
    expect(rejected).toEqual([OTHER]);
  });
});
