/** Why an aggregator gave nothing that could be looked at. */
export const SWAP_FAILURES = [
  /** It is not asked without a key, and there is none. */
  'no_key',
  /** It does not take the key. */
  'key_refused',
  'rate_limited',
  'timed_out',
  'unreachable',
  'server_error',
  /** It does not take the request: a mint it does not know, most often. */
  'request_refused',
  'malformed_answer',
  'no_route',
] as const;
export type SwapFailure = (typeof SWAP_FAILURES)[number];

/** Why an offer was not taken: the check it did not pass, in the order they are made. */
export const SWAP_REFUSALS = [
  'wrong_pair',
  'wrong_amount',
  'wrong_slippage',
  'stale_quote',
  'oracle_deviation',
  'price_impact',
  'unknown_program',
  'unexpected_instruction',
  'foreign_signer',
  'protected_account',
  'wrong_source',
  'wrong_destination',
  /** The instruction takes a fee that nobody asked for. */
  'unasked_fee',
  'too_many_accounts',
  /** Even with all that may be given, it is not sure to give what is needed. */
  'below_needed',
  /** The plan does not fit with it. */
  'too_large',
] as const;
export type SwapRefusal = (typeof SWAP_REFUSALS)[number];
