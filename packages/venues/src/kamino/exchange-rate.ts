import { type FractionE18, fractionOf } from '@lending/domain';
import { LendingError } from '@lending/errors';
import type { KlendReserve } from '@lending/programs';
import { ceilSf, type FractionSf, floorSf, SF_ONE, toSf } from './scaled-fraction.ts';

/** What klend knows a reserve's receipts by: this much liquidity for that many cTokens. */
export interface CTokenRate {
  readonly liquiditySf: FractionSf;
  readonly cTokens: bigint;
}

/**
 * What belongs to a reserve's depositors, in base units.
 * @throws DECODE__VALUE_OUT_OF_RANGE where fees are more than there is, at which the program fails too.
 */
export function totalSupplySf({ liquidity }: Pick<KlendReserve, 'liquidity'>): FractionSf {
  const supply =
    toSf(liquidity.totalAvailableAmount) +
    liquidity.borrowedAmountSf -
    liquidity.accumulatedProtocolFeesSf -
    liquidity.accumulatedReferrerFeesSf -
    liquidity.pendingReferrerFeesSf;
  if (supply >= 0n) return supply;
  throw new LendingError('DECODE__VALUE_OUT_OF_RANGE', {
    message: `A Kamino reserve of ${liquidity.mintPubkey} owes more fees than it has, expected at most what it has`,
    context: { mint: liquidity.mintPubkey },
  });
}

/** One to one where there are no cTokens or nothing behind them. */
export function cTokenRateOf(reserve: Pick<KlendReserve, 'liquidity' | 'collateral'>): CTokenRate {
  const liquiditySf = totalSupplySf(reserve);
  const cTokens = reserve.collateral.mintTotalSupply;
  return cTokens === 0n || liquiditySf === 0n ? { liquiditySf: SF_ONE, cTokens: 1n } : { liquiditySf, cTokens };
}

/** What a withdrawal of so many cTokens pays. */
export function liquidityOfCTokens({ liquiditySf, cTokens }: CTokenRate, amount: bigint): bigint {
  return floorSf((amount * liquiditySf) / cTokens);
}

/** What klend takes for so many new cTokens. */
export function liquidityForCTokens({ liquiditySf, cTokens }: CTokenRate, amount: bigint): bigint {
  return ceilSf((amount * liquiditySf + cTokens - 1n) / cTokens);
}

/** How many cTokens a deposit mints. */
export function cTokensOfLiquidity({ liquiditySf, cTokens }: CTokenRate, amount: bigint): bigint {
  return toSf(amount * cTokens) / liquiditySf;
}

/** Tokens that one cToken is worth. klend's SDK gives the inverse under the same name. */
export function exchangeRateOf(reserve: Pick<KlendReserve, 'liquidity' | 'collateral'>): FractionE18 | null {
  const { liquiditySf, cTokens } = cTokenRateOf(reserve);
  return fractionOf(liquiditySf, toSf(cTokens));
}
