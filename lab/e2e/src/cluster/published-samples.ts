import { createBus } from '@lending/bus';
import type { KafkaBroker } from '@lending/testing';
import { expect } from 'vitest';
import { eventually } from '../eventually.ts';
import { query, type Tables } from '../tables/query.ts';

/**
 * Waits until every rate sample in a log has its row, once, and there is no other; no poller may run. The log is read while this waits, so
 * both sides are compared whole until they agree.
 * @returns how many there are
 */
export async function untilEachSampleHasItsRow({ brokers }: KafkaBroker, database: Tables, least = 1): Promise<number> {
  const published = new Set<string>();
  const bus = await createBus({ kind: 'kafka', brokers, clientId: 'e2e' });
  await bus.consume({
    group: 'e2e',
    topics: ['rate.sampled.v1'],
    startFrom: async () => new Map(),
    handle: async ({ messages }) => {
      for (const { message } of messages) published.add(`${message.key}:${message.slot}`);
    },
  });
  try {
    await eventually(async () => {
      const rows = await query<{ id: string }>(
        database,
        `select address || ':' || slot as id from rate_sample join rate_series on rate_series.id = series`,
      );
      expect(published.size).toBeGreaterThanOrEqual(least);
      expect(rows.map(({ id }) => id).sort()).toEqual([...published].sort());
    });
  } finally {
    await bus.close();
  }
  return published.size;
}
