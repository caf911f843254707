import { balanceDecimals, FRACTION_ONE, type FractionE18, tokensOfReceipts, toUiAmount } from '@lending/domain';
import type { MeasuredBank } from './bank-measure.ts';

/** An amount of a bank's own mint. */
export interface TokenAmount {
  /** Base units of the mint. */
  readonly base: bigint;
  readonly raw: string;
  readonly ui: number;
}

/**
 * What base units of a bank's balances are in tokens: on a venue's bank those count receipts, worth `exchangeRate` each. Rounded down, or
 * up where less would not do. Null where nobody knows what a receipt is worth.
 */
export function tokensHeld(
  bank: MeasuredBank,
  balanceBase: bigint,
  rounding: 'down' | 'up' = 'down',
): TokenAmount | null {
  const { record, risk, exchangeRate } = bank;
  if (record.venue === 'P0') return toAmount(balanceBase, record.decimals);
  if (exchangeRate === null) return null;
  const base = tokensOfBalance({ assetTag: risk.assetTag, decimals: record.decimals }, balanceBase, exchangeRate);
  const isExact = rounding === 'down' || balanceBase === 0n;
  return toAmount(isExact ? base : base + 1n, record.decimals);
}

export function toAmount(base: bigint, decimals: number): TokenAmount {
  return { base, raw: base.toString(), ui: Number(toUiAmount(base, decimals)) };
}

/**
 * What base units of the balances of a venue's bank are in base units of its mint, cut off. Drift's receipts have nine decimals whatever the
 * mint has; both scalings are cut off together, so that nothing is lost between.
 */
export function tokensOfBalance(
  { assetTag, decimals }: { readonly assetTag: number; readonly decimals: number },
  receipts: bigint,
  exchangeRate: FractionE18,
): bigint {
  const receiptDecimals = balanceDecimals(assetTag, decimals);
  if (receiptDecimals === decimals) return tokensOfReceipts(receipts, exchangeRate);
  const numerator = receipts * exchangeRate * 10n ** BigInt(decimals);
  return numerator / (FRACTION_ONE * 10n ** BigInt(receiptDecimals));
}
