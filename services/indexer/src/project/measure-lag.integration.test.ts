import { type Bus, createBus } from '@lending/bus';
import { LendingError } from '@lending/errors';
import { createLineLogger } from '@lending/fakes';
import { createMetrics } from '@lending/runtime';
import { listTopicLags, resetOffsets } from '@lending/store';
import { useDatabase } from '@lending/store/testing';
import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import { bankAddress, oraclePriced } from '#testing/messages.ts';
import { runLagMeasuring } from './measure-lag.ts';
import { PROJECTION_GROUP } from './projector.ts';

const PATIENCE = { timeout: 120_000, interval: 20 };
const TOPIC = 'oracle.priced.v1';
const database = useDatabase({ per: 'test' });
const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function openBus(): Promise<Bus> {
  const bus = await createBus({ kind: 'embedded', connectionString: database.connectionString });
  closing.push(() => bus.close());
  return bus;
}

function startMeasuring(bus: Pick<Bus, 'readExtents' | 'countDead'>, everyMs = 50) {
  const metrics = createMetrics();
  const stopping = new AbortController();
  const { logger } = createLineLogger();
  const running = runLagMeasuring({ bus, store: database.store, logger, metrics, everyMs }, stopping.signal);
  const stop = async () => {
    stopping.abort();
    await running;
  };
  closing.push(stop);
  return { metrics, stop };
}

const lagOf = async () => (await listTopicLags(database.db)).find(({ topic }) => topic === TOPIC);
const behind = async () => Number((await lagOf())?.behind ?? -1);
const sumOf = (text: string, metric: string) =>
  [...text.matchAll(new RegExp(`^${metric}\\{.*topic="${TOPIC}".*\\} (\\S+)$`, 'gm'))].map(([, value]) =>
    Number(value),
  );

describe('runLagMeasuring', () => {
  it('follows what is published, handled, buried and replayed', async () => {
    const bus = await openBus();
    const { metrics } = startMeasuring(bus);
    await expect.poll(behind, PATIENCE).toBe(0);
    await bus.publish(Array.from({ length: 30 }, (_, nth) => oraclePriced(bankAddress(nth), BigInt(nth))));
    await bus.bury({ topic: TOPIC, partition: 0, offset: 0n, key: 'k', value: 'v', reason: 'r' });
    await expect.poll(behind, PATIENCE).toBe(30);
    expect(await lagOf()).toMatchObject({
      consumer_group: PROJECTION_GROUP,
      partitions: 6,
      waiting_ms: expect.any(Number),
    });
    await expect.poll(async () => Number((await lagOf())?.dead), PATIENCE).toBe(1);
    // Shown after it is written.
    await expect.poll(async () => sumOf(await metrics.render(), 'bus_dead_messages'), PATIENCE).toEqual([1]);
    const text = await metrics.render();
    expect(sumOf(text, 'bus_consumer_lag')).toHaveLength(6);
    expect(sumOf(text, 'bus_consumer_lag').reduce((sum, one) => sum + one, 0)).toBe(30);

    const extents = await bus.readExtents([TOPIC]);
    const stand = (at: 'oldest' | 'next') =>
      database.db.transaction().execute((transaction) =>
        resetOffsets(
          transaction,
          PROJECTION_GROUP,
          extents.map((extent) => ({ ...extent, nextOffset: extent[at] })),
        ),
      );
    await stand('next');
    await expect.poll(behind, PATIENCE).toBe(0);
    expect((await lagOf())?.waiting_ms).toBeNull();
    await stand('oldest');
    await expect.poll(behind, PATIENCE).toBe(30);
    await sql`delete from log_message`.execute(database.db);
    await expect.poll(behind, PATIENCE).toBe(0);
  });

  it('tells the same with two who measure, and goes on when one of them ends', async () => {
    const [one, two] = [await openBus(), await openBus()];
    const first = startMeasuring(one);
    startMeasuring(two);
    await one.publish([oraclePriced(bankAddress(1), 1n)]);
    await expect.poll(behind, PATIENCE).toBe(1);
    await first.stop();
    await one.publish([oraclePriced(bankAddress(1), 2n)]);
    await expect.poll(behind, PATIENCE).toBe(2);
  });

  it('has no series, and leaves the reading as old as it is, while the log does not say where it ends', async () => {
    const bus = await openBus();
    let isAway = false;
    const away = {
      countDead: bus.countDead.bind(bus),
      readExtents: async (topics: Parameters<Bus['readExtents']>[0]) => {
        if (isAway) throw new LendingError('BUS__UNAVAILABLE');
        return bus.readExtents(topics);
      },
    };
    const { metrics } = startMeasuring(away);
    await expect.poll(behind, PATIENCE).toBe(0);
    expect(sumOf(await metrics.render(), 'bus_consumer_lag_seconds')).toEqual([0, 0, 0, 0, 0, 0]);
    isAway = true;
    await bus.publish([oraclePriced(bankAddress(1), 1n)]);
    await expect.poll(async () => sumOf(await metrics.render(), 'bus_consumer_lag'), PATIENCE).toEqual([]);
    const before = await lagOf();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect((await lagOf())?.measured_at).toEqual(before?.measured_at);
    isAway = false;
    await expect.poll(behind, PATIENCE).toBe(1);
  });
});
