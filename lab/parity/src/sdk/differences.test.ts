import {
  accrueBank,
  aprToApy,
  assetSharesFor,
  computeInterestRates,
  computeRequirement,
  computeUtilization,
  findLiquidationPoints,
  maxBorrow,
  maxWithdraw,
  type PriceBand,
  type Requirement,
  type RiskPrice,
  remainingCapacity,
  totalAssetsOf,
  totalLiabilitiesOf,
} from '@lending/domain';
import { bankLayout, KLEND_PROGRAM, klendReserveLayout, MARGINFI_PROGRAM } from '@lending/programs';
import { type AccountBytes, decodeBank, loadRiskPrice, type Moment } from '@lending/venues';
import { MarginRequirementType } from '@mrgnlabs/marginfi-client-v2';
import { aprToApy as sdkAprToApy } from '@mrgnlabs/mrgn-common';
import { address } from '@solana/kit';
import { PublicKey } from '@solana/web3.js';
import { BigNumber } from 'bignumber.js';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  balancesOf,
  capacityState,
  fixed,
  judgeBank,
  type OneAccount,
  oneAccount,
  plainBank,
  shown,
} from './judged-market.ts';
import { MOMENT, noiseAddress, type PythPrice, switchboardBytes } from './made-accounts.ts';
import { sdkBank, sdkBankRaw, sdkPrice } from './official-sdk.ts';
import type { MarketBank } from './random-market.ts';

const THEIR_NAME = {
  initial: MarginRequirementType.Initial,
  maintenance: MarginRequirementType.Maintenance,
  equity: MarginRequirementType.Equity,
} as const;

/** 1 USD now, 0.96 on average, an interval of 2.12 × 0.01 USD around either. */
const MOVING: PythPrice = {
  price: 100_000_000n,
  conf: 1_000_000n,
  emaPrice: 96_000_000n,
  emaConf: 1_000_000n,
  exponent: -8,
};
const ENTRY = { assetWeightInit: fixed('0.875'), assetWeightMaint: fixed('0.9375') };
const SOL = 501;
const LST = 1571;
/** PT tokens on SOL, on mainnet since 2026: the SDK has no name for it. */
const PT = 15_787;

/** USD that count as assets and liabilities: ours and the SDK's. */
function bothTotals({ account, market, theirs }: OneAccount, requirement: Requirement) {
  const ours = computeRequirement(balancesOf(account, market), requirement);
  if (ours.kind !== 'valued') throw new Error(`refused: ${ours.error}`);
  const sdk = theirs.account.computeHealthComponents(THEIR_NAME[requirement]);
  return {
    ours: { assets: shown(ours.assets).toNumber(), liabilities: shown(ours.liabilities).toNumber() },
    sdk: { assets: sdk.assets.toNumber(), liabilities: sdk.liabilities.toNumber() },
  };
}

