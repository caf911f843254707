import {
  addI80F48,
  assetAmountOf,
  type BankShares,
  computeInterestRates,
  computeUtilization,
  divideI80F48,
  floorI80F48,
  type I80F48,
  I80F48_ONE,
  I80F48_ZERO,
  type InterestCurve,
  integerToI80F48,
  liabilityAmountOf,
  multiplyI80F48,
  smallerOf,
  U64_MAX,
} from '@lending/domain';
import type { JuplendLending, JuplendRewardsRateModel, JuplendTokenReserve, KlendReserve } from '@lending/programs';
import { juplendSupplyRateE12, juplendUtilization } from '@lending/venues';
import { kaminoSupplies } from '../integrations/kamino.ts';

const NO_FEES = { insurance: { rate: 0n, fixedApr: 0n }, group: { rate: 0n, fixedApr: 0n }, program: null };
const FULL_BPS = integerToI80F48(10_000n);
const HUNDRED = integerToI80F48(100n);
const HALF: I80F48 = I80F48_ONE / 2n;
/** klend keeps 60 fractional bits where the program keeps 48. */
const EXTRA_BITS = 12n;
const KAMINO_SLOTS_PER_YEAR = integerToI80F48(63_072_000n);
const OBSOLETE = 1;
/** Scales of JupLend's prices, of its rates of interest, and of its rewards, which are half of one a year at most. */
const PRICE_ONE = 10n ** 12n;
const REWARD_ONE = 10n ** 14n;
const MAX_REWARD = REWARD_ONE / 2n;
const SECONDS_PER_YEAR = 31_536_000n;

/**
 * What lenders of one of P0's own banks would earn a year with so much more deposited; 1 is 100 %.
 * @param extraBase base units.
 * @see marginfi-v2 programs/marginfi/src/state/rate.rs `NativeRateModel` (known by its name and its use; its body is not stored)
 */
export function nativeSupplyRate(shares: BankShares, curve: InterestCurve, extraBase: bigint): I80F48 {
  const assets = addI80F48(assetAmountOf(shares, shares.totalAssetShares), integerToI80F48(extraBase));
  const liabilities = liabilityAmountOf(shares, shares.totalLiabilityShares);
  if (assets === 0n || liabilities === 0n) return I80F48_ZERO;
  const utilization = computeUtilization(assets, liabilities);
  return utilization === null
    ? I80F48_ZERO
    : (computeInterestRates(curve, NO_FEES, utilization)?.depositApr ?? I80F48_ZERO);
}

/**
 * The same of a Kamino reserve, its own rewards included. A slot counts as half a second, as klend has it: the program measures the epoch
 * instead where its clock allows, which that of a young chain does not.
 * @param maxRewardBps the market's ceiling on rewards.
 * @see marginfi-v2 programs/kamino-mocks/src/state.rs `kamino_supply_apr_from_parts`, `kamino_rewards_apr_from_parts`
 */
export function kaminoSupplyRate(reserve: KlendReserve, maxRewardBps: number, extraBase: bigint): I80F48 | null {
  const supply = addI80F48(kaminoTotalSupply(reserve), integerToI80F48(extraBase));
  if (supply <= 0n) return null;
  const utilization = divideI80F48(reserve.liquidity.borrowedAmountSf >> EXTRA_BITS, supply);
  const curve = kaminoBorrowRate(reserve, utilization);
  if (curve === null) return null;
  const taken = divideI80F48(integerToI80F48(BigInt(reserve.config.protocolTakeRatePct)), HUNDRED);
  const interest = multiplyI80F48(multiplyI80F48(curve, utilization), I80F48_ONE - taken);
  return addI80F48(interest, kaminoRewardRate(reserve, maxRewardBps, supply));
}

/** Base units a Kamino reserve still takes. @see marginfi-v2 programs/kamino-mocks/src/state.rs `remaining_deposit_capacity` */
export function kaminoDepositRoom(reserve: KlendReserve): bigint {
  const { status, emergencyMode, depositLimit } = reserve.config;
  if (status === OBSOLETE || emergencyMode !== 0) return 0n;
  if (depositLimit === U64_MAX) return U64_MAX;
  const room = integerToI80F48(depositLimit) - kaminoTotalSupply(reserve);
  return room <= 0n ? 0n : smallerOf(floorI80F48(room), depositLimit);
}

/**
 * The same of a JupLend pool: the liquidity layer's rate at its stored borrow rate, and the rewards of the moment.
 * @param fTokenSupply base units of the pool's fToken.
 * @see marginfi-v2 programs/juplend-mocks/src/state.rs `supply_rate_at`, `rewards_apr`
 */
