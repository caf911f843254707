import { ASSET_TAG, balanceDecimals } from '../asset-tag.ts';
import { FRACTION_ONE, type FractionE18 } from '../fraction.ts';

/**
 * How a bank of another venue books tokens: as receipts (cTokens, fTokens, Drift's scaled balance). Amounts are base units, of the mint and
 * of a receipt.
 */
export interface BookUnits {
  /** Receipts that a deposit of so many tokens is booked as. */
  deposited(tokensBase: bigint): bigint;
  /** Receipts that a withdrawal which pays so many tokens takes off the books. */
  withdrawn(tokensBase: bigint): bigint;
  /** Tokens that so many receipts are worth, rounded down. */
  worth(receiptsBase: bigint): bigint;
  /**
   * What the bank's windows count since 0.1.10 for a withdrawal that takes so many receipts and pays so many tokens. An instruction that
   * names tokens counts these; one that names receipts counts what the program takes them for.
   * @see marginfi-v2 programs/marginfi/src/instructions/{kamino,solend,juplend,drift}/withdraw.rs
   */
  counted(receiptsBase: bigint, tokensBase: bigint): bigint;
}

/** The venues whose withdrawals name tokens; those of the others name receipts. */
const NAMES_TOKENS: ReadonlySet<number> = new Set([ASSET_TAG.juplend, ASSET_TAG.drift]);

/**
 * How a bank books tokens at a rate: tokens for one whole receipt, above zero. To the base unit on Drift; elsewhere as near as a rate of
 * eighteen decimals tells.
 */
export function bookUnitsAt(
  { assetTag, decimals }: { readonly assetTag: number; readonly decimals: number },
  exchangeRate: FractionE18,
): BookUnits {
  const perReceipt = exchangeRate * 10n ** BigInt(decimals);
  const one = FRACTION_ONE * 10n ** BigInt(balanceDecimals(assetTag, decimals));
  const deposited = (tokensBase: bigint) => (tokensBase * one) / perReceipt;
  const worth = (receiptsBase: bigint) => (receiptsBase * perReceipt) / one;
  const withdrawn = (tokensBase: bigint) => {
    const whole = deposited(tokensBase);
    // Drift takes one more whenever it takes any, also where the division leaves no remainder.
    const isShort = assetTag === ASSET_TAG.drift ? whole > 0n : whole * perReceipt < tokensBase * one;
    return isShort ? whole + 1n : whole;
  };
  const counted = NAMES_TOKENS.has(assetTag)
    ? (_: bigint, tokensBase: bigint) => tokensBase
    : (receiptsBase: bigint) => worth(receiptsBase);
  return { deposited, withdrawn, worth, counted };
}
