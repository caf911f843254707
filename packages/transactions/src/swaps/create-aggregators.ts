import type { Aggregator, AggregatorOptions } from './aggregators/aggregator.ts';
import { createDflow } from './aggregators/dflow.ts';
import { createJupiter } from './aggregators/jupiter.ts';
import type { AggregatorName } from './swap-route.ts';

const CREATE: Readonly<Record<AggregatorName, (options: AggregatorOptions) => Aggregator>> = {
  jupiter: createJupiter,
  dflow: createDflow,
};
const NAMES = Object.keys(CREATE) as AggregatorName[];

/** Those that have a URL. */
export function createAggregators(
  urls: Readonly<Record<AggregatorName, string | null>>,
  options: Omit<AggregatorOptions, 'url'>,
): readonly Aggregator[] {
  return NAMES.flatMap((name) => {
    const url = urls[name];
    return url === null ? [] : [CREATE[name]({ ...options, url })];
  });
}
