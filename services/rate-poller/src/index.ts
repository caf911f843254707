export { pollerSettings, ratePollerSettings, readBeats } from './config.ts';
export type { Leadership } from './leadership.ts';
export { type RatePollerOptions, runRatePoller } from './rate-poller.ts';