describe('health the official SDK is known to judge otherwise', () => {
  beforeAll(() => {
    vi.spyOn(console, 'log').mockImplementation(() => {});
  });
  afterAll(() => {
    vi.restoreAllMocks();
  });

  it('agrees on plain banks, so that each case below differs by one thing', async () => {
    const plain = await oneAccount([plainBank('one'), plainBank('two')], ['100', '-10']);
    for (const requirement of ['initial', 'maintenance', 'equity'] as const) {
      const { ours, sdk } = bothTotals(plain, requirement);
      expect(ours).toEqual(sdk);
    }
    expect(bothTotals(plain, 'initial').ours).toEqual({ assets: 100, liabilities: 30 });
  });

  it('takes equity at the low and high EMA where the SDK takes the spot price', async () => {
    const one = await oneAccount([plainBank('lent', {}, MOVING), plainBank('owed', {}, MOVING)], ['100', '-10']);
    const { ours, sdk } = bothTotals(one, 'equity');
    expect(sdk).toEqual({ assets: 100, liabilities: 10 });
    expect(ours.assets).toBeCloseTo(100 * (0.96 - 0.0212), 10);
    expect(ours.liabilities).toBeCloseTo(10 * (0.96 + 0.0212), 10);
  });

  it('measures the soft limit of a bank at the EMA where the SDK takes the spot price', async () => {
    const config = { totalAssetValueInitLimit: 469_400n };
    const { ours, sdk } = bothTotals(await oneAccount([plainBank('soft', { config }, MOVING)], ['100']), 'initial');
    // A million tokens are twice the limit at the low EMA of 0.9388; at the low spot price of 0.9788 they are a little more.
    expect(ours.assets).toBeCloseTo(100 * 0.9388 * 0.25, 10);
    expect(sdk.assets).toBeCloseTo((100 * 0.9388 * 0.25 * 0.9388) / 0.9788, 10);
  });

  it.each([
    ['a reduce-only', 2],
    ['a paused', 0],
  ])('counts collateral of %s bank as nothing initially, where the SDK counts it', async (_, operationalState) => {
    const bank = plainBank('retiring', { config: { operationalState } });
    const one = await oneAccount([bank], ['100']);
    expect([bothTotals(one, 'initial').ours.assets, bothTotals(one, 'initial').sdk.assets]).toEqual([0, 100]);
    expect(bothTotals(one, 'maintenance').ours).toEqual(bothTotals(one, 'maintenance').sdk);
  });

  it('counts isolated collateral as nothing, where the SDK counts whatever weight it has', async () => {
    const one = await oneAccount([plainBank('isolated', { config: { riskTier: 1 } })], ['100']);
    expect([bothTotals(one, 'initial').ours.assets, bothTotals(one, 'initial').sdk.assets]).toEqual([0, 100]);
    expect([bothTotals(one, 'maintenance').ours.assets, bothTotals(one, 'maintenance').sdk.assets]).toEqual([0, 150]);
  });

  it('counts less than a share as nothing, where the SDK counts it', async () => {
    const { ours, sdk } = bothTotals(
      await oneAccount([plainBank('dust'), plainBank('more')], ['0.75', '-0.5']),
      'equity',
    );
    expect([ours, sdk]).toEqual([
      { assets: 0, liabilities: 0 },
      { assets: 1.5, liabilities: 1 },
    ]);
  });

  it('counts Drift balances in nine decimals, where the SDK takes those of the mint', async () => {
    const config = { assetTag: 4, oracleSetup: 8 };
    const { ours, sdk } = bothTotals(
      await oneAccount([plainBank('drift', { mintDecimals: 6, config })], ['1000000000']),
      'equity',
    );
    expect([ours.assets, sdk.assets]).toEqual([2, 2000]);
  });

  it('favours collateral of a tag the SDK does not know', async () => {
    const debt = plainBank('owed', { emode: { tag: SOL, entries: [{ collateralBankEmodeTag: PT, ...ENTRY }] } });
    const collateral = plainBank('held', { emode: { tag: PT, entries: [] } });
    const { ours, sdk } = bothTotals(await oneAccount([collateral, debt], ['100', '-10']), 'initial');
    expect([ours.assets, sdk.assets]).toEqual([175, 100]);
  });

  it('favours collateral for a debt without a tag of its own, where the SDK wants one', async () => {
    const debt = plainBank('owed', { emode: { tag: 0, entries: [{ collateralBankEmodeTag: LST, ...ENTRY }] } });
    const collateral = plainBank('held', { emode: { tag: LST, entries: [] } });
    const { ours, sdk } = bothTotals(await oneAccount([collateral, debt], ['100', '-10']), 'initial');
    expect([ours.assets, sdk.assets]).toEqual([175, 100]);
  });

  it('asks every debt for a favour, where one debt speaks for all of its tag to the SDK', async () => {
    const generous = plainBank('generous', {
      emode: { tag: SOL, entries: [{ collateralBankEmodeTag: LST, ...ENTRY }] },
    });
    const other = { collateralBankEmodeTag: 619, ...ENTRY };
    const stingy = plainBank('stingy', { emode: { tag: SOL, entries: [other] } });
    const collateral = plainBank('held', { emode: { tag: LST, entries: [] } });
    const { ours, sdk } = bothTotals(
      await oneAccount([collateral, generous, stingy], ['100', '-10', '-10']),
      'initial',
    );
    expect([ours.assets, sdk.assets]).toEqual([100, 175]);
  });

  it('leaves a bank as it is, where the SDK keeps the raised weights in the bank it was given', async () => {
    const debt = plainBank('owed', { emode: { tag: SOL, entries: [{ collateralBankEmodeTag: LST, ...ENTRY }] } });
    const collateral = plainBank('held', { emode: { tag: LST, entries: [] } });
    const { theirs, bankAt } = await oneAccount([collateral, debt], ['100', '-10']);
    expect(shown(bankAt(0).bank.weights.assetInit).toNumber()).toBe(0.5);
    expect(theirs.banks.get(collateral.account.address)?.config.assetWeightInit.toNumber()).toBe(0.875);
  });

  it('reads states, setups and tags that the SDK cannot', () => {
    for (const config of [{ operationalState: 3 }, { operationalState: 5 }, { oracleSetup: 15 }]) {
      const { account } = plainBank('newer', { config });
      expect(bankLayout.decode(account.data).config).toMatchObject(config);
      expect(() => sdkBank(account)).toThrowError();
    }
  });

  it('reads a negative number to the last unit, where the SDK is one short', () => {
    const { account } = plainBank('negative', { collectedGroupFeesOutstanding: -1n });
    expect(bankLayout.decode(account.data).collectedGroupFeesOutstanding).toBe(-1n);
    expect(sdkBank(account).collectedGroupFeesOutstanding.toNumber()).toBe(0);
    expect(sdkBankRaw(account.data).collectedGroupFeesOutstanding.value).toEqual(Array(16).fill(255));
  });
});