export function juplendSupplyRate(
  pool: {
    readonly lending: Pick<JuplendLending, 'tokenExchangePrice'>;
    readonly reserve: JuplendTokenReserve;
    readonly rewards: JuplendRewardsRateModel;
    readonly fTokenSupply: bigint;
  },
  extraBase: bigint,
  unixTimestamp: bigint,
): I80F48 {
  const { lending, reserve, rewards, fTokenSupply } = pool;
  const totalAssets = (lending.tokenExchangePrice * fTokenSupply) / PRICE_ONE + extraBase;
  const reward = juplendRewardRate(rewards, totalAssets, unixTimestamp);
  const paid = divideI80F48(integerToI80F48(reward), integerToI80F48(REWARD_ONE));
  return addI80F48(juplendInterest(reserve, extraBase), paid);
}

function kaminoTotalSupply({ liquidity, collateral }: KlendReserve): I80F48 {
  return kaminoSupplies({ ...liquidity, mintTotalSupply: collateral.mintTotalSupply }).liquidity;
}

/** Between two knots by the exact utilisation; whole basis points choose them, and a knot's own rate holds half a point around it. */
function kaminoBorrowRate({ config }: KlendReserve, utilization: I80F48): I80F48 | null {
  const clamped = smallerOf(utilization, I80F48_ONE);
  const bps = Number(floorI80F48(multiplyI80F48(clamped, FULL_BPS) + HALF));
  const { points } = config.borrowRateCurve;
  const at = points.findIndex(
    (from, index) => bps >= from.utilizationRateBps && bps <= (points[index + 1]?.utilizationRateBps ?? -1),
  );
  const [from, to] = [points[at === -1 ? 0 : at], points[at === -1 ? 1 : at + 1]];
  if (from === undefined || to === undefined) return null;
  if (bps === from.utilizationRateBps) return ofBps(from.borrowRateBps);
  if (bps === to.utilizationRateBps) return ofBps(to.borrowRateBps);
  const [rise, run] = [to.borrowRateBps - from.borrowRateBps, to.utilizationRateBps - from.utilizationRateBps];
  if (rise < 0 || run <= 0) return null;
  const distance = clamped - ofBps(from.utilizationRateBps);
  const above = divideI80F48(multiplyI80F48(distance, integerToI80F48(BigInt(rise))), integerToI80F48(BigInt(run)));
  return addI80F48(above, ofBps(from.borrowRateBps));
}

function kaminoRewardRate({ liquidity, collateral, config }: KlendReserve, maxBps: number, supply: I80F48): I80F48 {
  const { rewardsAmountAvailable } = liquidity;
  const perSlot = config.rewardsAmountPerSlot;
  if (maxBps === 0 || perSlot === 0n || rewardsAmountAvailable === 0n || collateral.mintTotalSupply === 0n) return 0n;
  const ceiling = divideI80F48(
    multiplyI80F48(supply, integerToI80F48(BigInt(maxBps))),
    multiplyI80F48(FULL_BPS, KAMINO_SLOTS_PER_YEAR),
  );
  const paid = [integerToI80F48(perSlot), ceiling, integerToI80F48(rewardsAmountAvailable)].reduce(smallerOf);
  return divideI80F48(multiplyI80F48(paid, KAMINO_SLOTS_PER_YEAR), supply);
}

function ofBps(bps: number): I80F48 {
  return divideI80F48(integerToI80F48(BigInt(bps)), FULL_BPS);
}

function juplendInterest(reserve: JuplendTokenReserve, extraBase: bigint): I80F48 {
  const { supplyExchangePrice: supply, borrowExchangePrice: borrow } = reserve;
  const { totalBorrowWithInterest, totalSupplyWithInterest } = reserve;
  if (supply === 0n || borrow === 0n || reserve.borrowRate === 0 || totalBorrowWithInterest === 0n) return I80F48_ZERO;
  const grown = {
    ...reserve,
    totalSupplyWithInterest: totalSupplyWithInterest + (extraBase * PRICE_ONE) / supply,
  };
  const lastUtilization =
    extraBase === 0n ? reserve.lastUtilization : Number(juplendUtilization(grown, { supply, borrow }));
  const rate = juplendSupplyRateE12({ ...grown, lastUtilization }) ?? 0n;
  return divideI80F48(integerToI80F48(rate), integerToI80F48(PRICE_ONE));
}

/** 10^14 is one. In the second in which the running reward ends, the one queued behind it does not pay yet. */
function juplendRewardRate(model: JuplendRewardsRateModel, totalAssets: bigint, now: bigint): bigint {
  if (totalAssets === 0n || totalAssets < model.startTvl) return 0n;
  const yearly = juplendYearlyReward(model, now);
  return smallerOf((yearly * REWARD_ONE) / totalAssets, MAX_REWARD);
}

function juplendYearlyReward(model: JuplendRewardsRateModel, now: bigint): bigint {
  const { startTime, nextDuration, nextRewardAmount } = model;
  const end = startTime + model.duration;
  if (startTime > 0n && now >= startTime && now < end) return model.yearlyReward;
  const isNext = nextRewardAmount > 0n && nextDuration > 0n && now > end && now < end + nextDuration;
  return isNext ? (nextRewardAmount * SECONDS_PER_YEAR) / nextDuration : 0n;
}
