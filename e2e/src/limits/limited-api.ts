import { apiSettings, type RunningApi, startApi } from '@lending/api';
import { createChain } from '@lending/chain';
import { createLogger, createMetrics, type Metrics, parseConfig } from '@lending/runtime';
import { createStore } from '@lending/store';

/** An api at the limits of the specification: no setting changes them. */
export interface LimitedApi {
  readonly url: string;
  readonly metrics: Metrics;
  stop(): Promise<void>;
}

/** One of several over the same tables, with connections of its own. */
export async function startLimitedApi(connectionString: string): Promise<LimitedApi> {
  const metrics = createMetrics();
  const store = createStore({ connectionString });
  const api: RunningApi = await startApi({
    config: parseConfig(apiSettings, { API_PORT: '0' }),
    db: store.db,
    // No limit asks the chain.
    chain: createChain({ rpcUrls: ['http://127.0.0.1:9'], source: 'localnet', maxRounds: 1 }),
    logger: createLogger({ level: 'silent', name: 'rate limits' }),
    metrics,
    version: '0.1.0',
  });
  const stop = async () => {
    await api.close();
    await store.close();
  };
  return { url: api.url, metrics, stop };
}
