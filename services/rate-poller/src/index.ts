export { readBackfill } from './backfill/venue-histories.ts';
export { pollerSettings, ratePollerSettings, readBeats } from './config.ts';
export { toRecalledRates } from './epoch-recall.ts';
export type { Leadership } from './leadership.ts';
export { type RatePollerOptions, runRatePoller } from './rate-poller.ts';
export { readSwapQuoting, type SwapQuoting } from './swaps/open-swap-quotes.ts';
export { toRecalledQuotes } from './swaps/recalled-quotes.ts';
