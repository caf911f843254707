import { FRACTION_ONE, type FractionE18 } from './fraction.ts';

/**
 * What a limit or total that counts a venue's receipts (cTokens, fTokens, Drift's scaled balance) is in tokens.
 * Units: the amount in the mint's decimals, as P0 stores the limits of such banks; `exchangeRate` is tokens for one whole receipt.
 * The result is base units of the mint, rounded down.
 * @see marginfi-v2 programs/marginfi/src/state/bank.rs `change_asset_shares`: the limit of a Drift bank is scaled from the mint's decimals
 */
export function tokensOfReceipts(receipts: bigint, exchangeRate: FractionE18): bigint {
  return (receipts * exchangeRate) / FRACTION_ONE;
}

/**
 * How many receipts so many tokens are, the other way round: base units in the mint's decimals, rounded down. Null where a receipt is
 * worth nothing, or nobody knows what.
 */
export function receiptsOfTokens(tokensBase: bigint, exchangeRate: FractionE18 | null): bigint | null {
  return exchangeRate === null || exchangeRate <= 0n ? null : (tokensBase * FRACTION_ONE) / exchangeRate;
}
