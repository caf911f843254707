import type { SwapFailure, SwapRefusal } from '../swap-reasons.ts';
import type { AggregatorName, SwapRoute } from '../swap-route.ts';

/** A route that passed every check and covers what is needed. */
export interface Candidate {
  readonly kind: 'candidate';
  readonly route: SwapRoute;
}

/** What came of asking one aggregator, where it is no route. */
export type Miss =
  | {
      readonly kind: 'failed';
      readonly aggregator: AggregatorName;
      readonly reason: SwapFailure;
      readonly retryAtMs: number | null;
    }
  | {
      readonly kind: 'refused';
      readonly aggregator: AggregatorName;
      readonly reason: SwapRefusal;
      readonly inBase: bigint;
      readonly outBase: bigint;
    };

export type Attempt = Candidate | Miss;
