import type { Bus } from '@lending/bus';
import { LendingError } from '@lending/errors';
import type { Message } from '@lending/events';
import { describe, expect, it } from 'vitest';
import { createOutbox } from './outbox.ts';

function message(slot: number): Message {
  return { id: `m${slot}`, slot: BigInt(slot) } as unknown as Message;
}

/** A log that fails while `isDown`; every other use is a mistake of the test. */
function createFakeBus() {
  const taken: string[] = [];
  const state = { isDown: false };
  const unused = () => {
    throw new Error('not part of this test');
  };
  const bus: Bus = {
    async publish(messages) {
      if (state.isDown) throw new LendingError('BUS__UNAVAILABLE');
      taken.push(...messages.map(({ id }) => id));
    },
    consume: unused,
    bury: unused,
    close: unused,
  };
  return { bus, taken, state };
}

describe('createOutbox', () => {
  it('sends what waited before what is new, once', async () => {
    const { bus, taken, state } = createFakeBus();
    const outbox = createOutbox(bus, 10);
    state.isDown = true;
    await expect(outbox.send([message(1), message(2)])).rejects.toMatchObject({ code: 'BUS__UNAVAILABLE' });
    await expect(outbox.send([message(3)])).rejects.toMatchObject({ code: 'BUS__UNAVAILABLE' });
    expect(outbox.size).toBe(3);
    state.isDown = false;
    await outbox.send([message(4)]);
    await outbox.send([message(5)]);
    expect(taken).toEqual(['m1', 'm2', 'm3', 'm4', 'm5']);
    expect(outbox.size).toBe(0);
  });

  it('keeps what a part of a long backlog has gained', async () => {
    const { bus, taken, state } = createFakeBus();
    const sent: number[] = [];
    const outbox = createOutbox(bus, 10_000, (part) => {
      sent.push(part.length);
      // The log takes one part and then no more.
      state.isDown = true;
    });
    await expect(outbox.send(Array.from({ length: 5_000 }, (_, index) => message(index)))).rejects.toThrow();
    expect(sent).toEqual([2_000]);
    expect(outbox.size).toBe(3_000);
    state.isDown = false;
    await expect(outbox.send([])).rejects.toThrow();
    expect(taken.slice(1_998, 2_002)).toEqual(['m1998', 'm1999', 'm2000', 'm2001']);
    expect(new Set(taken).size).toBe(taken.length);
  });

  it('gives up the oldest when full, and counts them', async () => {
    const { bus, taken, state } = createFakeBus();
    const outbox = createOutbox(bus, 3);
    state.isDown = true;
    await expect(outbox.send([1, 2, 3, 4, 5].map(message))).rejects.toThrow();
    state.isDown = false;
    await outbox.send([]);
    expect(taken).toEqual(['m3', 'm4', 'm5']);
    expect(outbox.dropped).toBe(2);
  });
});
