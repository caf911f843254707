import { apiSettings, startApi } from '@lending/api';
import { createLogger, createMetrics, parseConfig } from '@lending/runtime';
import { createStore, listenProjected } from '@lending/store';
import { type Heard, hear, RAISED_RATE_LIMITS } from '@lending/testing';
import { readMetric } from '../history/history-poller.ts';
import type { HistoryWorld } from '../history/history-world.ts';

/** One of several api processes over the same tables, with connections and counters of its own. */
export interface LiveInstance {
  readonly url: string;
  /** A listener of /v1/stream; they leave when the instance stops. */
  listen(query: string, lastEventId?: string): Promise<Heard>;
  readMetric(name: string, labels?: Readonly<Record<string, string>>): Promise<number>;
  stop(): Promise<void>;
}

export interface LiveInstanceOptions {
  readonly settings?: Readonly<Record<string, string>>;
  /** Default: straight to the world's. */
  readonly connectionString?: string;
}

const silent = createLogger({ level: 'silent', name: 'e2e' });

export async function startLiveInstance(
  { chain, time, database }: HistoryWorld,
  { settings = {}, connectionString = database.connectionString }: LiveInstanceOptions = {},
): Promise<LiveInstance> {
  const metrics = createMetrics();
  const store = createStore({ connectionString });
  const api = await startApi({
    config: parseConfig(apiSettings, { API_PORT: '0', ...RAISED_RATE_LIMITS, ...settings }),
    db: store.db,
    chain,
    logger: silent,
    metrics,
    now: () => time.oursMs,
    watchChanges: async (onChange) => {
      const listener = listenProjected({ connectionString, onProjected: onChange, onListening: onChange });
      return () => listener.stop();
    },
    version: '0.0.0',
  });
  return {
    url: api.url,
    listen: (query, lastEventId) =>
      hear(`${api.url}/v1/stream?${query}`, lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    readMetric: (name, labels) => readMetric(metrics, name, labels),
    async stop() {
      await api.close();
      await store.close();
    },
  };
}
