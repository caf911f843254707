import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { StoreLog } from './create-store.ts';

export interface ListenOptions {
  readonly connectionString: string;
  /** Name of the channel in Postgres. */
  readonly channel: string;
  readonly onNotice: (notice: unknown) => void;
  /** Called each time listening begins. What was told before was missed, so anything remembered may be outdated. */
  readonly onListening: () => void;
  readonly log?: StoreLog;
  /** How often the connection is tried while nothing comes; a silent one could be dead. Default 15 s. */
  readonly heartbeatMs?: number;
}

export interface Listener {
  /** Resolves when the connection is closed; nothing is called afterwards. */
  stop(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 5_000;
const GOODBYE_MS = 500;
const RETRY_FIRST_MS = 100;
const RETRY_LONGEST_MS = 5_000;

/**
 * Hears what is told on a channel, as JSON, on a connection of its own, and opens another whenever that one is lost.
 * States: connecting → listening → (lost) → pausing → connecting; stopped from any, for good.
 */
export function listenChannel(options: ListenOptions): Listener {
  const stopping = new AbortController();
  const running = run(options, stopping.signal);
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

async function run(options: ListenOptions, signal: AbortSignal): Promise<void> {
  let delayMs = RETRY_FIRST_MS;
  let lastReason: string | null = null;
  while (!signal.aborted) {
    try {
      await listenOnce(options, signal, () => {
        delayMs = RETRY_FIRST_MS;
        lastReason = null;
      });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (!signal.aborted && reason !== lastReason) options.log?.warn('store.listener.lost', { reason });
      lastReason = reason;
    }
    await pause(delayMs, undefined, { signal }).catch(() => undefined);
    delayMs = Math.min(delayMs * 2, RETRY_LONGEST_MS);
  }
}

/** Resolves when stopped, rejects when the connection is lost. */
async function listenOnce(options: ListenOptions, signal: AbortSignal, onListening: () => void): Promise<void> {
  const heartbeatMs = options.heartbeatMs ?? 15_000;
  const client = new pg.Client({
    connectionString: options.connectionString,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  });
  const ended = Promise.withResolvers<void>();
  // Rejected before anybody waits when connecting fails; that failure is thrown by itself.
  ended.promise.catch(() => undefined);
  client.on('error', (error) => ended.reject(error));
  client.on('end', () => ended.reject(new Error('The connection was closed')));
  client.on('notification', ({ payload }) => {
    if (!signal.aborted && payload !== undefined) options.onNotice(JSON.parse(payload));
  });
  const onAbort = (): void => ended.resolve();
  signal.addEventListener('abort', onAbort, { once: true });
  let heartbeat: NodeJS.Timeout | undefined;
  try {
    const listening = client.connect().then(() => client.query(`listen ${options.channel}`));
    await Promise.race([listening, ended.promise]);
    if (signal.aborted) return;
    heartbeat = setInterval(() => client.query('select 1').catch((error: Error) => ended.reject(error)), heartbeatMs);
    onListening();
    options.onListening();
    await ended.promise;
  } finally {
    clearInterval(heartbeat);
    signal.removeEventListener('abort', onAbort);
    // Ending waits for the server to hang up, which one that is out of reach never does.
    await Promise.race([client.end().catch(() => undefined), pause(GOODBYE_MS, undefined, { ref: false })]);
  }
}