const STEADY: PythPrice = { price: 100_000_000n, conf: 0n, emaPrice: 100_000_000n, emaConf: 0n, exponent: -8 };
const UNIT = 2 ** -48;
const NO_KEYS = Array.from({ length: 3 }, () => address('11111111111111111111111111111111'));

function bothPrices({ account, feed }: MarketBank, moment: Moment = MOMENT) {
  const ours = loadRiskPrice(decodeBank(account, MARGINFI_PROGRAM), feed === null ? [] : [feed], moment);
  return { ours, theirs: sdkPrice(sdkBank(account), feed) };
}

function spotOf(price: RiskPrice): PriceBand {
  if (price.kind !== 'loaded' || typeof price.spot === 'string') throw new Error('there is no price');
  return price.spot;
}

/** A klend reserve refreshed in this slot, with so much liquidity for so many receipts. */
function reserveOf(liquidity: bigint, receipts: bigint): AccountBytes {
  const bytes = new Uint8Array(klendReserveLayout.fixedSize);
  bytes.set(klendReserveLayout.discriminator);
  const empty = klendReserveLayout.decode(bytes);
  const reserve = {
    ...empty,
    lastUpdate: { ...empty.lastUpdate, slot: MOMENT.slot },
    liquidity: { ...empty.liquidity, totalAvailableAmount: liquidity },
    collateral: { ...empty.collateral, mintTotalSupply: receipts },
  };
  const data = Uint8Array.from(klendReserveLayout.encode(reserve));
  return { address: noiseAddress('reserve'), owner: KLEND_PROGRAM, data };
}

