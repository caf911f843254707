import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runBeat } from './beat.ts';

// node:timers/promises keeps its own reference to real timers, so these tests use real, short beats.
const BEAT_MS = 40;

let controller: AbortController;
beforeEach(() => {
  controller = new AbortController();
});
afterEach(() => controller.abort());

async function waitMs(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}

describe('runBeat', () => {
  it('starts at once and keeps its phase although the task takes time', async () => {
    const startMs = performance.now();
    const beats: number[] = [];
    const beat = runBeat(BEAT_MS, controller.signal, async () => {
      beats.push(performance.now() - startMs);
      await waitMs(15);
      if (beats.length === 8) controller.abort();
    });
    await beat;
    expect(beats[0]).toBeLessThan(BEAT_MS / 2);
    // Adding up pause and run time would put the eighth beat at 7 × 55 ms.
    expect(beats[7]).toBeLessThan(7 * BEAT_MS + 60);
    expect(beats[7]).toBeGreaterThanOrEqual(7 * BEAT_MS - 2);
  });

  it('never overlaps: a long run skips the beats it missed', async () => {
    let running = 0;
    let most = 0;
    let runs = 0;
    const beat = runBeat(10, controller.signal, async () => {
      running += 1;
      most = Math.max(most, running);
      runs += 1;
      await waitMs(35);
      running -= 1;
    });
    await waitMs(200);
    controller.abort();
    await beat;
    expect(most).toBe(1);
    expect(runs).toBeLessThanOrEqual(6);
    expect(running).toBe(0);
  });

  it('survives errors with growing pauses and returns to the beat', async () => {
    const failures: { failures: number; delayMs: number }[] = [];
    const done = vi.fn();
    let runs = 0;
    await runBeat(
      5,
      controller.signal,
      async () => {
        runs += 1;
        if (runs <= 3) throw new Error('down');
        done();
        if (runs === 6) controller.abort();
      },
      { onError: (_, attempt) => failures.push(attempt), random: () => 1 },
    );
    expect(failures).toEqual([
      { failures: 1, delayMs: 5 },
      { failures: 2, delayMs: 10 },
      { failures: 3, delayMs: 20 },
    ]);
    expect(done).toHaveBeenCalledTimes(3);
  });

  it('forgets earlier failures after a success', async () => {
    const failures: number[] = [];
    let runs = 0;
    await runBeat(
      2,
      controller.signal,
      async () => {
        runs += 1;
        if (runs === 3) return;
        throw new Error('down');
      },
      {
        onError: (_, attempt) => {
          failures.push(attempt.failures);
          if (runs === 5) controller.abort();
        },
      },
    );
    expect(failures).toEqual([1, 2, 1, 2]);
  });

  it('pauses no longer than allowed', async () => {
    const delays: number[] = [];
    await runBeat(
      4,
      controller.signal,
      async () => {
        throw new Error('down');
      },
      {
        maxDelayMs: 10,
        random: () => 1,
        onError: (_, { delayMs }) => {
          delays.push(delayMs);
          if (delays.length === 5) controller.abort();
        },
      },
    );
    expect(delays).toEqual([4, 8, 10, 10, 10]);
  });

  it('ends while waiting, after the run at hand, and never starts when already aborted', async () => {
    const task = vi.fn(async () => {});
    const beat = runBeat(60_000, controller.signal, task);
    await waitMs(10);
    controller.abort();
    await beat;
    expect(task).toHaveBeenCalledTimes(1);
    await runBeat(1, controller.signal, task);
    expect(task).toHaveBeenCalledTimes(1);
  });
});
