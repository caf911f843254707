import {
  assetWeightOf,
  type BalanceSide,
  curveCorners,
  emodeOf,
  type I80F48,
  type InterestCurve,
  liabilityWeightOf,
  type RateCorner,
  type ReconciledEmode,
  type Requirement,
  type RiskBalance,
  sideOf,
} from '@lending/domain';
import type { P0Bank, PriceFeed } from '@lending/venues';
import type { JudgedBank, JudgedMarket } from './judged-market.ts';

/**
 * How far two evaluations of one formula may stand apart: ours, where every product and quotient loses less than one unit of 2^-48,
 * and the official SDK's, which keeps 20 significant digits of each number it decodes and 20 decimals of each quotient, and is
 * exact otherwise. This is running error analysis: nothing is guessed, and a formula that differs by more than rounding cannot hide.
 */
export interface Rounded {
  /** About the value both have; only its size matters. */
  readonly value: number;
  /** No two results stand further apart. */
  readonly error: number;
}

/** One unit of our fixed point. */
const OUR_UNIT = 2 ** -48;
/** Half a unit of the SDK's twentieth decimal. */
const SDK_QUOTIENT = 0.5e-20;
/** Twenty significant digits, rounded when the integer is read and again when it is divided by 2^48. */
const SDK_DECODED = 1e-19;
/** The doubles of this file themselves: far below what is bounded, far above their own 2^-53. */
const SLACK = 1 + 1e-9;

/** A number both read from the same bytes. */
function decoded(raw: I80F48): Rounded {
  const value = Number(raw) / 2 ** 48;
  return { value, error: Math.abs(value) * SDK_DECODED };
}

/** A number of which the SDK has decimal text and we the nearest fixed point. */
export function fromText(raw: I80F48): Rounded {
  const { value, error } = decoded(raw);
  return { value, error: error + OUR_UNIT / 2 };
}

/** A number both hold exactly. */
function exactly(value: number): Rounded {
  return { value, error: 0 };
}

/** A constant that fixed point holds to the nearest unit and the SDK in decimals. */
function constant(value: number): Rounded {
  return { value, error: OUR_UNIT / 2 };
}

function plus(a: Rounded, b: Rounded): Rounded {
  return { value: a.value + b.value, error: (a.error + b.error) * SLACK };
}

function minus(a: Rounded, b: Rounded): Rounded {
  return { value: a.value - b.value, error: (a.error + b.error) * SLACK };
}

function times(a: Rounded, b: Rounded): Rounded {
  const carried = Math.abs(a.value) * b.error + Math.abs(b.value) * a.error + a.error * b.error;
  return { value: a.value * b.value, error: (carried + OUR_UNIT) * SLACK };
}

function over(a: Rounded, b: Rounded): Rounded {
  const value = a.value / b.value;
  const room = Math.abs(b.value) - b.error;
  const carried = room > 0 ? (a.error + Math.abs(value) * b.error) / room : Number.POSITIVE_INFINITY;
  return { value, error: (carried + OUR_UNIT + SDK_QUOTIENT) * SLACK };
}

/** An amount that the SDK, and only it, divides into UI units of so many decimals and passes through a double. */
function throughUiUnits(amount: Rounded, decimals: number): Rounded {
  return { value: amount.value, error: amount.error + SDK_QUOTIENT * 10 ** decimals + throughDouble(amount.value) };
}

/** What a number may lose as a JavaScript number: half a unit when it becomes one, half again as the shortest decimals that name it. */
function throughDouble(value: number): number {
  return Math.abs(value) * 2 ** -52;
}

/** The lesser of the two: it moves no more than either. */
function least(a: Rounded, b: Rounded): Rounded {
  return { value: Math.min(a.value, b.value), error: Math.max(a.error, b.error) };
}

function sum(terms: readonly Rounded[]): Rounded {
  return terms.reduce(plus, exactly(0));
}

/** Ours is whole units, found by trying: the SDK's is rounded down to them, and a share too few may be bought for one more. */
const WHOLE_UNITS = 2;

