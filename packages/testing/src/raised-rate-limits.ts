/** Settings under which whoever asks a lot is still counted, and not refused. What refuses is tested with the limits' defaults. */
export const RAISED_RATE_LIMITS = {
  RATE_LIMIT_MCP: '1000000',
  RATE_LIMIT_V1: '1000000',
  RATE_LIMIT_TX: '1000000',
  RATE_LIMIT_LEVERAGE: '1000000',
} as const satisfies Readonly<Record<string, string>>;

/** Of services that quote swaps now and then: most of an idle local chain's work is else to answer them. */
export const FEW_SWAP_QUOTES = { SWAP_QUOTE_EVERY_MS: '1000' } as const;
