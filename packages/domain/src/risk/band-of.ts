import type { ProgramErrorName } from '../program-error-name.ts';
import type { PriceBand, RiskPrice } from './risk-balance.ts';

/** Which of an oracle's two prices: the one of the moment, or the average. */
export type PriceKind = 'spot' | 'ema';

/** The band of a price that has one. */
export function bandOf(price: RiskPrice, kind: PriceKind): PriceBand | null {
  const band = price.kind === 'failed' ? price.error : price[kind];
  return typeof band === 'string' ? null : band;
}

/** Why a price has no band; null where it has one. */
export function bandErrorOf(price: RiskPrice, kind: PriceKind): ProgramErrorName | null {
  const band = price.kind === 'failed' ? price.error : price[kind];
  return typeof band === 'string' ? band : null;
}
