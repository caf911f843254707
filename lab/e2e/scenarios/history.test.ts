import { createBus } from '@lending/bus';
import { VENUES, type Venue } from '@lending/domain';
import { decodeMessage, type Message } from '@lending/events';
import { CLOCK_SYSVAR, clockLayout, klendReserveLayout, solendReserveLayout } from '@lending/programs';
import { type TestDatabase, useDatabase } from '@lending/store/testing';
import type { Address } from '@solana/kit';
import { beforeAll, describe, expect, it } from 'vitest';
import { type PollerHere, startIndexerHere } from '../src/cluster/in-process.ts';
import { useOpened } from '../src/cluster/opened.ts';
import { eventually } from '../src/eventually.ts';
import { createCuttableBus } from '../src/history/cuttable-bus.ts';
import { publishEarlierSamples } from '../src/history/earlier-samples.ts';
import {
  bankOf,
  expectHonest,
  gapsOf,
  type History,
  iso,
  KAMINO_BANK,
  KAMINO_RESERVE,
  meanApyPct,
  readHistory,
  readSamples,
  reserveOf,
  SAVE_BANKS,
  SAVE_RESERVES,
  SUBJECTS,
} from '../src/history/histories.ts';
import {
  type HistoryPoller,
  readMetric,
  startHistoryPoller,
  startWorldPoller,
  untilStored,
} from '../src/history/history-poller.ts';
import {
  DAY_MS,
  type HistoryWorld,
  HOUR_MS,
  MINUTE_MS,
  openHistoryWorld,
  PROMPT,
  SECOND_MS,
} from '../src/history/history-world.ts';
import { getJson } from '../src/http.ts';
import type { BanksReply, NotReadyReply, StatusReply } from '../src/replies.ts';
import { query, readRows, untilProjected, untilRolledUp } from '../src/tables/query.ts';

/** Midnight before the day before yesterday's evening: all that happens here is over before now. */
const DAY = Math.floor(Date.now() / DAY_MS) * DAY_MS - 2 * DAY_MS;
/** `22:40` of that day, `25:00` is 01:00 of the next. */
const at = (clock: string): number => {
  const [hours = 0, minutes = 0, seconds = 0] = clock.split(':').map(Number);
  return DAY + hours * HOUR_MS + minutes * MINUTE_MS + seconds * SECOND_MS;
};
/** The minutes from one to another, both included, as `gapsOf` writes them. */
const minutes = (from: string, to: string): readonly string[] =>
  Array.from({ length: (at(to) - at(from)) / MINUTE_MS + 1 }, (_, minute) =>
    new Date(at(from) + minute * MINUTE_MS).toISOString().slice(11, 16),
  );

/** Samples every minute. */
async function sampleMinutes(world: HistoryWorld, poller: HistoryPoller, count: number): Promise<void> {
  for (let minute = 0; minute < count; minute += 1) {
    world.advance(MINUTE_MS);
    await poller.sample();
  }
}

/** The same, until the tables have it. */
async function storeMinutes(world: HistoryWorld, poller: HistoryPoller, count: number): Promise<void> {
  await sampleMinutes(world, poller, count);
  await untilStored(world, poller);
}

/** What a user is told at this moment. */
async function lookAround({ api }: HistoryWorld) {
  const response = await fetch(`${api.url}/readyz`);
  const [status, banks] = await Promise.all([
    getJson<StatusReply>(`${api.url}/v1/status`),
    getJson<BanksReply>(`${api.url}/v1/banks`),
  ]);
  const reasons = response.status === 200 ? [] : ((await response.json()) as NotReadyReply).details.reasons;
  return { ready: response.status, reasons, status, banks };
}
type Look = Awaited<ReturnType<typeof lookAround>>;

