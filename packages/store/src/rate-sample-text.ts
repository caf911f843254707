import { copyField } from './copy-field.ts';
import { copyText } from './copy-text.ts';
import type { RateSampleWrite } from './insert-rate-samples.ts';

/** Decimals of a rate that are kept. What is cut off is 10^-16 percent. */
const RATE_DECIMALS = 18;

/** The columns of a row of `rateSampleText`, in its order. */
export const COPIED_COLUMNS =
  'time, slot, series, deposit_apr, borrow_apr, native_apr, emissions_deposit_apr, emissions_borrow_apr, utilization, ' +
  'total_assets_base, total_liabilities_base, available_liquidity_base, asset_share_value, liability_share_value, ' +
  'exchange_rate, native_exchange_rate, slot_ms, price_usd';

/**
 * Samples as lines of COPY's text format.
 * @throws STORE__ROW_INVALID for a value that would be read as more than itself.
 */
export function rateSampleText(rows: readonly RateSampleWrite[], seriesOf: (row: RateSampleWrite) => number): Buffer {
  return copyText(rows, (row) => {
    let text = `${copyField(row.time)}\t${row.slot}\t${seriesOf(row)}`;
    text += `\t${rate(row.depositApr)}\t${rate(row.borrowApr)}\t${rate(row.nativeApr)}`;
    text += `\t${rate(row.emissionsDepositApr)}\t${rate(row.emissionsBorrowApr)}\t${rate(row.utilization)}`;
    text += `\t${copyField(row.totalAssetsBase)}\t${copyField(row.totalLiabilitiesBase)}\t${copyField(row.availableLiquidityBase)}`;
    text += `\t${copyField(row.assetShareValue)}\t${copyField(row.liabilityShareValue)}`;
    text += `\t${copyField(row.exchangeRate)}\t${copyField(row.nativeExchangeRate)}\t${copyField(row.slotMs)}\t${copyField(row.priceUsd)}\n`;
    return text;
  });
}

/** A rate cut to the decimals that are kept. */
export function cutRate(value: string | null | undefined): string | null {
  if (value === null || value === undefined) return null;
  const point = value.indexOf('.');
  const end = point + 1 + RATE_DECIMALS;
  return point === -1 || value.length <= end ? value : value.slice(0, end);
}

function rate(value: string | null | undefined): string {
  return copyField(cutRate(value));
}
