import { formatPct, UNKNOWN } from '../format/number.ts';
import type { WireStrategy } from './wire-strategies.ts';

/** A figure as it is shown, and what to say where it is not known or not there. */
export interface ShownFigure {
  readonly text: string;
  readonly title?: string;
}

/** Leverage is told in hundredths. */
export function formatLeverage(leverage: number): string {
  return `${leverage.toFixed(2)}×`;
}

/** Basis points; below nothing they are a gain. */
export function formatBps(bps: number): string {
  const digits = bps !== 0 && Math.abs(bps) < 10 ? 2 : 1;
  return `${bps.toFixed(digits).replace('-', '−')} bps`;
}

export function entryCost({ cost }: WireStrategy): ShownFigure {
  if (cost.entry_bps === null) return { text: UNKNOWN, title: 'unknown: the swap was not quoted yet' };
  return { text: formatBps(cost.entry_bps) };
}

/** Days until the yield has paid for getting in. */
export function breakEven({ cost, rates }: WireStrategy): ShownFigure {
  const { break_even_days: days, entry_bps: entry } = cost;
  if (days === 0) return { text: 'at once', title: 'Getting in costs nothing' };
  if (days !== null) return { text: days < 1 ? '< 1 day' : `${Math.round(days)} days` };
  if (rates.net_apy_at_recommended_leverage_pct <= 0) return { text: 'never', title: 'It earns nothing to pay for it' };
  return { text: UNKNOWN, title: entry === null ? 'unknown: the swap was not quoted yet' : 'unknown' };
}

/** How far the price may fall. */
export function dropToLiquidation({ liquidation, borrow }: WireStrategy): ShownFigure {
  const { price_ratio_drop_pct: drop } = liquidation;
  if (drop === null) return { text: 'none', title: 'There is no debt at the recommended leverage' };
  const title = `The supply's price in ${borrow.symbol ?? 'the debt'} may fall so far before the account is liquidated`;
  return { text: `−${formatPct(drop)}`, title };
}