describe('three hours without samples', () => {
  const database = useDatabase();
  const opened = useOpened();
  let world: HistoryWorld;
  let poller: HistoryPoller;
  const looks: Record<'noPoller' | 'noNode' | 'after', Look> = {} as never;
  const hours: Record<'raw' | 'rolled', readonly History[]> = {} as never;
  const duringOutage: History[] = [];

  beforeAll(async () => {
    world = opened.keep(await openHistoryWorld({ database, startMs: at('22:40:05') }));
    await publishEarlierSamples(world, at('22:40:05'));
    poller = opened.keep(startHistoryPoller(world));
    await poller.sample();
    await storeMinutes(world, poller, 15);
    await poller.stop();

    world.advance(90 * MINUTE_MS);
    looks.noPoller = await eventually(async () => {
      const look = await lookAround(world);
      expect(look.banks.as_of.stale).toBe(true);
      return look;
    });
    for (const { subject } of SUBJECTS)
      duringOutage.push(await readHistory(world, subject, '1m', at('22:50'), at('26:00')));
    world.advance(90 * MINUTE_MS);
    poller = opened.keep(startHistoryPoller(world));
    await poller.sample();
    // Until 02:03: hour 22 is rolled up, hour 01 is not yet.
    await storeMinutes(world, poller, 8);
    await untilRolledUp(database, at('25:00'));
    hours.raw = await readHours();
    await storeMinutes(world, poller, 4);
    await untilRolledUp(database, at('26:00'));
    hours.rolled = await readHours();

    world.localnet.setFault({ kind: 'unavailable' });
    world.advance(90 * MINUTE_MS);
    await poller.sample();
    looks.noNode = await lookAround(world);
    world.advance(90 * MINUTE_MS);
    world.localnet.setFault(null);
    await poller.sample();
    await storeMinutes(world, poller, 5);
    await untilRolledUp(database, at('29:00'));
    // The indexer was without its node, too. It says by slots that follow how far it has come.
    looks.after = await eventually(async () => {
      world.advance(0);
      const look = await lookAround(world);
      expect(look.reasons).toEqual([]);
      return look;
    });
  });
  const readHours = () =>
    Promise.all(SUBJECTS.map(({ subject }) => readHistory(world, subject, '1h', at('21:00'), at('26:00'))));

  it.for(SUBJECTS)('[history-outage] are gaps of just that length in $subject', async (subject) => {
    const byMinute = await expectHonest(world, subject, '1m', at('22:40'), at('29:13'));
    expect(byMinute.points).toHaveLength(6 * 60 + 33);
    expect(gapsOf(byMinute)).toEqual([...minutes('22:56', '25:54'), ...minutes('26:08', '29:06')]);
    const byHour = await expectHonest(world, subject, '1h', at('20:00'), at('29:30'));
    expect(gapsOf(byHour)).toEqual(['23:00', '00:00', '03:00', '04:00']);
    const byDay = await expectHonest(world, subject, '1d', at('00:00') - 3 * DAY_MS, at('29:30'));
    expect(byDay.points).toHaveLength(5);
    expect(gapsOf(byDay)).toEqual([]);
  });

  it('[history-outage] are the same gaps before and after hours are rolled up', () => {
    for (const [index, rolled] of hours.rolled.entries()) {
      expect(rolled.rolled_from).toBe('hour');
      expect(rolled.points).toEqual(hours.raw[index]?.points);
      expect(rolled.points.map(({ gap }) => gap)).toEqual([false, false, true, true, false]);
    }
  });

  it('[history-outage] are listed for plain SQL once they are over, as whole hours', async () => {
    const rows = await query<{ address: string }>(
      database,
      `select address, from_time as from, to_time as to, hours::integer as hours
       from v_rate_gap where address = any($1) order by address, from_time`,
      [SUBJECTS.map(({ address }) => address)],
    );
    // The hour after the second one is not rolled up yet.
    const gap = { from: new Date(at('23:00')), to: new Date(at('25:00')), hours: 2 };
    const addresses = SUBJECTS.map(({ address }) => address).sort();
    expect(rows).toEqual(addresses.map((address) => ({ address, ...gap })));
  });

  it.for(SUBJECTS)('[history-outage] are left out of the mean of a week of $subject', async ({ subject, ...of }) => {
    const samples = await readSamples(database, of.address);
    const untilMs = samples.at(-1)?.timeMs ?? 0;
    const fromMs = Math.floor((untilMs - 7 * DAY_MS) / HOUR_MS) * HOUR_MS;
    const expected = meanApyPct(samples, of.venue, fromMs, untilMs) ?? 0;
    // Means are read every five minutes of our time.
    world.time.oursMs += 6 * MINUTE_MS;
    await eventually(async () => {
      const { rates } = await getJson<{ rates: { deposit_apy_7d_pct: number } }>(`${world.api.url}/v1/${subject}`);
      expect(rates.deposit_apy_7d_pct).toBeCloseTo(expected, 6);
    });
  });

  it('[history-outage-shown] are said by everything while there is no poller', () => {
    const { ready, reasons, status, banks } = looks.noPoller;
    expect(ready).toBe(503);
    expect(reasons).toContainEqual(
      expect.objectContaining({ component: 'data', reason: expect.stringContaining('5400 s old') }),
    );
    expect(status.venues).toHaveLength(VENUES.length);
    for (const { newest, stale } of status.venues) {
      expect({ ...newest, stale }).toMatchObject({ age_seconds: 5_400, stale: true });
      expect(Date.parse(newest.time)).toBe(at('22:55:05'));
    }
    expect(banks.coverage.complete).toBe(false);
    expect(banks.coverage.venues_missing).toHaveLength(VENUES.length);
    for (const { since } of banks.coverage.venues_missing) expect(Date.parse(since ?? '')).toBe(at('22:55:05'));
    expect(banks.warnings.map(({ code }) => code)).toContain('DATA_STALE');
  });

  it('[history-outage-shown] are a gap up to now while they last, in an answer that calls itself old', () => {
    for (const history of duringOutage) {
      expect(gapsOf(history)).toEqual(minutes('22:56', '24:25'));
      expect(history.last_available).toBe(iso(at('22:55:05')));
      expect(history.as_of).toMatchObject({ stale: true, age_seconds: 5_400 });
      expect(history.warnings.map(({ code }) => code)).toContain('DATA_STALE');
    }
  });

  it('[history-outage-shown] are said with their reason while the node does not answer', () => {
    const { ready, reasons } = looks.noNode;
    expect(ready).toBe(503);
    const components = reasons.map(({ component }) => component);
    expect(components).toEqual(expect.arrayContaining(['data', 'rate-poller', 'rate-poller kamino']));
    expect(reasons.find(({ component }) => component === 'rate-poller')?.reason).toContain('CHAIN__RPC_UNAVAILABLE');
  });

  it('[history-outage-shown] are over when samples come again, and stay in the status for a day', () => {
    const { ready, status, banks } = looks.after;
    expect(ready).toBe(200);
    expect(banks.coverage).toMatchObject({ complete: true, venues_missing: [] });
    for (const { stale, gap_seconds_24h: gap } of status.venues) {
      expect(stale).toBe(false);
      // Both outages but for the two minutes that the last sample before each speaks; the third hour of the second is not rolled up.
      expect(gap).toBe((3 * HOUR_MS + (at('29:00') - at('26:07:05')) - 2 * 120 * SECOND_MS) / SECOND_MS);
    }
  });
});

