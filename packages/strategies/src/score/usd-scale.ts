import { type I80F48, toShownUsd } from '@lending/domain';

/** What is no more than this is not worth the transactions, USD. */
const LITTLE_USD = 100;
/** What is more than this makes no difference to anybody, USD. */
const PLENTY_USD = 10_000_000;

/** From 0 at little to 1 at plenty, by factors of ten: a thousand more matters to a thousand, not to a million. */
export function onUsdScale(usd: I80F48): number {
  const shown = toShownUsd(usd);
  if (shown <= LITTLE_USD) return 0;
  return Math.min(1, Math.log(shown / LITTLE_USD) / Math.log(PLENTY_USD / LITTLE_USD));
}
