import type { SwapFailure } from '../swap-reasons.ts';
import type { AggregatorName } from '../swap-route.ts';

/** Why an aggregator is left alone, and until when, ms since 1970. */
export interface Rest {
  readonly reason: SwapFailure;
  readonly retryAtMs: number;
}

/** Which aggregators are left alone after they failed. For one caller with one key each; @see cool-downs.ts for many. */
export interface Rests {
  /** Null where it may be asked. */
  of(aggregator: AggregatorName, nowMs: number): Rest | null;
  /** As long as the aggregator says; else longer with every failure on end. */
  begin(
    aggregator: AggregatorName,
    failure: { readonly reason: SwapFailure; readonly retryAtMs: number | null },
    nowMs: number,
  ): Rest;
  end(aggregator: AggregatorName): void;
  /** Failures on end. */
  failuresOf(aggregator: AggregatorName): number;
}

const FIRST_MS = 2_000;
const LONGEST_MS = 60_000;

export function createRests(): Rests {
  const rests = new Map<AggregatorName, Rest & { readonly failures: number }>();
  const failuresOf = (aggregator: AggregatorName) => rests.get(aggregator)?.failures ?? 0;
  return {
    of(aggregator, nowMs) {
      const rest = rests.get(aggregator);
      return rest !== undefined && rest.retryAtMs > nowMs ? rest : null;
    },
    begin(aggregator, { reason, retryAtMs }, nowMs) {
      const failures = failuresOf(aggregator) + 1;
      const ownMs = nowMs + Math.min(FIRST_MS * 2 ** (failures - 1), LONGEST_MS);
      const rest = { reason, retryAtMs: retryAtMs ?? ownMs, failures };
      rests.set(aggregator, rest);
      return rest;
    },
    end: (aggregator) => void rests.delete(aggregator),
    failuresOf,
  };
}
