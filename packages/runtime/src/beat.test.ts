import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runBeat } from './beat.ts';

vi.mock('node:timers/promises', async (importActual) => {
  const actual = await importActual<typeof import('node:timers/promises')>();
  return { ...actual, setTimeout: vi.fn(actual.setTimeout) };
});

let controller: AbortController;
beforeEach(() => {
  controller = new AbortController();
});
afterEach(() => {
  controller.abort();
  vi.restoreAllMocks();
  vi.mocked(sleep).mockReset();
});

async function waitMs(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}

/** Time that passes while somebody sleeps or works, and at no other time. */
function madeTime() {
  let nowMs = 1_000;
  const startMs = nowMs;
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  const pass = async (ms: number) => {
    nowMs += ms;
  };
  vi.mocked(sleep).mockImplementation((ms = 0) => pass(ms));
  return { pass, elapsedMs: () => nowMs - startMs };
}

describe('runBeat', () => {
  it('starts at once and keeps its phase although the task takes time', async () => {
    const time = madeTime();
    const beats: number[] = [];
    await runBeat(40, controller.signal, async () => {
      beats.push(time.elapsedMs());
      await time.pass(15);
      if (beats.length === 5) controller.abort();
    });
    expect(beats).toEqual([0, 40, 80, 120, 160]);
  });

  it('never overlaps: a long run skips the beats it missed', async () => {
    const time = madeTime();
    const beats: number[] = [];
    let running = 0;
    let most = 0;
    await runBeat(10, controller.signal, async () => {
      running += 1;
      most = Math.max(most, running);
      beats.push(time.elapsedMs());
      await time.pass(35);
      running -= 1;
      if (beats.length === 4) controller.abort();
    });
    expect(beats).toEqual([0, 40, 80, 120]);
    expect([most, running]).toEqual([1, 0]);
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