/** Free collateral, never below zero, and how far apart it may stand. */
function freeCollateralBound(balances: readonly RiskBalance[], market: JudgedMarket): Rounded {
  const { assets, liabilities } = healthBound(balances, market, 'initial');
  const free = minus(assets, liabilities);
  return { value: Math.max(0, free.value), error: free.error };
}

/**
 * Base units that free collateral borrows. `balances` has the debt already, however small, because it decides on e-mode; what its own
 * value is rounded by counts as well, at the size it will have.
 */
export function borrowBound(balances: readonly RiskBalance[], market: JudgedMarket, debt: RiskBalance): Rounded {
  const { priceBound } = market.banks.get(debt.bank.address) as JudgedBank;
  const weight = decoded(debt.bank.weights.liabilityInit);
  const unitUsd = times(priceBound.ema.high, weight);
  const free = freeCollateralBound(balances, market);
  const amount = times(over(free, unitUsd), scaleBound(debt));
  const whole = plus(liabilityAmountBound(debt), exactly(amount.value));
  const { error } = valueBound(debt, whole, weight, priceBound.ema.high);
  return inWholeUnits(times(over({ ...free, error: free.error + error }, unitUsd), scaleBound(debt)));
}

/** Base units of a deposit that free collateral lets go of. */
export function withdrawBound(balances: readonly RiskBalance[], market: JudgedMarket, deposit: RiskBalance): Rounded {
  const { low } = (market.banks.get(deposit.bank.address) as JudgedBank).priceBound.ema;
  const own = decoded(assetWeightOf(deposit.bank, 'initial', emodeOf(balances)));
  const weight = times(own, discountBound(deposit, low));
  const free = freeCollateralBound(balances, market);
  const { error } = valueBound(deposit, assetAmountBound(deposit), weight, low);
  return inWholeUnits(times(over({ ...free, error: free.error + error }, times(low, weight)), scaleBound(deposit)));
}

/** A whole deposit, which the SDK passes through a double on its way to UI units. */
export function wholeDepositBound(deposit: RiskBalance): Rounded {
  return inWholeUnits(throughUiUnits(assetAmountBound(deposit), deposit.bank.decimals));
}

/** The price at which maintenance is met exactly, for a bank whose feed has no interval. */
export function liquidationBound(
  balances: readonly RiskBalance[],
  market: JudgedMarket,
  {
    balance,
    side,
    weight,
  }: { readonly balance: RiskBalance; readonly side: 'asset' | 'liability'; readonly weight: I80F48 },
): Rounded {
  const { assets, liabilities } = healthBound(balances, market, 'maintenance');
  const { spot } = (market.banks.get(balance.bank.address) as JudgedBank).priceBound.spot;
  const amount = side === 'asset' ? assetAmountBound(balance) : liabilityAmountBound(balance);
  const own = valueBound(balance, amount, decoded(weight), spot);
  const needed = side === 'asset' ? minus(liabilities, minus(assets, own)) : minus(assets, minus(liabilities, own));
  const quantity = times(throughUiUnits(amount, balance.bank.decimals), decoded(weight));
  const price = over(times(needed, scaleBound(balance)), quantity);
  return { value: price.value, error: price.error + throughDouble(price.value) };
}

function inWholeUnits({ value, error }: Rounded): Rounded {
  return { value, error: error + WHOLE_UNITS };
}

interface HealthBound {
  readonly assets: Rounded;
  readonly liabilities: Rounded;
}

/** How far the totals of an account may stand apart between our risk engine and the SDK. */
export function healthBound(
  balances: readonly RiskBalance[],
  { banks }: JudgedMarket,
  requirement: Requirement,
  emode: ReconciledEmode = emodeOf(balances),
): HealthBound {
  const valued = balances.map((balance) => {
    const { priceBound } = banks.get(balance.bank.address) as JudgedBank;
    const band = requirement === 'maintenance' ? priceBound.spot : priceBound.ema;
    return { side: sideOf(balance), balance, band };
  });
  const assets = valued
    .filter(({ side, balance }) => side === 'asset' && balance.bank.riskTier !== 'Isolated')
    .map(({ balance, band }) => {
      const own = decoded(assetWeightOf(balance.bank, requirement, emode));
      const weight = requirement === 'initial' ? times(own, discountBound(balance, band.low)) : own;
      return valueBound(balance, assetAmountBound(balance), weight, band.low);
    });
  const liabilities = valued
    .filter(({ side }) => side === 'liability')
    .map(({ balance, band }) => {
      const weight = decoded(liabilityWeightOf(balance.bank, requirement));
      return valueBound(balance, liabilityAmountBound(balance), weight, band.high);
    });
  return { assets: sum(assets), liabilities: sum(liabilities) };
}

