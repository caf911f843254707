import { isTopic } from '@lending/events';
import type { Pool } from 'pg';
import { pause } from '#backoff.ts';
import type { BusOptions, LogSettings } from '#bus-options.ts';
import type { LogPartition } from './assign-partitions.ts';
import { deleteExpired } from './delete-expired.ts';

export interface ExpiryContext {
  readonly pool: Pool;
  readonly partitions: readonly LogPartition[];
  readonly settings: Pick<LogSettings, 'retentionMs' | 'deadRetentionMs'>;
  readonly beatMs: number;
  readonly onEvent: BusOptions['onEvent'];
}

/** Deletes what is older than the retention, on a beat of its own. */
export class Expiry {
  readonly #context: ExpiryContext;
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(context: ExpiryContext) {
    this.#context = context;
  }

  start(): void {
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { beatMs, onEvent } = this.#context;
    const { signal } = this.#stopping;
    await pause(beatMs, signal);
    while (!signal.aborted) {
      try {
        const deleted = await this.#deleteAll();
        if (deleted > 0) onEvent?.({ level: 'info', event: 'bus.log.expired', facts: { deleted } });
      } catch (error) {
        onEvent?.({ level: 'warn', event: 'bus.expiry.failed', facts: {}, error });
      }
      await pause(beatMs, signal);
    }
  }

  async #deleteAll(): Promise<number> {
    const { pool, partitions, settings } = this.#context;
    let deleted = 0;
    for (const { id, topic } of partitions) {
      const ageMs = isTopic(topic) ? settings.retentionMs : settings.deadRetentionMs;
      deleted += await deleteExpired(pool, id, ageMs, this.#stopping.signal);
    }
    return deleted;
  }
}
