import { LendingError } from '@lending/errors';
import { createFakeChain, createLineLogger } from '@lending/fakes';
import { createMetrics } from '@lending/runtime';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createSlotTime } from './slot-time.ts';

const until = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 120_000, interval: 2 });
const stopping: AbortController[] = [];

afterEach(() => {
  for (const controller of stopping.splice(0)) controller.abort();
});

function createBench({ refreshMs = 2 } = {}) {
  const fake = createFakeChain();
  const metrics = createMetrics();
  const { logger, lines } = createLineLogger();
  const slotTime = createSlotTime({ chain: fake.chain, refreshMs, logger, metrics });
  const start = () => {
    const controller = new AbortController();
    stopping.push(controller);
    void slotTime.run(controller.signal);
  };
  const shown = async () => (await metrics.render()).match(/^chain_slot_\w+ [\d.]+$/gm);
  return { fake, slotTime, lines, start, shown };
}

describe('createSlotTime', () => {
  it('waits for the first measurement, and follows the later ones', async () => {
    const { fake, slotTime, start, shown } = createBench();
    fake.slotMicros = 387_597n;
    const asked = slotTime.get();
    start();
    expect(await asked).toBe(387_597n);
    expect(await shown()).toEqual(['chain_slot_time 387.597', 'chain_slot_guess 0', 'chain_slot_fail_total 0']);
    fake.slotMicros = 500_000n;
    await until(async () => expect(await slotTime.get()).toBe(500_000n));
  });

  it('takes what a slot is meant to last while the node does not say, and warns once', async () => {
    const { fake, slotTime, lines, start, shown } = createBench();
    let asked = 0;
    fake.onRead = () => {
      asked += 1;
      throw new LendingError('CHAIN__RPC_INVALID');
    };
    start();
    expect(await slotTime.get()).toBe(400_000n);
    await until(() => expect(asked).toBeGreaterThan(10));
    expect(lines.map(({ level, event }) => `${level} ${event}`)).toEqual(['warn chain.slot.fail']);
    expect(lines[0]?.fields).toMatchObject({ isGuess: true });
    expect((await shown())?.slice(0, 2)).toEqual(['chain_slot_time 400', 'chain_slot_guess 1']);
  });

  it('measures again soon after a failure, and not at once after it has measured', async () => {
    const { fake, slotTime, start } = createBench({ refreshMs: 60_000 });
    let asked = 0;
    fake.onRead = () => {
      asked += 1;
      if (asked === 1) throw new LendingError('CHAIN__RPC_INVALID');
    };
    start();
    fake.slotMicros = 350_000n;
    expect(await slotTime.get()).toBe(400_000n);
    await until(async () => expect(await slotTime.get()).toBe(350_000n));
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    expect(asked).toBe(2);
  });

  it('keeps the last measurement while the node does not answer', async () => {
    const { fake, slotTime, start, shown, lines } = createBench();
    fake.slotMicros = 350_000n;
    start();
    await slotTime.get();
    let asked = 0;
    fake.onRead = () => {
      asked += 1;
      throw new LendingError('CHAIN__RPC_UNAVAILABLE');
    };
    await until(() => expect(asked).toBeGreaterThan(3));
    expect(lines).toEqual([]);
    expect(await slotTime.get()).toBe(350_000n);
    expect((await shown())?.slice(0, 2)).toEqual(['chain_slot_time 350', 'chain_slot_guess 0']);
  });
});
