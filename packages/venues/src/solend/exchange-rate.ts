import type { SolendReserve } from '@lending/programs';
import { addWads, divideWads, subtractWads, toRate, WAD } from './wads.ts';

/** Base units in wads: what is there and what is lent, without what the protocol has taken. */
export function totalSupplyWads({ liquidity, accumulatedProtocolFeesWads }: SolendReserve): bigint {
  return subtractWads(
    addWads(liquidity.availableAmount * WAD, liquidity.borrowedAmountWads),
    accumulatedProtocolFeesWads,
  );
}

/** cTokens per token as the program has it, in wads: one where there are none of either. */
export function receiptsPerToken(reserve: SolendReserve): bigint {
  const supply = totalSupplyWads(reserve);
  const receipts = reserve.collateral.mintTotalSupply;
  return receipts === 0n || supply === 0n ? WAD : toRate(divideWads(receipts * WAD, supply));
}

/** Tokens that one whole cToken is worth, 18 decimals. Both have the same decimals. */
export function exchangeRateOf(reserve: SolendReserve): bigint {
  const supply = totalSupplyWads(reserve);
  const receipts = reserve.collateral.mintTotalSupply;
  return receipts === 0n || supply === 0n ? WAD : supply / receipts;
}
