import { describeAsOf, type Reading } from '#reads/as-of.ts';
import type { AsOf, Warning } from '#records/reply-fields.ts';
import type { StrategyRecord } from '#records/strategy-fields.ts';
import type { VerifiedOnChain } from '#records/verified-on-chain.ts';

/** The coded warnings of the read tools. One text per code. */

/** The rates whose parts decide whether a total is whole. */
interface Rated {
  readonly rates: {
    readonly total_deposit_apy_pct: number | null;
    readonly total_borrow_apy_pct: number | null;
    readonly native_apy_pct: number | null;
    readonly emissions_deposit_apy_pct: number | null;
    readonly emissions_borrow_apy_pct: number | null;
  };
}

/** Shape: one warning when a total among these leaves out a part that nobody measured, else none. */
export function ratePartsUnknown(pools: readonly Rated[]): readonly Warning[] {
  const isPartial = ({ rates }: Rated) =>
    (rates.total_deposit_apy_pct !== null &&
      (rates.native_apy_pct === null || rates.emissions_deposit_apy_pct === null)) ||
    (rates.total_borrow_apy_pct !== null && rates.emissions_borrow_apy_pct === null);
  return pools.some(isPartial) ? [RATE_PARTS_UNKNOWN] : [];
}

/** The same of strategies: what a supply earns besides interest counts as 0 while it is not known. */
export function strategyPartsUnknown(strategies: readonly StrategyParts[]): readonly Warning[] {
  const isPartial = ({ rates }: StrategyParts) => rates.native_apy_pct === null || rates.emissions_apy_pct === null;
  return strategies.some(isPartial) ? [RATE_PARTS_UNKNOWN] : [];
}

type StrategyParts = {
  readonly rates: Pick<StrategyRecord['rates'], 'native_apy_pct' | 'emissions_apy_pct'>;
};

const RATE_PARTS_UNKNOWN: Warning = {
  level: 'info',
  code: 'RATE_PARTS_UNKNOWN',
  message: 'Totals leave out the parts that are null: not measured yet, such as the yield of a staking token.',
};

export const LOCAL_CHAIN: Warning = {
  level: 'info',
  code: 'LOCAL_CHAIN',
  message: 'Data of a local test chain, not Solana: no real money.',
};

/** Shape: one warning where no run of first contact stands for the program as it runs, or one that found it not to be trusted, else none. */
export function notVerifiedOnChain(verified: VerifiedOnChain | null): readonly Warning[] {
  if (verified !== null && verified.verdict !== 'not_trusted') return [];
  const found =
    verified === null
      ? 'No run of first contact has passed for the lending program as it runs'
      : `The run of first contact of ${verified.at} found this service not to be trusted with the lending program as it runs`;
  return [
    {
      level: 'warning',
      code: 'NOT_VERIFIED_ON_CHAIN',
      message: `${found}: the operator runs npm run smoke -- --rpc URL; GET /v1/status says under verified_on_chain how it stands.`,
    },
  ];
}

/** Shape: one warning where any of the answer was read on a local chain, else none. */
export function localChain(pools: readonly { readonly reading: Reading }[]): readonly Warning[] {
  return pools.some(({ reading }) => reading.source === 'localnet') ? [LOCAL_CHAIN] : [];
}

/** Shape: one warning when the answer is stale, else none; to be spread into `warnings`. */
export function dataStale(asOf: AsOf): readonly Warning[] {
  return asOf.stale ? [staleWarning('The data is', asOf)] : [];
}

/** A bank or a reserve of a list. */
interface Listed {
  readonly record: { readonly address: string; readonly symbol: string | null };
  readonly reading: Reading;
}

/** The same for a list: names what is stale where the rest is not. */
export function listStale(
  asOf: AsOf,
  pools: readonly Listed[],
  { nowMs, staleAfterMs }: { readonly nowMs: number; readonly staleAfterMs: number },
): readonly Warning[] {
  if (!asOf.stale) return [];
  const stale = pools.filter(({ reading }) => describeAsOf(reading, nowMs, staleAfterMs).stale);
  if (stale.length === pools.length) return dataStale(asOf);
  const names = stale
    .slice(0, MAX_NAMES)
    .map(({ record: { symbol, address } }) => (symbol === null ? address : `${symbol} (${address})`));
  const more = stale.length > names.length ? ` and ${stale.length - names.length} more` : '';
  return [staleWarning(`The data of ${names.join(', ')}${more} is up to`, asOf)];
}

/** A warning stays short over MCP; the others are found by their `as_of`, one by one. */
const MAX_NAMES = 3;

function staleWarning(what: string, { age_seconds }: AsOf): Warning {
  return {
    level: 'warning',
    code: 'DATA_STALE',
    message: `${what} ${Math.round(age_seconds)} s old, more than its limit; see GET /v1/status for the reason.`,
  };
}
