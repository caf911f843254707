import { largerOf, smallerOf } from '@lending/domain';
import type { SolendReserve } from '@lending/programs';
import { divideWads, multiplyWads, toRate, WAD, wadsOfBps } from './wads.ts';

/** The greatest of the prices a reserve keeps, wads of USD: what debts and outflows are valued at. */
export function upperPrice({ liquidity, ...rest }: SolendReserve): bigint {
  const price = largerOf(liquidity.marketPrice, rest.smoothedMarketPrice);
  return rest.liquidityExtraMarketPriceFlag === 0 ? price : largerOf(price, rest.liquidityExtraMarketPrice);
}

/** The least of them: what collateral is valued at. */
export function lowerPrice({ liquidity, ...rest }: SolendReserve): bigint {
  const price = smallerOf(liquidity.marketPrice, rest.smoothedMarketPrice);
  return rest.liquidityExtraMarketPriceFlag === 0 ? price : smallerOf(price, rest.liquidityExtraMarketPrice);
}

/** What an amount of a reserve's base units (in wads) is worth at a price, wads of USD. */
export function valueAt(price: bigint, amountWads: bigint, reserve: SolendReserve): bigint {
  return divideWads(multiplyWads(price, amountWads), wholeToken(reserve));
}

/** The base units (in wads) that a value buys at the greatest of a reserve's prices. */
export function amountOfValue(valueWads: bigint, reserve: SolendReserve): bigint {
  return divideWads(multiplyWads(valueWads, wholeToken(reserve)), upperPrice(reserve));
}

/** What a debt counts for against its borrower's collateral, wads: one at least. */
export function borrowWeight({ addedBorrowWeightBps }: SolendReserve): bigint {
  return WAD + wadsOfBps(addedBorrowWeightBps);
}

/** Base units of one token, wads. The program raises ten in 128 bits. */
function wholeToken({ liquidity }: SolendReserve): bigint {
  return toRate(10n ** BigInt(liquidity.mintDecimals)) * WAD;
}
