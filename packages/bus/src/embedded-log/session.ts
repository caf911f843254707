import { Client, type ClientConfig } from 'pg';
import { computeBackoffMs, pause } from '#backoff.ts';
import type { BusOptions } from '#bus-options.ts';

export interface SessionListener {
  /** A notification on one of the channels. */
  notified(channel: string, payload: string): void;
  /** The session is there again (or for the first time); notifications may have been missed. */
  connected(): void;
}

/**
 * The one long connection of a bus: it listens, and it is what says that the bus's members live.
 *
 * States: connecting → connected(pid) → lost → connecting …; closed from any of them.
 */
export class Session {
  readonly #config: ClientConfig;
  readonly #channels: readonly string[];
  readonly #onEvent: BusOptions['onEvent'];
  readonly #listeners = new Set<SessionListener>();
  readonly #closing = new AbortController();
  #client: Client | null = null;
  #pid: number | null = null;
  #running: Promise<void> = Promise.resolve();

  constructor(config: ClientConfig, channels: readonly string[], onEvent: BusOptions['onEvent']) {
    this.#config = config;
    this.#channels = channels;
    this.#onEvent = onEvent;
  }

  /** Backend of the session, null while there is none. */
  get pid(): number | null {
    return this.#pid;
  }

  addListener(listener: SessionListener): void {
    this.#listeners.add(listener);
  }

  removeListener(listener: SessionListener): void {
    this.#listeners.delete(listener);
  }

  /** Keeps a session up until `close`. */
  start(): void {
    this.#running = this.#run();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#client?.end().catch(() => undefined);
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    let attempt = 0;
    while (!signal.aborted) {
      try {
        const ended = Promise.withResolvers<void>();
        await this.#connect(ended.resolve);
        attempt = 0;
        for (const listener of this.#listeners) listener.connected();
        await ended.promise;
        if (!signal.aborted) this.#onEvent?.({ level: 'warn', event: 'bus.session.lost', facts: {} });
      } catch (error) {
        if (!signal.aborted) this.#onEvent?.({ level: 'warn', event: 'bus.session.failed', facts: { attempt }, error });
      }
      this.#pid = null;
      attempt += 1;
      if (!signal.aborted) await pause(computeBackoffMs(attempt), signal);
    }
  }

  async #connect(onEnd: () => void): Promise<void> {
    const client = new Client(this.#config);
    this.#client = client;
    // An error after connecting is always followed by the end; without a listener it would end the process.
    client.on('error', () => undefined);
    client.on('end', () => {
      this.#pid = null;
      onEnd();
    });
    client.on('notification', ({ channel, payload }) => {
      for (const listener of this.#listeners) listener.notified(channel, payload ?? '');
    });
    await client.connect();
    for (const channel of this.#channels) await client.query(`listen ${channel}`);
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    this.#pid = rows[0]?.pid ?? null;
  }
}
