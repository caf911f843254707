/** What `update_spot_market_cumulative_interest` begins with, which brings a market's interest up to now; anyone may send it. */
export const DRIFT_REFRESH_SPOT_MARKET_DISCRIMINATOR = new Uint8Array([39, 166, 139, 243, 158, 165, 155, 225]);
