import { createChain } from '@lending/chain';
import { createLogger, createMetrics, parseConfig } from '@lending/runtime';
import { type Database, listenProjected } from '@lending/store';
import { RAISED_RATE_LIMITS } from '@lending/testing';
import { apiSettings } from '../config.ts';
import { type RunningApi, type StartApiOptions, startApi } from '../start-api.ts';

/** The api as it starts over these tables, at a port of its own, with limits that no test reaches; its node never answers. */
export function startTestApi(
  db: Database,
  settings: Readonly<Record<string, string>> = {},
  changes: Partial<StartApiOptions> = {},
): Promise<RunningApi> {
  return startApi({
    config: parseConfig(apiSettings, { API_PORT: '0', ...RAISED_RATE_LIMITS, ...settings }),
    db,
    chain: createChain({ rpcUrls: ['http://127.0.0.1:1'], maxRounds: 1, deadlineMs: 500 }),
    logger: createLogger({ level: 'silent', name: 'test' }),
    metrics: createMetrics(),
    version: '0.1.0',
    ...changes,
  });
}

/** Hears of what is written into these tables. */
export function watchesChanges(connectionString: string): Required<Pick<StartApiOptions, 'watchChanges'>> {
  return {
    watchChanges: async (onChange) => {
      const listener = listenProjected({ connectionString, onProjected: onChange, onListening: onChange });
      return () => listener.stop();
    },
  };
}

export async function getJson(api: RunningApi, path: string) {
  const response = await fetch(api.url + path);
  return { status: response.status, body: JSON.parse(await response.text()) };
}
