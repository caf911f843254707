import type { AggregatorKeys } from './swap-finder.ts';
import type { AggregatorName } from './swap-route.ts';

/** The settings that name the aggregators, the same wherever they are asked. */
export interface AggregatorSettings {
  readonly JUPITER_URL?: string | undefined;
  readonly JUPITER_API_KEY?: string | undefined;
  readonly DFLOW_URL?: string | undefined;
  readonly DFLOW_API_KEY?: string | undefined;
}

/** Where aggregators are asked, and with which of the service's own keys. */
export interface AggregatorHosts {
  readonly urls: Readonly<Record<AggregatorName, string>>;
  readonly keys: AggregatorKeys;
}

/** Where they serve mainnet, unless the settings say otherwise. */
export function readAggregatorHosts(settings: AggregatorSettings): AggregatorHosts {
  return {
    urls: {
      jupiter: settings.JUPITER_URL ?? 'https://api.jup.ag',
      dflow: settings.DFLOW_URL ?? 'https://quote-api.dflow.net',
    },
    keys: { jupiter: settings.JUPITER_API_KEY ?? null, dflow: settings.DFLOW_API_KEY ?? null },
  };
}
