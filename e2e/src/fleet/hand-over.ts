import { setTimeout as sleep } from 'node:timers/promises';
import type { TestDatabase } from '@lending/testing';
import { Client } from 'pg';

/** How the partitions of a topic go on, seen from the tables. */
export interface HandOverWatch {
  /**
   * How long the partition that stood still for longest did so, ms, between two moments as `performance.now()` counts: nobody published, or
   * nobody projected. Partitions that stood still before do not count.
   */
  longestSilence(fromMs: number, untilMs: number): number;
  stop(): Promise<void>;
}

const LOOK_MS = 100;

/** @param topic one whose partitions never rest while all is well. */
export async function watchHandOver({ connectionString }: TestDatabase, topic: string): Promise<HandOverWatch> {
  const client = new Client({ connectionString });
  await client.connect();
  const advances = new Map<number, number[]>();
  const offsets = new Map<number, string>();
  let isStopped = false;
  const running = (async () => {
    while (!isStopped) {
      const { rows } = await client.query<{ partition: number; next: string }>(
        'select partition, next_offset::text as next from consumer_offset where topic = $1',
        [topic],
      );
      const atMs = performance.now();
      for (const { partition, next } of rows) {
        if (offsets.get(partition) === next) continue;
        offsets.set(partition, next);
        advances.set(partition, [...(advances.get(partition) ?? []), atMs]);
      }
      await sleep(LOOK_MS);
    }
    await client.end();
  })();
  return {
    longestSilence(fromMs, untilMs) {
      const silences = [...advances.values()].flatMap((times) => {
        const before = times.findLast((atMs) => atMs <= fromMs);
        if (before === undefined || fromMs - before > RESTING_MS) return [];
        const all = [before, ...times.filter((atMs) => atMs > fromMs && atMs <= untilMs), untilMs];
        return all.slice(1).map((atMs, index) => atMs - (all[index] ?? atMs));
      });
      return Math.round(Math.max(0, ...silences));
    },
    async stop() {
      isStopped = true;
      await running;
    },
  };
}

/** A partition that stood still for so long before has nothing to tell. */
const RESTING_MS = 5_000;
