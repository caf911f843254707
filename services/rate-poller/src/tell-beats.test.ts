import { createLineLogger } from '@lending/fakes';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Leadership } from './leadership.ts';
import { type TellBeats, tellBeatsWhileLeading } from './tell-beats.ts';

const beatMs = { p0: 10_000, kamino: 30_000 } as const;
const slotTime = { get: async () => 400_000n };
const leading: Leadership = { state: 'leading', untilLeading: async () => undefined };

describe('tellBeatsWhileLeading', () => {
  let stopping: AbortController;
  let running: Promise<void>;
  const told: Parameters<TellBeats>[0][] = [];
  const keep: TellBeats = async (beats) => void told.push(beats);
  const start = (options: { readonly tellBeats?: TellBeats; readonly leadership?: Leadership }) => {
    const { logger } = createLineLogger();
    running = tellBeatsWhileLeading(
      { beatMs, slotTime, leadership: leading, logger, everyMs: 5, ...options },
      stopping.signal,
    );
  };

  beforeEach(() => {
    stopping = new AbortController();
    told.length = 0;
  });
  afterEach(async () => {
    stopping.abort();
    await running;
  });

  it('tells the beats and the length of a slot, again and again', async () => {
    start({ tellBeats: keep });
    await expect.poll(() => told.length).toBeGreaterThan(2);
    expect(told[0]).toEqual({ beatMs, slotUs: 400_000 });
  });

  it('tells nothing while another one leads', async () => {
    const led = Promise.withResolvers<void>();
    start({ tellBeats: keep, leadership: { state: 'standby', untilLeading: () => led.promise } });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(told).toEqual([]);
    led.resolve();
    await expect.poll(() => told.length).toBeGreaterThan(0);
  });

  it('tells them again where nobody took them, and ends at once where there is nobody to tell', async () => {
    let refusals = 3;
    start({
      tellBeats: async (beats) => {
        refusals -= 1;
        if (refusals >= 0) throw new Error('the database is away');
        await keep(beats);
      },
    });
    await expect.poll(() => told.length).toBeGreaterThan(0);
    stopping.abort();
    await running;
    stopping = new AbortController();
    start({});
    await running;
  });
});