describe('samples that wait for the log', () => {
  const database = useDatabase();
  const inOrder = useDatabase();
  const opened = useOpened();
  let world: HistoryWorld;
  const histories: Record<'waiting' | 'delivered', readonly History[]> = {} as never;

  beforeAll(async () => {
    world = opened.keep(await openHistoryWorld({ database, startMs: at('22:50:05') }));
    const bus = createCuttableBus(world.bus);
    const cutOff = opened.keep(startHistoryPoller(world, { bus }));
    await cutOff.sample();
    await storeMinutes(world, cutOff, 4);
    // The log and the database are out of its reach, and another one takes over after a quarter of an hour.
    bus.isCut = true;
    await sampleMinutes(world, cutOff, 15);
    await cutOff.resign();
    const other = opened.keep(startHistoryPoller(world));
    await sampleMinutes(world, other, 6);
    world.advance(50 * MINUTE_MS);
    await other.sample();
    await untilStored(world, other);
    await untilRolledUp(database, at('24:00'));
    histories.waiting = await readMinutes();
    bus.isCut = false;
    await untilStored(world, cutOff);
    await untilRolledUp(database, at('24:00'));
    histories.delivered = await readMinutes();
  });
  const readMinutes = () =>
    Promise.all(SUBJECTS.map((subject) => expectHonest(world, subject, '1m', at('22:50'), at('23:16'))));

  it('[history-late] are a gap until they come, and then none', () => {
    for (const history of histories.waiting) expect(gapsOf(history)).toEqual(minutes('22:55', '23:09'));
    for (const history of histories.delivered) expect(gapsOf(history)).toEqual([]);
  });

  it.for(SUBJECTS)('[history-late] are in the hours and the day of $subject', async (subject) => {
    const { points } = await expectHonest(world, subject, '1h', at('22:00'), at('24:00'));
    expect(points.map(({ samples }) => samples)).toEqual([10, 16]);
    const { points: days } = await expectHonest(world, subject, '1d', at('00:00'), at('24:00'));
    expect(days.map(({ samples }) => samples)).toEqual([26]);
  });

  it('[history-late] give the same rows as in time', async () => {
    const messages = await readSampledMessages(database);
    const bus = await createBus({ kind: 'embedded', connectionString: inOrder.connectionString });
    const indexer = await startIndexerHere(inOrder, world.chain, { bus, ...PROMPT });
    try {
      for (const hourMs of [at('23:00'), at('24:00'), at('25:00')]) {
        await bus.publish(messages.filter(({ time }) => isWithinHourBefore(time, hourMs)));
        await untilProjected(inOrder);
      }
      await untilRolledUp(inOrder, at('24:00'));
      for (const table of ['rate_sample', 'rate_hour', 'rate_day'] as const) {
        const rows = await readRows(database, table);
        expect(rows.length).toBeGreaterThan(0);
        expect(await readRows(inOrder, table)).toEqual(rows);
      }
    } finally {
      await indexer.stop();
      await bus.close();
    }
  });
});

