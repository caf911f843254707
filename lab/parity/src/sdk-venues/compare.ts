import { smallerOf, venueApy } from '@lending/domain';
import { driftSpotMarketLayout, type KlendReserve, klendReserveLayout, solendReserveLayout } from '@lending/programs';
import { expect } from 'vitest';
import { officialDrift, officialKamino, officialSave } from './official.ts';
import { ourDrift, ourKamino, ourSave } from './our-readings.ts';

type Curve = KlendReserve['config']['borrowRateCurve'];

const SLOT_MS = [350, 400, 500] as const;
const NOMINAL_SLOT_MS = 500;
const HALF_BPS = 0.00005;
const HOUR = 3_600n;
/** An amount of ours is rounded down to its base unit, one of theirs to a double. */
const BASE_UNIT = 1.000001;

/** Everything klend's SDK says of a reserve, but for what `differences.test.ts` names. */
export function compareKamino(data: Uint8Array): void {
  const { lastUpdate, config } = klendReserveLayout.decode(data);
  const unixTimestamp = BigInt(lastUpdate.timestamp);
  for (const slotMs of SLOT_MS) {
    const { rates } = ourKamino(data, { slotMs });
    const theirs = officialKamino(data, { slotMs, unixTimestamp });
    const [borrowApr, depositApr] = [float(rates.borrowApr), float(rates.depositApr)];
    const knot = knotError(config.borrowRateCurve, theirs.utilization, slotMs);
    expectNear('kamino borrow APR', borrowApr, theirs.borrowApr, knot);
    expectNear('kamino deposit APR', depositApr, theirs.depositApr, knot);
    const [borrowApy, depositApy] = [venueApy(borrowApr, 'kamino'), venueApy(depositApr, 'kamino')];
    expectNear('kamino borrow APY', borrowApy, theirs.borrowApy, powerError(borrowApy, knot));
    expectNear('kamino deposit APY', depositApy, theirs.depositApy, powerError(depositApy, knot));
    expectNear('kamino utilisation', float(rates.utilization), Math.min(theirs.utilization, 1));
  }
  const { sizes, limits, exchangeRateE18 } = ourKamino(data);
  const theirs = officialKamino(data, { slotMs: 400, unixTimestamp });
  const deposits = Number(theirs.deposits);
  expectNear('kamino deposits', Number(sizes.depositsBase), deposits, BASE_UNIT);
  expectNear('kamino borrows', Number(sizes.borrowsBase), Number(theirs.borrows), BASE_UNIT);
  expectNear('kamino exchange rate', float(exchangeRateE18), 1 / theirs.cTokensPerToken);
  const depositRoom = Math.max(0, Number(config.depositLimit) - deposits);
  expectNear('kamino deposit room', Number(limits.depositRoomBase), depositRoom, roomError(deposits));
  const { capacity, used } = theirs.withdrawCap;
  const isUnlimited = config.depositWithdrawalCap.configIntervalLengthSeconds === 0n;
  const capRoom = isUnlimited ? Number.POSITIVE_INFINITY : Math.max(0, Number(capacity) - Number(used));
  const withdrawRoom = Math.min(Number(sizes.availableBase), capRoom);
  expectNear('kamino withdraw room', Number(limits.withdrawRoomBase), withdrawRoom, roomError(capRoom));
  // The SDK never lends what fees have claimed, with or without a cap on utilisation.
  const unclaimed = Math.max(0, deposits - Number(theirs.borrows));
  const borrowRoom = Math.min(Number(limits.borrowRoomBase), unclaimed);
  expectNear('kamino borrow room', borrowRoom, Number(theirs.borrowRoom), roomError(deposits));
}

/** Everything Save's SDK says of a reserve, but for what `differences.test.ts` names. */
export function compareSave(data: Uint8Array): void {
  const { lastUpdate, liquidity } = solendReserveLayout.decode(data);
  const { slot } = lastUpdate;
  const tokens = 10 ** liquidity.mintDecimals;
  for (const slotMs of SLOT_MS) {
    const { rates } = ourSave(data, { slotMs });
    const theirs = officialSave(data, { slot, slotMs });
    expectNear('save borrow APR', float(rates.borrowApr), theirs.borrowApr);
    expectNear('save deposit APR', float(rates.depositApr), theirs.depositApr);
    expectNear('save utilisation', float(rates.utilization), theirs.borrows / (theirs.borrows + theirs.available));
  }
  const { rates, sizes, limits, exchangeRateE18 } = ourSave(data, { slotMs: 500 });
  const theirs = officialSave(data, { slot, slotMs: 500 });
  const [borrowApy, depositApy] = [
    venueApy(float(rates.borrowApr), 'solend'),
    venueApy(float(rates.depositApr), 'solend'),
  ];
  expectNear('save borrow APY', borrowApy, theirs.nominalBorrowApy, powerError(borrowApy));
  expectNear('save deposit APY', depositApy, theirs.nominalDepositApy, powerError(depositApy));
  expectNear('save deposits', Number(sizes.depositsBase), theirs.deposits * tokens, BASE_UNIT);
  expectNear('save borrows', Number(sizes.borrowsBase), theirs.borrows * tokens, BASE_UNIT);
  expectNear('save available', Number(sizes.availableBase), theirs.available * tokens, BASE_UNIT);
  expectNear('save exchange rate', float(exchangeRateE18), theirs.exchangeRate);
  expectNear('save deposit limit', Number(limits.depositLimitBase), theirs.depositLimit * tokens, BASE_UNIT);
  expectNear('save borrow limit', Number(limits.borrowLimitBase), theirs.borrowLimit * tokens, BASE_UNIT);
  const depositRoom = Math.max(0, (theirs.depositLimit - theirs.deposits) * tokens);
  expectNear('save deposit room', Number(limits.depositRoomBase), depositRoom, roomError(theirs.deposits * tokens));
}

