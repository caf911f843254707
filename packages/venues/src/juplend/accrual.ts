import type { JuplendTokenReserve } from '@lending/programs';
import { castTo, divide, divideUp, refuse, u128 } from './checked.ts';

/** Scale of exchange prices. */
export const PRICE_ONE = 10n ** 12n;
/** Scale of rates, fees and utilisations. */
export const BASIS_ONE = 10_000n;
export const SECONDS_A_YEAR = 31_536_000n;
/** What shares of suppliers and borrowers are counted in before they are multiplied. */
const RATIO_ONE = 10n ** 17n;
/** No total of a mint may be more; base units. */
const MAX_TOTAL = (1n << 60n) - 1n;

/** Tokens per raw unit that was supplied or borrowed with interest, scaled by 10^12. */
export interface JuplendPrices {
  readonly supply: bigint;
  readonly borrow: bigint;
}

type Totals = Pick<
  JuplendTokenReserve,
  'totalSupplyWithInterest' | 'totalSupplyInterestFree' | 'totalBorrowWithInterest' | 'totalBorrowInterestFree'
>;

/**
 * Exchange prices of a mint as an update at `unixTimestamp` would write them: interest is simple between updates.
 * @throws DECODE__VALUE_OUT_OF_RANGE where the program fails, as for a clock behind the last update.
 * @see fluid-solana-programs programs/liquidity/src/state/token_reserve.rs `calculate_exchange_prices`
 */
export function accrueJuplendPrices(reserve: JuplendTokenReserve, unixTimestamp: bigint): JuplendPrices {
  const { supplyExchangePrice: supply, borrowExchangePrice: borrow } = reserve;
  if (supply === 0n || borrow === 0n) refuse('ExchangePriceZero');
  const rate = BigInt(reserve.borrowRate);
  const seconds = u128(unixTimestamp - reserve.lastUpdateTimestamp);
  if (seconds === 0n || rate === 0n || reserve.totalBorrowWithInterest === 0n) return { supply, borrow };

  const borrowed = divideUp(u128(borrow * rate * seconds), SECONDS_A_YEAR * BASIS_ONE);
  const accrued = { supply, borrow: u128(borrow + borrowed) };
  const supplyRate = juplendSupplyRateE12(reserve);
  if (supplyRate === null) return accrued;
  const earned = u128(supply * supplyRate * seconds) / (SECONDS_A_YEAR * BASIS_ONE) / BASIS_ONE ** 2n;
  return { ...accrued, supply: u128(supply + earned) };
}

/**
 * What suppliers with interest earn a year, 10^12 is one: the borrow rate, less the fee, on the part of their supply that pays.
 * Null where the program gives suppliers nothing, because nobody supplies with interest.
 * @throws DECODE__VALUE_OUT_OF_RANGE where the program fails.
 */
export function juplendSupplyRateE12(reserve: JuplendTokenReserve): bigint | null {
  const ratio = supplyYieldRatio(reserve);
  if (ratio === null) return null;
  return u128(u128(BigInt(reserve.borrowRate) * ratio) * u128(BASIS_ONE - BigInt(reserve.feeOnInterest)));
}

/** Supply and borrows of a mint by all protocols together, in base units: raw amounts at these prices and the rest. */
export function juplendTotals(
  reserve: Totals,
  prices: JuplendPrices,
): { readonly supply: bigint; readonly borrow: bigint } {
  const { supply, borrow } = scaledTotals(reserve, prices);
  return { supply: supply / PRICE_ONE, borrow: borrow / PRICE_ONE };
}

/**
 * Borrows over supply, 10_000 is one.
 * @param isGrowing which sides a deposit or borrow has just added to: their totals are held against the cap.
 * @throws DECODE__VALUE_OUT_OF_RANGE where the program fails.
 * @see fluid-solana-programs programs/liquidity/src/state/token_reserve.rs `calc_utilization`
 */
export function juplendUtilization(
  reserve: Totals,
  prices: JuplendPrices,
  isGrowing: { readonly supply?: boolean; readonly borrow?: boolean } = {},
): bigint {
  const { supply, borrow } = scaledTotals(reserve, prices);
  u128(supply);
  u128(borrow);
  if (supply === 0n) return 0n;
  const cap = MAX_TOTAL * PRICE_ONE;
  if (isGrowing.supply === true && supply > cap) refuse('ValueOverflowTotalSupply');
  if (isGrowing.borrow === true && borrow > cap) refuse('ValueOverflowTotalBorrow');
  return castTo(16, u128(borrow * BASIS_ONE) / supply);
}

function scaledTotals(reserve: Totals, prices: JuplendPrices) {
  return {
    supply: reserve.totalSupplyWithInterest * prices.supply + reserve.totalSupplyInterestFree * PRICE_ONE,
    borrow: reserve.totalBorrowWithInterest * prices.borrow + reserve.totalBorrowInterestFree * PRICE_ONE,
  };
}

/** The last utilisation, spread over those who earn and cut to those who pay; 10_000 is one. Ratios are of raw amounts. */
function supplyYieldRatio(reserve: JuplendTokenReserve): bigint | null {
  const { totalSupplyWithInterest: earning, totalSupplyInterestFree: free } = reserve;
  if (earning === 0n) return null;
  const utilization = BigInt(reserve.lastUtilization);
  const supplyRatio = smallerOverLarger(earning, free);
  if (earning < free && supplyRatio === 0n) return null;
  const spread =
    earning < free
      ? (utilization * (RATIO_ONE + (RATIO_ONE * BASIS_ONE) / supplyRatio)) / BASIS_ONE
      : (utilization * RATIO_ONE * (BASIS_ONE + supplyRatio)) / BASIS_ONE ** 2n;
  return (u128((spread * payingPart(reserve)) / RATIO_ONE) * BASIS_ONE) / RATIO_ONE;
}

/** The part of borrowers who pay interest, scaled by 10^17. */
function payingPart({ totalBorrowWithInterest: paying, totalBorrowInterestFree: free }: Totals): bigint {
  const ratio = smallerOverLarger(paying, free);
  const smallerPart = (ratio * RATIO_ONE) / (BASIS_ONE + ratio);
  return paying < free ? smallerPart : RATIO_ONE - smallerPart;
}

function smallerOverLarger(one: bigint, other: bigint): bigint {
  const [smaller, larger] = one < other ? [one, other] : [other, one];
  return larger === 0n ? 0n : divide(smaller * BASIS_ONE, larger);
}