/** How far net worth may stand apart: spot prices, no weights, no edges. */
export function worthBound(balances: readonly RiskBalance[], { banks }: JudgedMarket): HealthBound {
  const worth = (side: BalanceSide, amountOf: (balance: RiskBalance) => Rounded) =>
    balances
      .filter((balance) => sideOf(balance) === side)
      .map((balance) => {
        const { spot } = (banks.get(balance.bank.address) as JudgedBank).priceBound;
        return valueBound(balance, amountOf(balance), exactly(1), spot.spot);
      });
  return { assets: sum(worth('asset', assetAmountBound)), liabilities: sum(worth('liability', liabilityAmountBound)) };
}

export function assetAmountBound({ assetShares, bank }: RiskBalance): Rounded {
  return times(decoded(assetShares), decoded(bank.shares.assetShareValue));
}

export function liabilityAmountBound({ liabilityShares, bank }: RiskBalance): Rounded {
  return times(decoded(liabilityShares), decoded(bank.shares.liabilityShareValue));
}

function scaleBound({ bank }: RiskBalance): Rounded {
  return exactly(10 ** bank.decimals);
}

function valueBound(balance: RiskBalance, amount: Rounded, weight: Rounded, price: Rounded): Rounded {
  return over(times(times(amount, weight), price), scaleBound(balance));
}

/** The soft limit over what the bank holds, where that is more. Both sides of the edge are within the bound of each other. */
function discountBound(balance: RiskBalance, low: Rounded): Rounded {
  const { totalAssetValueInitLimitUsd: limit, shares } = balance.bank;
  if (limit === null) return exactly(1);
  const deposits = times(decoded(shares.totalAssetShares), decoded(shares.assetShareValue));
  const depositsUsd = over(times(deposits, low), scaleBound(balance));
  return least(exactly(1), over(exactly(Number(limit)), depositsUsd));
}

interface BandBound {
  readonly spot: Rounded;
  readonly low: Rounded;
  readonly high: Rounded;
}

/** How far our prices and the SDK's may stand apart. */
export interface PriceBound {
  readonly spot: BandBound;
  readonly ema: BandBound;
}

const PYTH_INTERVALS = constant(2.12);
const WIDEST = constant(0.05);
const SWITCHBOARD_SCALE = exactly(1e18);

export function priceBound(feed: PriceFeed): PriceBound {
  switch (feed.kind) {
    case 'pyth': {
      const scale = exactly(10 ** -feed.exponent);
      const band = (price: bigint, conf: bigint) =>
        bandAround(over(exactly(Number(price)), scale), times(over(exactly(Number(conf)), scale), PYTH_INTERVALS));
      return { spot: band(feed.price, feed.conf), ema: band(feed.emaPrice, feed.emaConf) };
    }
    case 'switchboard': {
      const price = over(exactly(Number(feed.value)), SWITCHBOARD_SCALE);
      const band = { spot: price, low: price, high: price };
      return { spot: band, ema: band };
    }
    case 'scope':
      throw new TypeError('The SDK that is compared with reads no price of Scope');
    case 'fixed': {
      const price = decoded(feed.price);
      const band = { spot: price, low: price, high: price };
      return { spot: band, ema: band };
    }
  }
}

function bandAround(price: Rounded, interval: Rounded): BandBound {
  const half = least(interval, times(price, WIDEST));
  return { spot: price, low: minus(price, half), high: plus(price, half) };
}