/** Everything Drift's SDK says of a spot market, but for what `differences.test.ts` names: both count in integers, so to the last one. */
export function compareDrift(data: Uint8Array): void {
  const { cumulativeDepositInterest, insuranceFund } = driftSpotMarketLayout.decode(data);
  const { rates, sizes, limits } = ourDrift(data);
  const theirs = officialDrift(data);
  const unlent = theirs.deposits - theirs.borrows;
  expect({
    deposits: sizes.depositsBase,
    borrows: sizes.borrowsBase,
    utilization: rates.utilization,
    borrowApr: rates.borrowApr,
    depositApr: rates.depositApr,
    withdrawRoom: limits.withdrawRoomBase,
  }).toEqual({
    deposits: theirs.deposits,
    borrows: theirs.borrows,
    utilization: theirs.utilization * 10n ** 12n,
    borrowApr: theirs.borrowRate * 10n ** 12n,
    depositApr: theirs.depositRate * 10n ** 12n,
    // The SDK stops at the guards, the program at what is lent, too.
    withdrawRoom: atLeastZero(smallerOf(theirs.withdrawRoom, unlent)),
  });
  const { depositInterest, borrowInterest } = theirs.interestAfter(HOUR);
  const forFund = (depositInterest * BigInt(insuranceFund.totalFactor)) / 1_000_000n;
  const isBooked = depositInterest - forFund > 0n && borrowInterest > 1n;
  const index = cumulativeDepositInterest + (isBooked ? depositInterest - forFund : 0n);
  expect(ourDrift(data, { seconds: HOUR }).exchangeRateE18).toBe(index * 10n ** 8n);
}

/**
 * How far rates may be apart around a point of klend's curve: there the program rounds use to basis points and holds the point's own rate,
 * which the SDK does not. None elsewhere.
 */
function knotError({ points }: Curve, utilization: number, slotMs: number): number {
  const bps = Math.round(Math.min(utilization, 1) * 10_000);
  const at = points.findIndex(({ utilizationRateBps }) => utilizationRateBps === bps);
  if (at < 0) return 0;
  const slopes = [at - 1, at].map((index) => slopeAfter(points[index], points[index + 1]));
  return HALF_BPS * Math.max(...slopes) * (NOMINAL_SLOT_MS / slotMs);
}

function slopeAfter(from: Curve['points'][number] | undefined, to: Curve['points'][number] | undefined): number {
  if (from === undefined || to === undefined || from.utilizationRateBps === to.utilizationRateBps) return 0;
  return (to.borrowRateBps - from.borrowRateBps) / (to.utilizationRateBps - from.utilizationRateBps);
}

/** A room is a difference: it carries the rounding of what it was taken from, in doubles here. */
function roomError(of: number): number {
  return Number.isFinite(of) ? BASE_UNIT + Math.abs(of) * 1e-14 : BASE_UNIT;
}

function atLeastZero(value: bigint): bigint {
  return value > 0n ? value : 0n;
}

/** What the SDKs are held to. */
const RELATIVE = 1e-6;
/** Our fractions end at their eighteenth decimal, and a rate is a product of some: nobody earns less than this. */
const LAST_DECIMALS = 1e-15;

const furthest = new Map<string, number>();

/** How far apart numbers were at most, relative to their size, by what was compared. */
export function reportDistances(): string[] {
  return [...furthest].map(([what, distance]) => `${what}: ${distance.toExponential(1)}`);
}

/**
 * Holds a number of ours against the SDK's, within a millionth of it.
 * @param absolute what else they may be apart, where rounding of either is known to leave that much.
 */
export function expectNear(what: string, ours: number, theirs: number, absolute = 0): void {
  const distance = Math.abs(ours - theirs);
  const size = Math.max(Math.abs(ours), Math.abs(theirs));
  const allowed = Math.max(size * RELATIVE, absolute, LAST_DECIMALS);
  if (!(distance <= allowed))
    expect.fail(`${what}: ${ours} against ${theirs} of the SDK, ${(distance / size).toExponential(2)} apart`);
  if (distance > Math.max(absolute, LAST_DECIMALS))
    furthest.set(what, Math.max(furthest.get(what) ?? 0, distance / size));
}

/** A fraction of eighteen decimals as a float; unknown is nowhere near anything. */
export function float(valueE18: bigint | null): number {
  return valueE18 === null ? Number.NaN : Number(valueE18) / 1e18;
}

/**
 * What an APY may be off that is computed by raising a double to the 63,072,000th power: its base, just above one, ends at the 52nd bit.
 * @param aprError what the APR is off itself.
 */
export function powerError(apy: number, aprError = 0): number {
  return (63_072_000 * 2 ** -52 + aprError) * (1 + apy);
}
