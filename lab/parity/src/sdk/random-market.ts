import type { AccountBytes } from '@lending/venues';
import fc from 'fast-check';
import {
  accountBytes,
  type BankFields,
  bankBytes,
  type EmodeEntry,
  type Holding,
  type PythPrice,
  pythBytes,
  switchboardBytes,
} from './made-accounts.ts';

/** A bank and the feed it reads; null where its price is fixed. */
export interface MarketBank {
  readonly account: AccountBytes;
  readonly feed: AccountBytes | null;
}

/** Banks of one group and accounts that hold them, all as bytes. */
export interface Market {
  readonly banks: readonly MarketBank[];
  readonly accounts: readonly AccountBytes[];
}

const ONE = 2n ** 48n;
const BANKS = 17;
const ACCOUNTS = 16;
const SLOTS = 16;
/**
 * What e-mode calls a class of collateral; the SDK knows these and takes every other for none.
 * @see the named case of an unknown tag
 */
const TAGS = [501, 619, 871, 872, 1571, 1572, 57_481, 57_482];
const EXPONENTS = [-12, -11, -10, -9, -8, -7, -6, -5, -4, -3];

/** A raw I80F48 between two numbers. */
const between = (from: number, to: number): fc.Arbitrary<bigint> =>
  fc.bigInt({ min: BigInt(Math.round(from * 2 ** 48)), max: BigInt(Math.round(to * 2 ** 48)) });

/** Every order of magnitude alike, from 2^min to 2^max. */
const magnitude = (min: number, max: number): fc.Arbitrary<bigint> =>
  fc
    .integer({ min, max: max - 1 })
    .chain((bits) => fc.bigInt({ min: 2n ** BigInt(bits), max: 2n ** BigInt(bits + 1) }));

const oneIn = (count: number): fc.Arbitrary<boolean> => fc.integer({ min: 1, max: count }).map((draw) => draw === 1);

const fees = fc.record({
  insuranceFeeFixedApr: between(0, 0.05),
  insuranceIrFee: between(0, 0.3),
  protocolFixedFeeApr: between(0, 0.05),
  protocolIrFee: between(0, 0.3),
});

type Curve = NonNullable<NonNullable<BankFields['config']>['interestRateConfig']>;

const NO_POINT = { util: 0, rate: 0 };
const U32_MAX = 2 ** 32 - 1;

const pointsCurve: fc.Arbitrary<Curve> = fc
  .record({
    utils: fc.uniqueArray(fc.integer({ min: 1, max: U32_MAX - 1 }), { maxLength: 5 }),
    rates: fc.array(fc.integer({ min: 0, max: U32_MAX }), { minLength: 7, maxLength: 7 }),
  })
  .map(({ utils, rates }) => {
    const ascending = rates.sort((a, b) => a - b);
    const points = utils.sort((a, b) => a - b).map((util, index) => ({ util, rate: ascending[index + 1] ?? U32_MAX }));
    return {
      curveType: 1,
      zeroUtilRate: ascending[0] ?? 0,
      hundredUtilRate: ascending[6] ?? U32_MAX,
      points: [...points, NO_POINT, NO_POINT, NO_POINT, NO_POINT, NO_POINT].slice(0, 5),
    };
  });

const legacyCurve: fc.Arbitrary<Curve> = fc
  .record({ optimalUtilizationRate: between(0.01, 0.99), plateauInterestRate: between(0, 1), above: between(0, 9) })
  .map(({ above, ...curve }) => ({ curveType: 0, ...curve, maxInterestRate: curve.plateauInterestRate + above }));

type Oracle =
  | { readonly kind: 'pyth'; readonly price: PythPrice }
  | { readonly kind: 'switchboard'; readonly value: bigint }
  | { readonly kind: 'fixed'; readonly price: bigint };

const confidencePpm = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 46_000 }));

/** Intervals up to 9.9 % of the price: the program caps them at 5 % and refuses above 10 %. The SDK does the first alone. */
const pyth: fc.Arbitrary<Oracle> = fc
  .record({
    exponent: fc.constantFrom(...EXPONENTS),
    price: magnitude(24, 34),
    drift: fc.integer({ min: 900, max: 1100 }),
    confPpm: confidencePpm,
    emaConfPpm: confidencePpm,
    isSteady: fc.boolean(),
  })
  .map(({ exponent, price, drift, confPpm, emaConfPpm, isSteady }) => {
    const conf = (price * BigInt(confPpm)) / 1_000_000n;
    const emaPrice = (price * BigInt(drift)) / 1000n;
    const emaConf = (emaPrice * BigInt(emaConfPpm)) / 1_000_000n;
    const ema = isSteady ? { emaPrice: price, emaConf: conf } : { emaPrice, emaConf };
    return { kind: 'pyth', price: { exponent, price, conf, ...ema } };
  });

