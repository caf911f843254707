import type { AsOf, Warning } from '#records/reply-fields.ts';

/** The coded warnings of the read tools. One text per code. */

export const RATE_PARTS_UNKNOWN: Warning = {
  level: 'info',
  code: 'RATE_PARTS_UNKNOWN',
  message: 'Totals leave out staking and emissions yields: not measured yet.',
};

export const VENUE_NOT_DECODED: Warning = {
  level: 'warning',
  code: 'VENUE_NOT_DECODED',
  message: 'Of banks of coverage.venues_missing only the configuration is known; prices, rates and sizes are null.',
};

export const LOCAL_CHAIN: Warning = {
  level: 'info',
  code: 'LOCAL_CHAIN',
  message: 'Data of a local test chain, not Solana: no real money.',
};

/** An answer over MCP's ceiling was cut after `shown` of the `wanted` banks of its page. */
export function truncated(shown: number, wanted: number): Warning {
  return {
    level: 'warning',
    code: 'TRUNCATED',
    message: `Only ${shown} of ${wanted} banks fit the answer — allowed: a filter (symbol, venue, side), fields, or response_format concise — call again with one, or with next_cursor.`,
  };
}

/** Shape: one warning when the answer is stale, else none; to be spread into `warnings`. */
export function dataStale(asOf: AsOf): readonly Warning[] {
  if (!asOf.stale) return [];
  return [
    {
      level: 'warning',
      code: 'DATA_STALE',
      message: `The data is ${Math.round(asOf.age_seconds)} s old, more than its limit; see GET /readyz for the reason.`,
    },
  ];
}