/** All rate samples of a log, in the order of their times. */
async function readSampledMessages(database: TestDatabase): Promise<readonly Message[]> {
  const rows = await query<{ value: string }>(
    database,
    `select value from log_message join log_partition on id = partition_id where topic = 'rate.sampled.v1'`,
  );
  return rows
    .map(({ value }) => decodeMessage('rate.sampled.v1', value))
    .sort((one, other) => one.time.localeCompare(other.time));
}

function isWithinHourBefore(time: string, hourMs: number): boolean {
  return Date.parse(time) >= hourMs - HOUR_MS && Date.parse(time) < hourMs;
}

describe("a node's clock that jumps", () => {
  const database = useDatabase();
  const opened = useOpened();
  let world: HistoryWorld;
  let poller: HistoryPoller;

  beforeAll(async () => {
    world = opened.keep(await openHistoryWorld({ database, startMs: at('10:00:05') }));
    poller = opened.keep(startHistoryPoller(world));
    await poller.sample();
    await sampleMinutes(world, poller, 2);
    await sampleSkewed(3n * 3_600n);
    await sampleMinutes(world, poller, 1);
    await sampleSkewed(-3n * 3_600n);
    await storeMinutes(world, poller, 2);
  });
  /** Samples a minute later, from a node whose clock is off by some seconds in just this answer. */
  async function sampleSkewed(seconds: bigint): Promise<void> {
    const { ledger } = world.localnet;
    world.advance(MINUTE_MS);
    const state = ledger.account(CLOCK_SYSVAR);
    if (state === undefined) throw new TypeError('the chain has no clock');
    const codec = clockLayout;
    const clock = codec.decode(state.data);
    const data = new Uint8Array(codec.encode({ ...clock, unixTimestamp: clock.unixTimestamp + seconds }));
    ledger.writeAccount(CLOCK_SYSVAR, { ...state, data });
    ledger.advanceSlot();
    await poller.sample();
  }

  it.for(SUBJECTS)('[history-clock] is a gap of the minutes it was off in $subject', async (subject) => {
    const history = await expectHonest(world, subject, '1m', at('10:00'), at('10:08'));
    expect(gapsOf(history)).toEqual(['10:03', '10:05']);
    expect(history).toMatchObject({ first_available: iso(at('10:00:05')), last_available: iso(at('10:07:05')) });
  });

  it('[history-clock] leaves no sample at a time that was not, and says what it left out', async () => {
    const [{ strays } = { strays: null }] = await query<{ strays: number }>(
      database,
      `select count(*)::integer as strays from rate_sample where time not between $1 and $2`,
      [iso(at('10:00')), iso(at('10:08'))],
    );
    expect(strays).toBe(0);
    const [{ series } = { series: 0 }] = await query<{ series: number }>(
      database,
      `select count(*)::integer as series from rate_series`,
    );
    const { venues } = await getJson<StatusReply>(`${world.api.url}/v1/status`);
    expect(venues.reduce((sum, { quarantined_24h: count }) => sum + count, 0)).toBe(2 * series);
    for (const { venue, last_quarantined: last, stale } of venues) {
      // JupLend's figures cannot be computed for a time before its accounts were last touched.
      expect(last?.reason, venue).toMatch(venue === 'JupLend' ? /^(clock_jump|reserve_unreadable)$/ : /^clock_jump$/);
      expect(stale).toBe(false);
    }
  });

  it('[history-clock] is believed after five readings when it stays, and is a gap of its length', async () => {
    world.time.chainMs += 3 * HOUR_MS;
    await storeMinutes(world, poller, 4);
    const { last_available: last } = await readHistory(world, SUBJECTS[0].subject, '1m', at('10:00'), at('14:00'));
    expect(last).toBe(iso(at('10:07:05')));
    await storeMinutes(world, poller, 3);
    for (const subject of SUBJECTS) {
      const history = await expectHonest(world, subject, '1m', at('10:06'), at('13:15'));
      expect(gapsOf(history)).toEqual(minutes('10:08', '13:11'));
    }
  });
});