describe('prices the official SDK is known to read otherwise', () => {
  it('moves a price of Switchboard by what the bank says, where the SDK takes the deviation, and always 5 %', () => {
    const bank = plainBank('deviating', { config: { oracleSetup: 4, oracleMaxConfidence: 42_949_672 } });
    const feed = switchboardBytes('deviating', 4n * 10n ** 18n, 10n ** 16n);
    const { ours, theirs } = bothPrices({ account: bank.account, feed });
    const band = spotOf(ours);
    // A hundredth, and 5 %, of 4 USD.
    expect(band.spot - band.low).toBe((band.spot * 42_949_672n) / 4_294_967_295n);
    expect(theirs.priceRealtime.confidence.toString()).toBe('0.2');
  });

  it('values nothing at an interval above the limit of the bank, where the SDK caps it', () => {
    // 2.12 × 5 % is more than the 10 % that 0 stands for.
    const { ours, theirs } = bothPrices(plainBank('unsure', {}, { ...STEADY, conf: 5_000_000n, emaConf: 5_000_000n }));
    const tooWide = 'OracleMaxConfidenceExceeded';
    expect(ours).toMatchObject({ spot: tooWide, ema: tooWide });
    expect(theirs.priceRealtime.lowestPrice.toString()).toBe('0.95');
  });

  it("multiplies by what a reserve's receipt is worth, where the SDK gives the price of the token", () => {
    const reserve = reserveOf(3_000_000n, 2_000_000n);
    const config = {
      oracleSetup: 6,
      assetTag: 3,
      oracleKeys: [noiseAddress('feed receipts'), reserve.address, ...NO_KEYS],
    };
    const { account, feed } = plainBank('receipts', { config }, STEADY);
    const ours = loadRiskPrice(decodeBank(account, MARGINFI_PROGRAM), [feed, reserve], MOMENT);
    expect(shown(spotOf(ours).spot).toString()).toBe('1.5');
    expect(sdkPrice(sdkBank(account), feed).priceRealtime.price.toString()).toBe('1');
  });

  it('counts a stale feed as failed, where the SDK takes any', () => {
    const later = { ...MOMENT, unixTimestamp: MOMENT.unixTimestamp + 301n };
    const { ours, theirs } = bothPrices(plainBank('stale', {}, STEADY), later);
    expect(ours).toEqual({ kind: 'failed', error: 'PythPushStalePrice' });
    expect(theirs.priceRealtime.price.toString()).toBe('1');
  });

  it.each([3, 4])(
    'gives a feed of setup %i no time where the bank gives none, where the SDK gives a minute',
    (oracleSetup) => {
      const { account } = plainBank('no age', { config: { oracleSetup, oracleMaxAge: 0 } });
      expect(decodeBank(account, MARGINFI_PROGRAM).oracle.maxAgeSeconds).toBe(0);
      expect(sdkBank(account).config.oracleMaxAge).toBe(60);
    },
  );

  it('reads a price of more than 53 bits to its last digit, where the SDK goes through a double', () => {
    const price = 2n ** 53n + 1n;
    const { ours, theirs } = bothPrices(plainBank('long', {}, { ...STEADY, price, exponent: -9 }));
    const lost = new BigNumber(`${price}`).shiftedBy(-9).minus(theirs.priceRealtime.price);
    expect(lost.toFixed()).toBe('0.000000001');
    expect(
      shown(spotOf(ours).spot)
        .minus(new BigNumber(`${price}`).shiftedBy(-9))
        .abs()
        .lte(UNIT),
    ).toBe(true);
  });
});

/** Half of u32::MAX is 500 % a year, near enough; the numbers below are derived, not typed. */
const STEEP = { interestRateConfig: { hundredUtilRate: 2 ** 31, protocolIrFee: fixed('0.25') } };
const PROGRAM_FEE = { rate: fixed('0.125'), fixedApr: fixed('0.0625') };