/** Without a deviation and without an interval of the bank's: the SDK takes the one, the program the other. */
const switchboard: fc.Arbitrary<Oracle> = magnitude(44, 74).map((value) => ({ kind: 'switchboard', value }));

const fixed: fc.Arbitrary<Oracle> = magnitude(28, 64).map((price) => ({ kind: 'fixed', price }));

const weights = fc
  .record({
    assetWeightInit: between(0.05, 1),
    moreAsset: between(0, 0.2),
    liabilityWeightMaint: between(1, 1.5),
    moreLiability: between(0, 1),
  })
  .map(({ assetWeightInit, moreAsset, liabilityWeightMaint, moreLiability }) => ({
    assetWeightInit,
    assetWeightMaint: assetWeightInit + moreAsset,
    liabilityWeightMaint,
    liabilityWeightInit: liabilityWeightMaint + moreLiability,
  }));

const bankDraw = fc.record({
  decimals: fc.constantFrom(0, 2, 5, 6, 6, 8, 9, 9, 12),
  assetShareValue: between(0.5, 3),
  liabilityShareValue: between(1, 5),
  totalAssetShares: magnitude(98, 101),
  utilization: fc.oneof(between(0, 1), between(0, 0.2), fc.constant(0n)),
  weights,
  fees,
  curve: fc.oneof(pointsCurve, legacyCurve),
  oracle: fc.oneof({ weight: 4, arbitrary: pyth }, switchboard, fixed),
  isIsolated: oneIn(10),
  isSol: oneIn(4),
  softLimitUsd: fc.option(magnitude(1, 40), { freq: 3 }),
  emodeTag: fc.constantFrom(0, 0, ...TAGS),
  favour: fc.array(fc.record({ init: between(0.5, 1.1), more: between(0, 0.1) }), { minLength: 8, maxLength: 8 }),
});

type BankDraw = typeof bankDraw extends fc.Arbitrary<infer T> ? T : never;

/** Which classes of collateral a class of debt favours. Two banks of one class never differ in it: the SDK would mistake them. */
type Favours = readonly (readonly boolean[])[];

function emodeOf(draw: BankDraw, favours: Favours | null): NonNullable<BankFields['emode']> {
  if (favours === null || draw.emodeTag === 0 || draw.isIsolated) return { tag: 0, entries: [] };
  const favoured = favours[TAGS.indexOf(draw.emodeTag)] ?? [];
  const entries = TAGS.flatMap((tag, index): EmodeEntry[] => {
    const weight = draw.favour[index];
    if (favoured[index] !== true || weight === undefined) return [];
    const { init, more } = weight;
    return [{ collateralBankEmodeTag: tag, assetWeightInit: init, assetWeightMaint: init + more }];
  });
  return { tag: draw.emodeTag, entries };
}

/** A soft limit is measured at the EMA; the SDK takes the spot price, so banks with one have a feed where both are the same. */
function hasOnePrice(oracle: Oracle): boolean {
  if (oracle.kind !== 'pyth') return true;
  return oracle.price.emaPrice === oracle.price.price && oracle.price.emaConf === oracle.price.conf;
}

const SETUP = { pyth: 3, switchboard: 4, fixed: 8 } as const;

function makeBank(seed: string, draw: BankDraw, favours: Favours | null): MarketBank {
  const { oracle, isIsolated } = draw;
  const totalAssets = (draw.totalAssetShares * draw.assetShareValue) / ONE;
  const totalLiabilities = (totalAssets * draw.utilization) / ONE;
  const noCollateral = { assetWeightInit: 0n, assetWeightMaint: 0n };
  const account = bankBytes(seed, {
    mintDecimals: draw.decimals,
    assetShareValue: draw.assetShareValue,
    liabilityShareValue: draw.liabilityShareValue,
    totalAssetShares: draw.totalAssetShares,
    totalLiabilityShares: (totalLiabilities * ONE) / draw.liabilityShareValue,
    config: {
      ...draw.weights,
      ...(isIsolated ? noCollateral : {}),
      interestRateConfig: { ...draw.fees, ...draw.curve },
      operationalState: 1,
      oracleSetup: SETUP[oracle.kind],
      riskTier: isIsolated ? 1 : 0,
      assetTag: draw.isSol ? 1 : 0,
      totalAssetValueInitLimit: hasOnePrice(oracle) ? (draw.softLimitUsd ?? 0n) : 0n,
      fixedPrice: oracle.kind === 'fixed' ? oracle.price : 0n,
    },
    emode: emodeOf(draw, favours),
  });
  return { account, feed: feedOf(seed, oracle) };
}

