/** Settings under which whoever asks a lot is still counted, and not refused. What refuses is tested with the limits' defaults. */
export const RAISED_RATE_LIMITS = {
  RATE_LIMIT_MCP: '1000000',
  RATE_LIMIT_V1: '1000000',
  RATE_LIMIT_TX: '1000000',
  RATE_LIMIT_LEVERAGE: '1000000',
} as const satisfies Readonly<Record<string, string>>;

/** One swap quote a second. At twenty, answering them was half of the work of an idle local chain. */
export const FEW_SWAP_QUOTES = { SWAP_QUOTE_EVERY_MS: '1000' } as const;
