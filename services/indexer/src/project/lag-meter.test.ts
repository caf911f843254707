import type { LogExtent } from '@lending/bus';
import type { PartitionLag } from '@lending/store';
import { describe, expect, it } from 'vitest';
import { createLagMeter, type LagMeter, positionAmong } from './lag-meter.ts';

const TOPIC = 'rate.sampled.v1';
const BEAT_MS = 5_000;

function extent(next: bigint, oldest = 0n, partition = 0): LogExtent {
  return { topic: TOPIC, partition, oldest, next };
}

/** One reading of one partition, in seconds. */
function read(meter: LagMeter, second: number, held: LogExtent, position?: bigint) {
  const positions = new Map(position === undefined ? [] : [[`${TOPIC}/0`, position] as const]);
  const [lag] = meter.measure(second * 1000, [held], positions);
  if (lag === undefined) throw new Error('nothing was measured');
  const since = lag.waitingSince === null ? null : lag.waitingSince.getTime() / 1000;
  return { behind: lag.behind, since, rate: lag.handledPerSecond };
}

describe('createLagMeter', () => {
  it('says that nothing waits where the group stands at the end, and where the log is empty', () => {
    const meter = createLagMeter([]);
    expect(read(meter, 0, extent(7n), 7n)).toMatchObject({ behind: 0n, since: null });
    expect(read(meter, 5, extent(7n, 7n), 7n)).toMatchObject({ behind: 0n, since: null });
    expect(read(createLagMeter([]), 0, extent(0n))).toMatchObject({ behind: 0n, since: null });
  });

  it('counts from the oldest retained where nothing was handled, and where it expired meanwhile', () => {
    expect(read(createLagMeter([]), 0, extent(9n, 4n)).behind).toBe(5n);
    expect(read(createLagMeter([]), 0, extent(9n, 4n), 2n).behind).toBe(5n);
  });

  it('counts all of a log that was made anew, since its first reading', () => {
    const meter = createLagMeter([]);
    read(meter, 0, extent(500n), 400n);
    expect(read(meter, 5, extent(3n), 400n)).toMatchObject({ behind: 3n, since: 5 });
  });

  it('dates what waits by the first reading that had it, while the log goes on', () => {
    const meter = createLagMeter([]);
    read(meter, 0, extent(10n), 10n);
    expect(read(meter, 5, extent(12n), 10n).since).toBe(5);
    expect(read(meter, 10, extent(20n), 10n).since).toBe(5);
    expect(read(meter, 15, extent(30n), 11n).since).toBe(5);
    expect(read(meter, 20, extent(30n), 12n).since).toBe(10);
    expect(read(meter, 25, extent(30n), 20n).since).toBe(15);
    expect(read(meter, 30, extent(30n), 30n)).toMatchObject({ behind: 0n, since: null });
    expect(read(meter, 35, extent(31n), 30n).since).toBe(35);
  });

  it('does not age what came when everything before was handled', () => {
    const meter = createLagMeter([]);
    for (let nth = 0; nth < 10; nth += 1) {
      const second = nth * 5;
      expect(read(meter, second, extent(BigInt(nth + 1)), BigInt(nth)).since).toBe(second);
    }
  });

  it('goes on from what was measured before, whoever measured it', () => {
    const before: PartitionLag & { measuredAt: Date } = {
      topic: TOPIC,
      partition: 0,
      endOffset: 30n,
      behind: 20n,
      waitingSince: new Date(100_000),
      handledPerSecond: 1,
      measuredAt: new Date(150_000),
    };
    expect(read(createLagMeter([before]), 900, extent(60n), 10n)).toMatchObject({
      behind: 50n,
      since: 100,
      rate: null,
    });
    expect(read(createLagMeter([before]), 900, extent(60n), 25n).since).toBe(150);
    expect(read(createLagMeter([before]), 900, extent(60n), 40n).since).toBe(900);
    const idle = { ...before, endOffset: 10n, behind: 0n, waitingSince: null };
    expect(read(createLagMeter([idle]), 900, extent(11n), 10n).since).toBe(900);
  });

  it('says how many a second are handled over the last minute, and begins anew where the group was set back', () => {
    const meter = createLagMeter([]);
    expect(read(meter, 0, extent(10_000n), 0n).rate).toBeNull();
    expect(read(meter, 5, extent(10_000n), 50n).rate).toBe(10);
    for (let second = 10; second <= 120; second += 5)
      read(meter, second, extent(10_000n), BigInt(50 + (second - 5) * 2));
    expect(read(meter, 125, extent(10_000n), 290n).rate).toBe(2);
    expect(read(meter, 130, extent(10_000n), 0n).rate).toBeNull();
    expect(read(meter, 135, extent(10_000n), 100n).rate).toBe(20);
  });

  it('keeps the age of the oldest for as long as it waits, in bounded memory', () => {
    const meter = createLagMeter([]);
    const beats = 20_000;
    for (let nth = 1; nth <= beats; nth += 1) {
      expect(read(meter, (nth * BEAT_MS) / 1000, extent(BigInt(nth)), 0n).since).toBe(5);
    }
    const last = (beats * BEAT_MS) / 1000;
    const { since } = read(meter, last + 5, extent(BigInt(beats + 1)), BigInt(beats / 2));
    expect(Math.abs((since ?? 0) - last / 2)).toBeLessThan(last / 50);
  });

  it('keeps partitions apart', () => {
    const meter = createLagMeter([]);
    const lags = meter.measure(0, [extent(5n, 0n, 0), extent(9n, 0n, 1)], new Map([[`${TOPIC}/1`, 8n]]));
    expect(lags.map(({ partition, behind }) => [partition, behind])).toEqual([
      [0, 5n],
      [1, 1n],
    ]);
  });
});

describe('positionAmong', () => {
  const among = (next: bigint, before: bigint | undefined, after: bigint | undefined) => {
    const at = (position: bigint | undefined) => new Map(position === undefined ? [] : [[`${TOPIC}/0`, position]]);
    return positionAmong([extent(next)], at(before), at(after)).get(`${TOPIC}/0`);
  };

  it.each([
    ['what was handled while the log was asked does not wait', 10n, 6n, 9n, 9n],
    ['what came and was handled after the log was asked is not less than nothing', 10n, 9n, 14n, 10n],
    ['the same of a partition that nothing was handled of before', 10n, undefined, 14n, 10n],
    ['a replay that began meanwhile waits', 10n, 10n, 0n, 0n],
    ['a log that was made anew is told by a group that stood past its end', 3n, 400n, 400n, 400n],
    ['one that is read anew already goes on where it is', 3n, 400n, 2n, 2n],
    ['a partition that nothing was handled of has no position', 3n, undefined, undefined, undefined],
  ])('%s', (_what, next, before, after, position) => {
    expect(among(next, before, after)).toBe(position);
  });
});
