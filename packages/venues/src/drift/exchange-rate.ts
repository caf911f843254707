import type { DriftSpotMarket } from '@lending/programs';

/** A scaled balance has nine decimals whatever its mint has, an index ten. */
const SCALED_AND_INDEX_DECIMALS = 19;
/** From an index of ten decimals to a fraction of eighteen. */
const INDEX_TO_E18 = 10n ** 8n;

/** What amounts are made of. */
export type ScaledTotals = Pick<
  DriftSpotMarket,
  'decimals' | 'depositBalance' | 'borrowBalance' | 'cumulativeDepositInterest' | 'cumulativeBorrowInterest'
>;

/**
 * Base units that all depositors own, rounded down.
 * @see protocol-v2 programs/drift/src/math/spot_balance.rs `get_token_amount`
 */
export function depositsOf(market: ScaledTotals): bigint {
  return depositAmountOf(market, market.depositBalance);
}

/** Base units of any part of the deposits, rounded down. */
export function depositAmountOf(
  market: Pick<ScaledTotals, 'decimals' | 'cumulativeDepositInterest'>,
  scaledBalance: bigint,
): bigint {
  return (scaledBalance * market.cumulativeDepositInterest) / scaleOf(market);
}

/** Base units that all borrowers owe, rounded up. */
export function borrowsOf(market: ScaledTotals): bigint {
  const scale = scaleOf(market);
  return (market.borrowBalance * market.cumulativeBorrowInterest + scale - 1n) / scale;
}

/** Scaled balance of a deposit, rounded down. */
export function scaledDepositOf(
  market: Pick<ScaledTotals, 'decimals' | 'cumulativeDepositInterest'>,
  amountBase: bigint,
): bigint {
  return (amountBase * scaleOf(market)) / market.cumulativeDepositInterest;
}

/** Tokens that one whole scaled balance is worth, 18 decimals. Drift has no receipt token: P0 counts its deposits in these. */
export function exchangeRateOf(market: Pick<ScaledTotals, 'cumulativeDepositInterest'>): bigint {
  return market.cumulativeDepositInterest * INDEX_TO_E18;
}

function scaleOf({ decimals }: Pick<ScaledTotals, 'decimals'>): bigint {
  return 10n ** BigInt(SCALED_AND_INDEX_DECIMALS - decimals);
}
