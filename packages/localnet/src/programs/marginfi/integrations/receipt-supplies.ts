import { divideI80F48, floorI80F48, type I80F48, integerToI80F48, multiplyI80F48 } from '@lending/domain';
import { isLendingError } from '@lending/errors';
import type { KAMINO_RESERVE } from '../state/kamino-state.ts';
import type { SOLEND_RESERVE } from '../state/solend-state.ts';
import { venueError } from './venue-error.ts';

const U64_MAX = 2n ** 64n - 1n;
/** The program's table of powers of ten ends here. */
const MAX_DECIMALS = 23;
/** klend keeps 60 fractional bits where the program keeps 48. */
const EXTRA_BITS = 12n;
const WAD = 10n ** 18n;

/** What a reserve has and how many receipts for it exist, in base units. */
export interface ReceiptSupplies {
  readonly liquidity: I80F48;
  readonly receipts: bigint;
  readonly decimals: number;
}

/** @see marginfi-v2 programs/kamino-mocks/src/state.rs `calculate_total_supply_i80f48` */
export function kaminoSupplies(reserve: ReturnType<typeof KAMINO_RESERVE.view>): ReceiptSupplies {
  const { totalAvailableAmount, borrowedAmountSf, mintTotalSupply, mintDecimals } = reserve;
  const { accumulatedProtocolFeesSf, accumulatedReferrerFeesSf, pendingReferrerFeesSf } = reserve;
  const liquidity =
    integerToI80F48(totalAvailableAmount) +
    (borrowedAmountSf >> EXTRA_BITS) -
    (accumulatedProtocolFeesSf >> EXTRA_BITS) -
    (accumulatedReferrerFeesSf >> EXTRA_BITS) -
    (pendingReferrerFeesSf >> EXTRA_BITS);
  return { liquidity, receipts: mintTotalSupply, decimals: Number(mintDecimals & 255n) };
}

/** @see marginfi-v2 programs/solend-mocks/src/state.rs `calculate_total_liquidity` */
export function solendSupplies(reserve: ReturnType<typeof SOLEND_RESERVE.view>): ReceiptSupplies {
  const liquidity =
    integerToI80F48(reserve.liquidityAvailableAmount) +
    fromWads(reserve.liquidityBorrowedAmountWads) -
    fromWads(reserve.accumulatedProtocolFeesWads);
  return {
    liquidity,
    receipts: reserve.collateralMintTotalSupply,
    decimals: reserve.liquidityMintDecimals,
  };
}

/** How many receipts tokens are to become. @throws AnchorError the venue's MathError */
export function receiptsFor(supplies: ReceiptSupplies, amountBase: bigint): bigint {
  return convert(supplies, amountBase, ({ liquidity, receipts }) => [receipts, liquidity]);
}

/** How many tokens receipts are to become. @throws AnchorError the venue's MathError */
export function tokensFor(supplies: ReceiptSupplies, receiptAmount: bigint): bigint {
  return convert(supplies, receiptAmount, ({ liquidity, receipts }) => [liquidity, receipts]);
}

/**
 * Both supplies are divided by 10^decimals first, as the program does, so that the result carries the rounding of 48 bits.
 * @see marginfi-v2 type-crate/src/types/price.rs `collateral_to_liquidity_from_scaled`
 */
function convert(
  { liquidity, receipts, decimals }: ReceiptSupplies,
  amount: bigint,
  ratioOf: (scaled: { readonly liquidity: I80F48; readonly receipts: I80F48 }) => readonly [I80F48, I80F48],
): bigint {
  if (decimals > MAX_DECIMALS) throw venueError('MathError');
  try {
    const scale = integerToI80F48(10n ** BigInt(decimals));
    const [numerator, denominator] = ratioOf({
      liquidity: divideI80F48(liquidity, scale),
      receipts: divideI80F48(integerToI80F48(receipts), scale),
    });
    const converted = floorI80F48(divideI80F48(multiplyI80F48(integerToI80F48(amount), numerator), denominator));
    if (converted < 0n || converted > U64_MAX) throw venueError('MathError');
    return converted;
  } catch (error) {
    // A division by nothing is out of range, too.
    if (isLendingError(error, 'DECODE__VALUE_OUT_OF_RANGE')) throw venueError('MathError');
    throw error;
  }
}

/** Whole tokens and what is left of one are converted apart, each rounded down. */
function fromWads(wads: bigint): I80F48 {
  return integerToI80F48(wads / WAD) + ((wads % WAD) << 48n) / WAD;
}