/** How far totals and rates of one bank may stand apart between ours and the SDK's. */
export interface RatesBound {
  readonly totalAssets: Rounded;
  readonly totalLiabilities: Rounded;
  readonly utilization: Rounded;
  readonly baseApr: Rounded;
  readonly depositApr: Rounded;
  readonly borrowApr: Rounded;
}

/** What rates are made of. `read` says how well both know a number: from the same bytes, or ours from the SDK's decimal text. */
export function ratesBound(
  { shares, curve, fees }: Pick<P0Bank, 'shares' | 'curve' | 'fees'>,
  read: (raw: I80F48) => Rounded = decoded,
): RatesBound {
  const totalAssets = times(read(shares.totalAssetShares), read(shares.assetShareValue));
  const totalLiabilities = times(read(shares.totalLiabilityShares), read(shares.liabilityShareValue));
  const utilization = totalAssets.value === 0 ? exactly(0) : over(totalLiabilities, totalAssets);
  const baseApr = baseAprBound(curve, utilization, read);
  const rate = sum([exactly(1), read(fees.insurance.rate), read(fees.group.rate)]);
  const fixedApr = plus(read(fees.insurance.fixedApr), read(fees.group.fixedApr));
  return {
    totalAssets,
    totalLiabilities,
    utilization,
    baseApr,
    depositApr: times(baseApr, utilization),
    borrowApr: plus(times(baseApr, rate), fixedApr),
  };
}

interface Corner {
  readonly utilization: Rounded;
  readonly baseApr: Rounded;
}

/**
 * The two sides may see a utilisation on different sides of a corner; a curve without jumps keeps them within the error of the
 * utilisation times the steepest slope it can lie on.
 */
function baseAprBound(curve: InterestCurve, utilization: Rounded, read: (raw: I80F48) => Rounded): Rounded {
  const onCurve = curveBound(curve, utilization, read);
  return { value: onCurve.value, error: onCurve.error + utilization.error * steepestSlope(curve, utilization) };
}

function curveBound(curve: InterestCurve, utilization: Rounded, read: (raw: I80F48) => Rounded): Rounded {
  switch (curve.kind) {
    case 'points':
      return pointsBound(curve.corners.map(cornerBound), { ...utilization, value: Math.min(utilization.value, 1) });
    case 'legacy': {
      const [optimal, plateau] = [read(curve.optimalUtilization), read(curve.plateauApr)];
      if (utilization.value <= optimal.value) return times(over(utilization, optimal), plateau);
      const share = over(minus(utilization, optimal), minus(exactly(1), optimal));
      return plus(times(share, minus(read(curve.maxApr), plateau)), plateau);
    }
    case 'unknown':
      throw new Error('the generator makes curves of two kinds only');
  }
}

interface Corner {
  readonly utilization: Rounded;
  readonly baseApr: Rounded;
}

/** A u32 over its greatest, which each side divides for itself; the rate is ten times that. */
function cornerBound(corner: RateCorner): Corner {
  const utilization = over(decoded(corner.utilization), exactly(1));
  const baseApr = times(over(decoded(corner.baseApr / 10n), exactly(1)), exactly(10));
  return { utilization, baseApr };
}

function pointsBound(corners: readonly Corner[], utilization: Rounded): Rounded {
  const isReached = (corner: Corner, index: number) => index > 0 && utilization.value <= corner.utilization.value;
  const end = Math.max(1, corners.findIndex(isReached));
  const [from, to] = [corners[end - 1] as Corner, corners[end] as Corner];
  const proportion = over(minus(utilization, from.utilization), minus(to.utilization, from.utilization));
  return plus(times(minus(to.baseApr, from.baseApr), proportion), from.baseApr);
}

function steepestSlope(curve: InterestCurve, { value, error }: Rounded): number {
  const corners = curveCorners(curve);
  const slopes = corners.slice(1).map((to, index) => {
    const from = corners[index] as RateCorner;
    const [start, end] = [Number(from.utilization) / 2 ** 48, Number(to.utilization) / 2 ** 48];
    const isReached = value + error >= start && value - error <= end;
    return isReached ? Number(to.baseApr - from.baseApr) / Number(to.utilization - from.utilization) : 0;
  });
  return Math.max(...slopes);
}
