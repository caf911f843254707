import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type ClientConfig } from 'pg';
import { computeBackoffMs, pause } from '#backoff.ts';
import type { BusOptions } from '#bus-options.ts';

const GOODBYE_MS = 500;

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
  /** Rejects when the session is closed. */
  readonly #closed = new Promise<never>((_, reject) => {
    this.#closing.signal.addEventListener('abort', () => reject(this.#closing.signal.reason));
  });
  #client: Client | null = null;
  #pid: number | null = null;
  #running: Promise<void> = Promise.resolve();

  constructor(config: ClientConfig, channels: readonly string[], onEvent: BusOptions['onEvent']) {
    this.#config = config;
    this.#channels = channels;
    this.#onEvent = onEvent;
    this.#closed.catch(() => undefined);
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
    // Ending waits for the server to hang up, which one that is out of reach never does.
    const ended = this.#client?.end().catch(() => undefined);
    await Promise.race([ended, sleep(GOODBYE_MS, undefined, { ref: false })]);
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
        await Promise.race([ended.promise, this.#closed]);
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
      // One that failed to be set up may end long after another took its place.
      if (this.#client === client) this.#pid = null;
      onEnd();
    });
    client.on('notification', ({ channel, payload }) => {
      for (const listener of this.#listeners) listener.notified(channel, payload ?? '');
    });
    // pg never settles a connect that is ended meanwhile.
    await Promise.race([client.connect(), this.#closed]);
    try {
      for (const channel of this.#channels) await client.query(`listen ${channel}`);
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
      this.#pid = rows[0]?.pid ?? null;
    } catch (error) {
      client.end().catch(() => undefined);
      throw error;
    }
  }
}