function feedOf(seed: string, oracle: Oracle): AccountBytes | null {
  switch (oracle.kind) {
    case 'pyth':
      return pythBytes(seed, oracle.price);
    case 'switchboard':
      return switchboardBytes(seed, oracle.value, 0n);
    case 'fixed':
      return null;
  }
}

const accountDraw = fc.record({
  banks: fc.uniqueArray(fc.integer({ min: 0, max: BANKS - 1 }), { minLength: 1, maxLength: SLOTS }),
  slots: fc.shuffledSubarray([...Array(SLOTS).keys()], { minLength: SLOTS }),
  /** In whole USD at about the bank's price, so that no balance drowns the others. */
  values: fc.array(magnitude(0, 24), { minLength: SLOTS, maxLength: SLOTS }),
  isDebt: fc.array(oneIn(3), { minLength: SLOTS, maxLength: SLOTS }),
  /** Debts shrink by so much: most accounts owe less than they hold. */
  debtShift: fc.integer({ min: 0, max: 12 }),
});

type AccountDraw = typeof accountDraw extends fc.Arbitrary<infer T> ? T : never;

function makeAccount(
  seed: string,
  draw: AccountDraw,
  banks: readonly MarketBank[],
  draws: readonly BankDraw[],
): AccountBytes {
  const holdings = draw.banks.flatMap((bankIndex, index): Holding[] => {
    const [bank, bankDraw, slot] = [banks[bankIndex], draws[bankIndex], draw.slots[index]];
    const [usd, isDebt] = [draw.values[index], draw.isDebt[index] === true];
    if (bank === undefined || bankDraw === undefined || slot === undefined || usd === undefined) return [];
    const shares = sharesWorth(isDebt ? usd >> BigInt(draw.debtShift) : usd, bankDraw);
    return [
      {
        bank: bank.account.address,
        assetTag: bankDraw.isSol ? 1 : 0,
        slot,
        assetShares: isDebt ? 0n : shares,
        liabilityShares: isDebt ? shares : 0n,
      },
    ];
  });
  return accountBytes(seed, holdings);
}

/** A sixteenth part of what the smallest bank holds, so that no account owns more than there is. */
const MOST_SHARES = 2n ** 94n;

/** About so many shares, with noise in the bits below the unit; never fewer than one, which counts as nothing. */
function sharesWorth(usd: bigint, { decimals, oracle }: BankDraw): bigint {
  const units = usd * 10n ** BigInt(decimals);
  const shares = (units * ONE * ONE) / roughPrice(oracle) + (units * 0x1234_5678_9abcn) / 1000n;
  if (shares < ONE) return ONE;
  return shares > MOST_SHARES ? MOST_SHARES : shares;
}

function roughPrice(oracle: Oracle): bigint {
  switch (oracle.kind) {
    case 'pyth':
      return (oracle.price.price * ONE) / 10n ** BigInt(-oracle.price.exponent) + 1n;
    case 'switchboard':
      return (oracle.value * ONE) / 10n ** 18n + 1n;
    case 'fixed':
      return oracle.price;
  }
}

/**
 * Markets that the SDK and the program judge alike. What they judge differently is left out here and has a named case each:
 * deviations of Switchboard feeds, confidence above the bank's limit, soft limits where EMA and spot differ, unknown e-mode
 * tags, collateral of reduce-only banks, banks of other venues, shares below one, origination fees, and banks not accrued to now.
 */
export const markets: fc.Arbitrary<Market> = fc
  .record({
    name: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
    bankDraws: fc.array(bankDraw, { minLength: BANKS, maxLength: BANKS }),
    accountDraws: fc.array(accountDraw, { minLength: ACCOUNTS, maxLength: ACCOUNTS }),
    favours: fc.option(
      fc.array(fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }), { minLength: 8, maxLength: 8 }),
      { freq: 2 },
    ),
  })
  .map(({ name, bankDraws, accountDraws, favours }) => {
    const banks = bankDraws.map((draw, index) => makeBank(`${name}/${index}`, draw, favours));
    const accounts = accountDraws.map((draw, index) => makeAccount(`${name}/${index}`, draw, banks, bankDraws));
    return { banks, accounts };
  });
