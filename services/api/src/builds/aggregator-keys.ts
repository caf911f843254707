import type { AggregatorKeys } from '@lending/transactions';

export type { AggregatorKeys };

/** A caller without keys: the service's own are taken. */
export const NO_AGGREGATOR_KEYS: AggregatorKeys = { jupiter: null, dflow: null };
