import type { AsOf, Warning } from '#records/reply-fields.ts';

/** The coded warnings of the read tools. One text per code. */

export const RATE_PARTS_UNKNOWN: Warning = {
  level: 'info',
  code: 'RATE_PARTS_UNKNOWN',
  message:
    'total_*_apy_pct adds the known parts only: native (staking) and emissions yields are not measured yet (null, not zero).',
};

export const VENUE_NOT_DECODED: Warning = {
  level: 'warning',
  code: 'VENUE_NOT_DECODED',
  message:
    'Banks of coverage.venues_missing: price, rates, rate curve, sizes and debt weights are null, deposit is left out of their actions.',
};

export const LOCAL_CHAIN: Warning = {
  level: 'info',
  code: 'LOCAL_CHAIN',
  message: 'Data of the built-in test chain, not of Solana mainnet: no real money.',
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
