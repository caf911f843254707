import { type I80F48, multiplyI80F48, parseI80F48 } from '../i80f48.ts';
import { smallerOf } from '../integers.ts';
import type { ProgramErrorName } from '../program-error-name.ts';
import type { PriceBand, RiskPrice } from './risk-balance.ts';

/**
 * However uncertain a feed says it is, the program moves no price by more than this part of it.
 * @see marginfi-v2 type-crate/src/constants.rs `MAX_CONF_INTERVAL`
 */
export const MAX_INTERVAL: I80F48 = parseI80F48('0.05');

/** Half the width of a band, USD. */
export function intervalOf(band: PriceBand): I80F48 {
  return band.spot - band.low;
}

/** Whether a band has been cut to the widest there is; how wide its feed says it is, is then not known any more. */
export function isCapped(band: PriceBand): boolean {
  return intervalOf(band) >= multiplyI80F48(band.spot, MAX_INTERVAL);
}

/**
 * The band at another price, as the program would make it if the feed's interval stayed as it is in USD: it is capped at 5 % of the new
 * price. One that is capped now stays capped, the careful reading in both directions. The bank's own limit on the interval, above
 * which nothing is valued at all, is left out.
 */
export function moveBand(band: PriceBand, spot: I80F48): PriceBand {
  const cap = multiplyI80F48(spot, MAX_INTERVAL);
  const interval = isCapped(band) ? cap : smallerOf(intervalOf(band), cap);
  return { spot, low: spot - interval, high: spot + interval };
}

/** Both prices of a bank moved by a part of themselves, in percent: −10 is a fall by a tenth. */
export function movePriceByPercent(price: RiskPrice, percent: number): RiskPrice {
  if (price.kind === 'failed') return price;
  const moved = (band: PriceBand | ProgramErrorName) =>
    typeof band === 'string' ? band : moveBand(band, (band.spot * BigInt(100 + percent)) / 100n);
  return { ...price, spot: moved(price.spot), ema: moved(price.ema) };
}
