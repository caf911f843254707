import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { useDatabase } from '#testing/use-database.ts';
import { listTopicLags, readGroupPositions, readPartitionLags, writeConsumerLags } from './consumer-lags.ts';
import { resetOffsets } from './consumer-offsets.ts';
import { listSources, reportSources, type SourceSight } from './source-status.ts';
import { listVenueBeats, writeVenueBeats } from './venue-beats.ts';

const database = useDatabase({ per: 'test' });
const TOPIC = 'rate.sampled.v1';

async function clock(ago: string): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`select now() - ${ago}::interval as at`.execute(database.db);
  return rows[0]?.at ?? new Date(Number.NaN);
}

function lag(
  partition: number,
  behind: bigint,
  waitingSince: Date | null = null,
  handledPerSecond: number | null = null,
) {
  return { topic: TOPIC, partition, endOffset: 100n + behind, behind, waitingSince, handledPerSecond };
}

describe('what waits in the topics', () => {
  it('reads the positions of one group, and the clock also where there are none', async () => {
    const none = await readGroupPositions(database.db, 'projection');
    expect(none.positions.size).toBe(0);
    expect(Math.abs(none.readAt.getTime() - (await clock('0 s')).getTime())).toBeLessThan(60_000);
    await database.db
      .transaction()
      .execute((transaction) =>
        resetOffsets(transaction, 'projection', [{ topic: TOPIC, partition: 2, nextOffset: 7n }]),
      );
    expect((await readGroupPositions(database.db, 'projection')).positions).toEqual(new Map([[`${TOPIC}/2`, 7n]]));
    expect((await readGroupPositions(database.db, 'another')).positions.size).toBe(0);
  });

  it('adds up partitions, names the worst, and dates the topic by its oldest message and its oldest reading', async () => {
    const [early, late] = [await clock('90 s'), await clock('20 s')];
    await writeConsumerLags(database.db, {
      group: 'projection',
      measuredAt: late,
      lags: [lag(0, 3n, late, 1.5), lag(2, 40n, early, 2), lag(1, 0n)],
      dead: [{ topic: TOPIC, messages: 4n }],
    });
    const [row, ...others] = await listTopicLags(database.db);
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      consumer_group: 'projection',
      topic: TOPIC,
      partitions: 3,
      behind: 43n,
      worst_partition: 2,
      worst_behind: 40n,
      handled_per_second: 3.5,
      dead: 4n,
      measured_at: late,
    });
    expect(row?.waiting_ms).toBe(late.getTime() - early.getTime());
    expect(row?.measured_ms).toBeGreaterThanOrEqual(20_000);
  });

  it('knows neither age nor rate nor dead messages where nobody told', async () => {
    await writeConsumerLags(database.db, {
      group: 'projection',
      measuredAt: await clock('0 s'),
      lags: [lag(0, 0n)],
      dead: [],
    });
    expect(await listTopicLags(database.db)).toMatchObject([
      { behind: 0n, waiting_ms: null, handled_per_second: null, dead: null },
    ]);
  });

  it('keeps the newest reading, whoever writes last, and forgets a topic that nobody measures any more', async () => {
    const [old, before, now] = [await clock('2 days'), await clock('10 s'), await clock('0 s')];
    const write = (measuredAt: Date, behind: bigint, topic = TOPIC) =>
      writeConsumerLags(database.db, {
        group: 'projection',
        measuredAt,
        lags: [{ ...lag(0, behind), topic }],
        dead: [{ topic, messages: behind }],
      });
    await write(old, 9n, 'gone.away.v1');
    await write(now, 5n);
    await write(before, 8n);
    expect(await listTopicLags(database.db)).toMatchObject([{ topic: TOPIC, behind: 5n, dead: 5n }]);
    expect(await readPartitionLags(database.db, 'projection')).toMatchObject([
      { endOffset: 105n, behind: 5n, measuredAt: now },
    ]);
  });

  it('takes what two measure at the same time', async () => {
    const lags = Array.from({ length: 60 }, (_, partition) => lag(partition, 1n));
    const write = async (order: typeof lags) =>
      writeConsumerLags(database.db, { group: 'projection', measuredAt: await clock('0 s'), lags: order, dead: [] });
    await Promise.all(Array.from({ length: 12 }, (_, nth) => write(nth % 2 === 0 ? lags : lags.toReversed())));
    expect(await listTopicLags(database.db)).toMatchObject([{ partitions: 60, behind: 60n }]);
  });
});

describe('what processes hear from', () => {
  const sight: SourceSight = {
    kind: 'rpc',
    host: 'node.example:8899',
    state: 'serving',
    inUse: true,
    slot: 400n,
    slotAgeMs: 1_000,
    answerAgeMs: 500,
    error: null,
  };

  it('is one row for each source of each process, which the next report replaces', async () => {
    const other = { ...sight, host: 'other.example', state: 'unknown', inUse: false } as const;
    const unseen = { ...other, slot: null, slotAgeMs: null, answerAgeMs: null };
    await reportSources(database.db, { role: 'indexer', instance: 'a', sources: [sight, unseen] });
    await reportSources(database.db, { role: 'indexer', instance: 'b', sources: [sight] });
    await reportSources(database.db, {
      role: 'indexer',
      instance: 'a',
      sources: [{ ...sight, state: 'resting', error: 'HTTP 503' }],
    });
    const rows = await listSources(database.db, 60_000);
    expect(rows.map(({ instance, host, state, error, slot }) => [instance, host, state, error, slot])).toEqual([
      ['a', 'node.example:8899', 'resting', 'HTTP 503', 400n],
      ['a', 'other.example', 'unknown', null, null],
      ['b', 'node.example:8899', 'serving', null, 400n],
    ]);
    expect(rows[1]).toMatchObject({ slotAgeMs: null, answerAgeMs: null, inUse: false });
    expect(rows[0]?.slotAgeMs).toBeGreaterThanOrEqual(1_000);
    expect(rows[0]?.slotAgeMs).toBeLessThan(60_000);
  });

  it('leaves out who has been silent, and deletes it a day later', async () => {
    await reportSources(database.db, { role: 'indexer', instance: 'a', sources: [sight] });
    await sql`update source_status set observed_at = now() - interval '2 minutes'`.execute(database.db);
    expect(await listSources(database.db, 60_000)).toEqual([]);
    expect(await listSources(database.db, 600_000)).toHaveLength(1);
    await sql`update source_status set observed_at = now() - interval '2 days'`.execute(database.db);
    await reportSources(database.db, { role: 'api', instance: 'c', sources: [] });
    expect(await listSources(database.db, 1e12)).toEqual([]);
  });
});

describe('how often venues are sampled', () => {
  it('is what was told last; a slot that nobody measured keeps its length', async () => {
    await writeVenueBeats(database.db, { beatMs: { p0: 10_000, kamino: 30_000 }, slotUs: 400_000 });
    await writeVenueBeats(database.db, { beatMs: { p0: 5_000 }, slotUs: null });
    expect(await listVenueBeats(database.db)).toEqual([
      { venue: 'kamino', beat_ms: 30_000, slot_us: 400_000 },
      { venue: 'p0', beat_ms: 5_000, slot_us: 400_000 },
    ]);
  });
});