describe('rates the official SDK is known to give otherwise', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('borrows dearer by the program fee, which the SDK leaves out', () => {
    const { bank, theirs } = judgeBank(plainBank('program fee', { config: STEEP }));
    const utilization = computeUtilization(totalAssetsOf(bank.shares), totalLiabilitiesOf(bank.shares)) as bigint;
    const rates = computeInterestRates(bank.curve, { ...bank.fees, program: PROGRAM_FEE }, utilization);
    if (rates === null) throw new Error('the curve has no answer');
    const missing = shown(rates.borrowApr).minus(theirs.computeInterestRates().borrowingRate);
    expect(rates.programFeeApr).toBe(rates.baseApr / 8n + fixed('0.0625'));
    expect(
      missing
        .minus(shown(rates.programFeeApr))
        .abs()
        .lte(4 * 2 ** -48),
    ).toBe(true);
  });

  it('shows an APY above 300 % where the SDK stops', () => {
    expect(sdkAprToApy(1.5)).toBe(3);
    expect(aprToApy(1.5)).toBeCloseTo((1 + 1.5 / 8766) ** 8766 - 1, 9);
  });

  it('shows any lower APY as the SDK does', () => {
    for (let apr = 0; apr < 1.38; apr += 0.001) {
      // The SDK adds the rate of an hour to one, which leaves half a unit of 2^-53, and raises that to the 8766th power.
      const allowed = 8766 * 2 ** -52 * (2 + aprToApy(apr));
      expect(Math.abs(aprToApy(apr) - sdkAprToApy(apr))).toBeLessThanOrEqual(allowed);
    }
  });

  it('projects shares to the moment where the SDK takes them as they are stored', () => {
    const aDayAgo = MOMENT.unixTimestamp - 86_400n;
    const { bank, theirs } = judgeBank(plainBank('a day old', { config: STEEP, lastUpdate: aDayAgo }));
    const now = accrueBank(bank.shares, bank.curve, { ...bank.fees, program: null }, MOMENT.unixTimestamp);
    if (now === null) throw new Error('the bank cannot accrue');
    const { lendingRate } = theirs.computeInterestRates();
    const interest = lendingRate.times(86_400).div(31_536_000).times(1_000_000);
    const missing = shown(totalAssetsOf(now)).minus(theirs.getTotalAssetQuantity());
    // A million shares carry the rounding of one share value, itself of a rate, a day of it and a product.
    expect(
      missing
        .minus(interest)
        .abs()
        .lte(1_000_000 * 4 * 2 ** -48),
    ).toBe(true);
    expect(interest.gt(800)).toBe(true);
  });

  it('leaves the last unit below a limit free where the SDK fills it', () => {
    vi.useFakeTimers({ now: Number(MOMENT.unixTimestamp) * 1000 });
    const { theirs, bank } = judgeBank(
      plainBank('limited', { config: { depositLimit: 1_500_000n, borrowLimit: 300_000n } }),
    );
    const { depositCapacity, borrowCapacity } = theirs.computeRemainingCapacity();
    expect([depositCapacity.toNumber(), borrowCapacity.toNumber()]).toEqual([500_000, 50_000]);
    expect(remainingCapacity(bank.depositLimit, 1_000_000n)).toBe(499_999n);
    expect(remainingCapacity(bank.borrowLimit, 250_000n)).toBe(49_999n);
  });

  it('divides an amount by the value of a share where the SDK multiplies', () => {
    const { theirs, bank } = judgeBank(plainBank('shares', { assetShareValue: fixed('1.25') }));
    const ours = shown(assetSharesFor(bank.shares, fixed('100')));
    expect(ours.toNumber()).toBe(80);
    expect(theirs.getAssetShares(new BigNumber(100)).toNumber()).toBe(80 * 1.25 ** 2);
  });

  it('knows no utilisation of a bank that owes without deposits where the SDK says none', () => {
    const { theirs, bank } = judgeBank(plainBank('empty', { totalAssetShares: 0n }));
    expect(computeUtilization(totalAssetsOf(bank.shares), totalLiabilitiesOf(bank.shares))).toBeNull();
    expect(theirs.computeUtilizationRate().toNumber()).toBe(0);
  });
});

/** 1 USD, with an interval of 2.12 × 0.01 USD. */
const UNSURE: PythPrice = {
  price: 100_000_000n,
  conf: 1_000_000n,
  emaPrice: 100_000_000n,
  emaConf: 1_000_000n,
  exponent: -8,
};

function bothBorrow({ account, market, theirs, bankAt }: OneAccount, index: number) {
  const target = bankAt(index);
  const key = new PublicKey(target.bank.address);
  const { maxBase, limitedBy } = maxBorrow(capacityState(account, market, target));
  return {
    ours: Number(maxBase),
    limitedBy,
    sdk: theirs.account.computeMaxBorrowForBank(theirs.banks, theirs.prices, key).toNumber(),
  };
}

function bothWithdraw({ account, market, theirs, bankAt }: OneAccount, index: number) {
  const target = bankAt(index);
  const key = new PublicKey(target.bank.address);
  const { maxBase, limitedBy } = maxWithdraw(capacityState(account, market, target));
  return {
    ours: Number(maxBase),
    limitedBy,
    sdk: theirs.account.computeMaxWithdrawForBank(theirs.banks, theirs.prices, key).toNumber(),
  };
}