describe('two pollers', () => {
  const database = useDatabase();
  const opened = useOpened();
  let world: HistoryWorld;

  beforeAll(async () => {
    const startMs = at('12:00');
    world = opened.keep(await openHistoryWorld({ database, startMs }));
    // Here time passes as it does, because it is the pollers' own beats and locks that matter.
    const begun = performance.now();
    const ticking = setInterval(() => world.advance(startMs + (performance.now() - begun) - world.time.oursMs), 200);
    opened.defer(() => clearInterval(ticking));
  });

  /** A poller as another process would have it. */
  const startRival = () => opened.keep(startWorldPoller(world, { bus: world.bus, everyMs: 200 }));
  const publishedBy = ({ metrics }: PollerHere) => readMetric(metrics, 'rate_sample_publish_total', { venue: 'p0' });

  async function untilSampled(poller: PollerHere, more: number): Promise<void> {
    const before = await publishedBy(poller);
    await eventually(async () => expect(await publishedBy(poller)).toBeGreaterThanOrEqual(before + more));
  }

  /** Until one of two samples and the other does not: whose lock was taken away goes on until it knows that another one leads. */
  async function untilOneSamples(rivals: readonly PollerHere[], more: number): Promise<void> {
    const publishedOf = () => Promise.all(rivals.map(publishedBy));
    await eventually(async () => {
      const before = await publishedOf();
      const grownOf = async () => (await publishedOf()).map((count, nth) => count - (before[nth] ?? 0));
      await eventually(async () => expect(Math.max(...(await grownOf()))).toBeGreaterThanOrEqual(more));
      expect(Math.min(...(await grownOf()))).toBe(0);
    });
  }

  /** The longest time between two samples of a subject, ms. */
  async function longestHole(address: string): Promise<number> {
    const times = (await readSamples(database, address)).map(({ timeMs }) => timeMs);
    return Math.max(...times.slice(1).map((timeMs, index) => timeMs - (times[index] ?? 0)));
  }

  it('[history-one-poller] are one that samples and one that stands by', async () => {
    const [first, second] = [startRival(), startRival()];
    await eventually(async () => expect([first.lock.state, second.lock.state].sort()).toEqual(['leading', 'standby']));
    const [leader, standby] = first.lock.state === 'leading' ? [first, second] : [second, first];
    await untilSampled(leader, 100);
    expect(await publishedBy(standby)).toBe(0);

    await leader.stop();
    const stoppedAt = performance.now();
    await untilSampled(standby, 16);
    expect(performance.now() - stoppedAt).toBeLessThan(60_000);
    const published = await publishedBy(leader);

    const third = startRival();
    await eventually(async () => expect(third.lock.state).toBe('standby'));
    const { length: ended } = await query(
      database,
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'leader %' and pid in (
         select pid from pg_locks where locktype = 'advisory' and granted
       ) and datname = current_database()`,
    );
    expect(ended).toBe(1);
    await untilOneSamples([standby, third], 100);
    expect([standby.lock.state, third.lock.state].sort()).toEqual(['leading', 'standby']);
    expect(await publishedBy(leader)).toBe(published);
    await untilProjected(database);
  });

  it.for(SUBJECTS)('[history-one-poller] leave no sample twice and no hole in $subject', async ({ address }) => {
    const [{ twice, back } = { twice: null, back: null }] = await query<{ twice: number; back: number }>(
      database,
      `select
         (count(*) - count(distinct slot))::integer as twice,
         count(*) filter (where time < before)::integer as back
       from (select slot, time, lag(time) over (order by slot) as before
             from rate_sample join rate_series on id = series where address = $1) as sample`,
      [address],
    );
    expect({ twice, back }).toEqual({ twice: 0, back: 0 });
    expect(await longestHole(address)).toBeLessThan(20 * SECOND_MS);
  });
});

describe('a venue that answers nonsense', () => {
  const database = useDatabase();
  const overwritten = [KAMINO_RESERVE, ...SAVE_RESERVES];
  const stricken = [
    reserveOf(KAMINO_RESERVE, 'kamino'),
    KAMINO_BANK,
    ...SAVE_RESERVES.map((reserve) => reserveOf(reserve, 'solend')),
    ...SAVE_BANKS,
  ];
  const opened = useOpened();
  let world: HistoryWorld;
  let poller: HistoryPoller;
  const looks: Record<'absurd' | 'truncated', Look> = {} as never;
  const served: unknown[] = [];

  beforeAll(async () => {
    world = opened.keep(await openHistoryWorld({ database, startMs: at('10:00:05') }));
    const { ledger } = world.localnet;
    poller = opened.keep(startHistoryPoller(world));
    await poller.sample();
    await sampleMinutes(world, poller, 2);
    const good = overwritten.map((reserve) => [reserve, ledger.account(reserve)] as const);
    ledger.writeAccounts(
      good.map(([reserve, state]) => [reserve, state && { ...state, data: makeAbsurd(reserve, state.data) }]),
    );
    await storeMinutes(world, poller, 3);
    looks.absurd = await look();
    ledger.writeAccounts(
      good.map(([reserve, state]) => [reserve, state && { ...state, data: state.data.slice(0, 100) }]),
    );
    await storeMinutes(world, poller, 3);
    looks.truncated = await look();
    ledger.writeAccounts(good);
    await storeMinutes(world, poller, 3);
  });
  /** Asks for all there is until the api has heard of the last minute. */
  async function look(): Promise<Look> {
    return await eventually(async () => {
      const found = await lookAround(world);
      expect(found.banks.coverage.venues_missing.map(({ venue }) => venue)).toEqual(['Solend']);
      for (const { subject } of stricken) served.push(await getJson(`${world.api.url}/v1/${subject}`));
      return found;
    });
  }

  const byReason = (venue: string, reason: string) =>
    readMetric(poller.metrics, 'rate_sample_quarantine_total', { venue, reason });

  it('[history-nonsense] is a gap in its reserves and in the banks on them', async () => {
    for (const subject of stricken) {
      const history = await expectHonest(world, subject, '1m', at('10:00'), at('10:12'));
      expect(gapsOf(history), subject.subject).toEqual(minutes('10:03', '10:08'));
    }
  });

  it('[history-nonsense] is a gap in nobody else', async () => {
    const all = await query<{ address: string; venue: Venue; kind: string }>(
      database,
      'select address, venue, kind from rate_series',
    );
    const others = all.filter(({ address }) => !stricken.some((subject) => subject.address === address));
    expect(others).toHaveLength(all.length - stricken.length);
    for (const { address, venue, kind } of others) {
      const subject = kind === 'bank' ? bankOf(address, venue) : reserveOf(address, venue);
      const history = await readHistory(world, subject.subject, '1m', at('10:00'), at('10:12'));
      expect([subject.subject, gapsOf(history)]).toEqual([subject.subject, []]);
    }
  });

  it('[history-nonsense] is counted by venue and reason', async () => {
    const expected = [
      { venue: 'kamino', reason: 'reserve_unreadable', count: 2 * 3 },
      { venue: 'kamino', reason: 'size_out_of_range', count: 2 * 3 },
      { venue: 'solend', reason: 'reserve_unreadable', count: 6 * 3 },
      { venue: 'solend', reason: 'size_out_of_range', count: 6 * 3 },
    ];
    const rows = await query(
      database,
      'select venue, reason, count(*)::integer as count from rate_quarantine group by venue, reason order by venue, reason',
    );
    expect(rows).toEqual(expected);
    for (const { venue, reason, count } of expected) expect(await byReason(venue, reason)).toBe(count);
  });

  it('[history-nonsense] is told in the status while it lasts, and of the venue that says nothing else', () => {
    for (const [name, { status, banks }] of Object.entries(looks)) {
      const of = (venue: string) => status.venues.find((each) => each.venue === venue);
      expect(of('Kamino')).toMatchObject({ stale: false, quarantined_24h: name === 'absurd' ? 6 : 12 });
      expect(of('Solend')).toMatchObject({ stale: true, quarantined_24h: name === 'absurd' ? 18 : 36 });
      expect(of('Solend')?.last_quarantined?.reason).toBe(
        name === 'absurd' ? 'size_out_of_range' : 'reserve_unreadable',
      );
      expect(of('P0')).toMatchObject({ stale: false, quarantined_24h: 0, last_quarantined: null });
      expect(banks.coverage.complete).toBe(false);
    }
  });

  it('[history-nonsense] is served nowhere', async () => {
    const histories = await Promise.all(
      stricken.map(({ subject }) => readHistory(world, subject, '1m', at('10:00'), at('10:12'))),
    );
    const numbers = [...served, ...histories].flatMap(numbersIn);
    expect(numbers.length).toBeGreaterThan(500);
    // Slots and limits are the largest numbers of this market.
    expect(Math.max(...numbers)).toBeLessThan(5e9);
    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0);
  });
});

/** The bytes of a reserve that says it has lent out more than there is. */
function makeAbsurd(reserve: Address, data: Uint8Array): Uint8Array {
  const absurd = 2n ** 127n;
  if (reserve === KAMINO_RESERVE) {
    const decoded = klendReserveLayout.decode(data);
    const liquidity = { ...decoded.liquidity, borrowedAmountSf: absurd };
    return new Uint8Array(klendReserveLayout.encode({ ...decoded, liquidity }));
  }
  const decoded = solendReserveLayout.decode(data);
  const liquidity = { ...decoded.liquidity, borrowedAmountWads: absurd };
  return new Uint8Array(solendReserveLayout.encode({ ...decoded, liquidity }));
}

/** Every number in a JSON value, however deep. */
function numbersIn(value: unknown): readonly number[] {
  if (typeof value === 'number') return [value];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(numbersIn) : [];
}
