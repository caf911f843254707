import { LendingError } from '@lending/errors';
import { createLineLogger } from '@lending/fakes';
import { describe, expect, it } from 'vitest';
import { firstPastOf } from './first-past.ts';

const TO_SLOT = 1_000_000n;
const clock = { ready: Promise.resolve(), timeOf: () => 1_777_000_000n };

/** One day of the past, on a node that says how long slots take in this way. */
function start(fetchSlotTime: () => Promise<bigint>, signal = new AbortController().signal) {
  const { logger, lines } = createLineLogger();
  const options = { chain: { fetchSlotTime }, clock, pastDays: 1, logger, waitMs: 30 };
  return { past: firstPastOf(options, TO_SLOT, signal), lines };
}

describe('firstPastOf', () => {
  it('goes by how long slots take, and a quarter deeper', async () => {
    const { past, lines } = start(async () => 500_000n);
    expect(await past).toEqual({ untilSlot: TO_SLOT - 216_000n, sinceTime: 1_777_000_000n - 86_400n });
    expect(lines).toEqual([]);
  });

  it.each([
    [
      'refuses to say',
      async () => {
        throw new LendingError('CHAIN__RPC_INVALID');
      },
    ],
    ['does not answer', () => new Promise<bigint>(() => undefined)],
  ])('takes the shortest slots where the node %s, and says so once', async (_what, fetchSlotTime) => {
    const { past, lines } = start(fetchSlotTime);
    expect(await past).toMatchObject({ untilSlot: TO_SLOT - 540_000n });
    expect(lines).toMatchObject([{ event: 'activity.past.guess', level: 'info' }]);
  });

  it('ends with the process', async () => {
    const stopping = new AbortController();
    const { past } = start(() => new Promise<bigint>(() => undefined), stopping.signal);
    stopping.abort();
    await expect(past).rejects.toThrow();
  });
});
