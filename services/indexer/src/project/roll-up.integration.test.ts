import { createLineLogger } from '@lending/fakes';
import { readRateHistory, readRollUpMarks } from '@lending/store';
import { useDatabase } from '@lending/store/testing';
import { sql } from 'kysely';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { bankAddress, rateSampled } from '#testing/messages.ts';
import { projectRateSampled } from './rate-sampled.ts';
import { runRollUp } from './roll-up.ts';

const BANK = bankAddress(1);
const PATIENCE = { timeout: 120_000, interval: 20 };
const database = useDatabase({ per: 'test' });
const stops: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** One sample a minute from a time on. */
async function write(from: string, minutes: number): Promise<void> {
  const messages = Array.from({ length: minutes }, (_, nth) => {
    const time = new Date(Date.parse(from) + nth * 60_000).toISOString();
    return { ...rateSampled(BANK, BigInt(Math.floor(Date.parse(time) / 400))), time };
  });
  await database.db.transaction().execute((transaction) => projectRateSampled(transaction, messages));
}

function start() {
  const stopping = new AbortController();
  const { logger, lines } = createLineLogger();
  const running = runRollUp({ store: database.store, logger, everyMs: 50 }, stopping.signal);
  const stop = async (): Promise<void> => {
    stopping.abort();
    await running;
  };
  stops.push(stop);
  return { stop, lines };
}

async function untilRolled(before: string): Promise<void> {
  await vi.waitFor(
    async () => expect((await readRollUpMarks(database.db)).rolledBefore).toEqual(new Date(before)),
    PATIENCE,
  );
}

async function readHours() {
  const { rows } = await sql<{ hour: string; samples: number }>`
    select to_char(bucket at time zone 'utc', 'DD HH24') as hour, samples from rate_hour order by bucket
  `.execute(database.db);
  return rows.map(({ hour, samples }) => `${hour}: ${samples}`);
}

describe('runRollUp', () => {
  it('rolls up an hour five minutes after its end in chain time, and its day', async () => {
    await write('2026-11-19T22:30:00Z', 154);
    start();
    await untilRolled('2026-11-20T00:00:00Z');
    expect(await readHours()).toEqual(['19 22: 30', '19 23: 60']);
    await write('2026-11-20T01:04:00Z', 2);
    await untilRolled('2026-11-20T01:00:00Z');
    expect(await readHours()).toEqual(['19 22: 30', '19 23: 60', '20 00: 60']);
    const days = await readRateHistory(database.db, {
      banks: [BANK],
      start: new Date('2026-11-19T00:00:00Z'),
      end: new Date('2026-11-21T00:00:00Z'),
      bucketSeconds: 86_400,
    });
    expect(days.map(({ samples }) => samples)).toEqual([90, 66]);
  });

  it('rolls up again an hour that samples came late for', async () => {
    await write('2026-11-20T10:00:00Z', 20);
    await write('2026-11-20T12:00:00Z', 6);
    const { lines } = start();
    await untilRolled('2026-11-20T12:00:00Z');
    await write('2026-11-20T10:30:00Z', 10);
    await vi.waitFor(async () => expect(await readHours()).toEqual(['20 10: 30']), PATIENCE);
    expect(lines.map(({ event }) => event)).toContain('rate.hours.renew');
  });

  it('settles nothing that is still to come, whatever time a sample claims', async () => {
    await write('2099-01-01T00:00:00Z', 1);
    await write(new Date(Date.now() - 1_000).toISOString(), 1);
    start();
    await vi.waitFor(async () => expect((await readRollUpMarks(database.db)).rolledBefore).not.toBeNull(), PATIENCE);
    const { settledBefore } = await readRollUpMarks(database.db);
    expect(settledBefore?.getTime()).toBeLessThanOrEqual(Date.now());
  });

  it('does nothing while there is no sample', async () => {
    const { stop, lines } = start();
    await new Promise((resolve) => setTimeout(resolve, 200));
    await stop();
    expect(lines).toEqual([]);
    expect(await readRollUpMarks(database.db)).toEqual({ settledBefore: null, rolledBefore: null, rawFrom: null });
  });

  it('rolls up each hour once, however many do it', async () => {
    await write('2026-11-18T00:00:00Z', 1_600);
    const both = [start(), start(), start()];
    await untilRolled('2026-11-19T02:00:00Z');
    for (const { stop } of both) await stop();
    const steps = both.flatMap(({ lines }) => lines.filter(({ event }) => event === 'rate.hours.roll'));
    expect(steps.reduce((sum, { fields }) => sum + Number(fields.rows), 0)).toBe(26);
    expect(both.flatMap(({ lines }) => lines.filter(({ level }) => level !== 'info'))).toEqual([]);
  });
});
