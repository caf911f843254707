export { pollerSettings, ratePollerSettings } from './config.ts';
export { type RatePollerOptions, runRatePoller } from './rate-poller.ts';