describe('capacities the official SDK is known to judge otherwise', () => {
  beforeAll(() => {
    vi.spyOn(console, 'log').mockImplementation(() => {});
  });
  afterAll(() => {
    vi.restoreAllMocks();
  });

  it('agrees on plain banks, so that each case below differs by one thing', async () => {
    const plain = await oneAccount([plainBank('held'), plainBank('owed')], ['1500', '-300']);
    // 1500 USD of collateral, 900 of debt, 3 USD for a token owed, 1 for a token held.
    expect(bothBorrow(plain, 1)).toEqual({ ours: 200, limitedBy: 'health', sdk: 200 });
    expect(bothWithdraw(plain, 0)).toEqual({ ours: 600, limitedBy: 'health', sdk: 600 });
  });

  it('borrows nothing from a bank that holds a deposit, where the SDK withdraws that first', async () => {
    const one = await oneAccount([plainBank('held')], ['1500']);
    expect(bothBorrow(one, 0)).toEqual({ ours: 0, limitedBy: 'balance', sdk: 1500 });
  });

  it('stops below the borrow limit, of which the SDK knows nothing', async () => {
    const capped = plainBank('owed', { config: { borrowLimit: 250_100n } });
    const one = await oneAccount([plainBank('held'), capped], ['1500', '0']);
    expect(bothBorrow(one, 1)).toEqual({ ours: 99, limitedBy: 'borrow_cap', sdk: 500 });
  });

  it('stops at what the bank has not lent, of which the SDK knows nothing', async () => {
    const lent = plainBank('owed', { totalLiabilityShares: fixed('999900') });
    const one = await oneAccount([plainBank('held'), lent], ['1500', '0']);
    expect(bothBorrow(one, 1)).toEqual({ ours: 100, limitedBy: 'liquidity', sdk: 500 });
  });

  it('pays the origination fee out of health, where the SDK forgets it', async () => {
    const config = { interestRateConfig: { protocolOriginationFee: fixed('0.25') } };
    const one = await oneAccount([plainBank('held'), plainBank('owed', { config })], ['1500', '0']);
    expect(bothBorrow(one, 1)).toEqual({ ours: 400, limitedBy: 'health', sdk: 500 });
  });

  it('borrows nothing from a paused bank, where the SDK does not ask', async () => {
    const one = await oneAccount(
      [plainBank('held'), plainBank('owed', { config: { operationalState: 0 } })],
      ['1500', '0'],
    );
    expect(bothBorrow(one, 1)).toEqual({ ours: 0, limitedBy: 'state', sdk: 500 });
  });

  it('owes a share or nothing, where the SDK takes any fraction', async () => {
    const dear = plainBank('owed', { liabilityShareValue: fixed('4'), totalLiabilityShares: fixed('1000') });
    const one = await oneAccount([plainBank('held'), dear], ['9', '0']);
    expect(bothBorrow(one, 1)).toEqual({ ours: 0, limitedBy: 'health', sdk: 3 });
  });

  it('lets all of a deposit go that counts nothing initially, where the SDK holds on to its maintenance', async () => {
    const retired = plainBank('retired', { config: { assetWeightInit: 0n } });
    const one = await oneAccount([plainBank('held'), plainBank('owed'), retired], ['1500', '-300', '5000']);
    // The SDK: (1500 × 1.5 + 5000 × 1.5 − 300 × 2.5) ÷ 1.5.
    expect(bothWithdraw(one, 2)).toEqual({ ours: 5000, limitedBy: 'balance', sdk: 6000 });
  });

  it('stops before a rest below a share, where the SDK counts the rest', async () => {
    const dear = plainBank('held', { assetShareValue: fixed('4') });
    const one = await oneAccount([dear, plainBank('owed')], ['25', '-1']);
    // 100 units, of which 3 must stay; but less than 4 are less than a share and count nothing.
    expect(bothWithdraw(one, 0)).toEqual({ ours: 96, limitedBy: 'health', sdk: 97 });
  });

  it('counts the interval of a feed once in the liquidation price, where the SDK counts it twice', async () => {
    const one = await oneAccount([plainBank('held', {}, UNSURE), plainBank('owed')], ['1000', '-200']);
    const [point] = findLiquidationPoints(balancesOf(one.account, one.market));
    const key = new PublicKey(one.bankAt(0).bank.address);
    const theirs =
      one.theirs.account.computeLiquidationPriceForBank(one.theirs.banks, one.theirs.prices, key) ?? Number.NaN;
    // 200 tokens of 2 USD at 1.25, against 1000 tokens at 0.75.
    expect(shown(point?.price ?? 0n).toNumber()).toBeCloseTo(500 / 750 + 0.0212, 10);
    expect(theirs).toBeCloseTo(500 / 750 + 2 * 0.0212, 10);
  });
});
