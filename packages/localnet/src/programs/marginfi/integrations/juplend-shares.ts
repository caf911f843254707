const U64_MAX = 2n ** 64n - 1n;
/** JupLend's exchange prices are scaled by it. */
const PRECISION = 10n ** 12n;

/**
 * The fTokens that a deposit is to mint: rounded down when the tokens enter the liquidity layer, when they are counted there, and when
 * they become fTokens. Null where the program's arithmetic ends.
 * @see marginfi-v2 programs/juplend-mocks/src/state.rs
 */
export function sharesForDeposit(
  amountBase: bigint,
  { liquidityExchangePrice, tokenExchangePrice }: { liquidityExchangePrice: bigint; tokenExchangePrice: bigint },
): bigint | null {
  if (liquidityExchangePrice === 0n || tokenExchangePrice === 0n) return null;
  const raw = (amountBase * PRECISION) / liquidityExchangePrice;
  const counted = (raw * liquidityExchangePrice) / PRECISION;
  return fitting((counted * PRECISION) / tokenExchangePrice);
}

/** The fTokens that a withdrawal is to burn, rounded up. */
export function sharesForWithdrawal(amountBase: bigint, tokenExchangePrice: bigint): bigint | null {
  if (tokenExchangePrice === 0n) return null;
  return fitting((amountBase * PRECISION + tokenExchangePrice - 1n) / tokenExchangePrice);
}

/** The tokens that fTokens are worth, rounded down. */
export function tokensForRedeem(shares: bigint, tokenExchangePrice: bigint): bigint | null {
  return tokenExchangePrice === 0n ? null : fitting((shares * tokenExchangePrice) / PRECISION);
}

function fitting(value: bigint): bigint | null {
  return value > U64_MAX ? null : value;
}
