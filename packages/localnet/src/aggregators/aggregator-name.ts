/** Whose wire shapes are spoken. */
export const AGGREGATOR_NAMES = ['jupiter', 'dflow'] as const;

export type AggregatorName = (typeof AGGREGATOR_NAMES)[number];
