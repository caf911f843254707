import { LendingError } from '@lending/errors';
import type { Message } from '@lending/events';
import { createFakeBus } from '@lending/fakes';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createOutbox, type OutboxOptions } from './outbox.ts';

const until = (check: () => void) => vi.waitFor(check, { timeout: 120_000, interval: 2 });

function message(slot: number): Message {
  return { id: `m${slot}`, slot: BigInt(slot) } as unknown as Message;
}

const stops: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** A log, an outbox before it, and what was sent. */
function createPost(options: Partial<OutboxOptions> = {}) {
  const log = createFakeBus();
  const states: unknown[] = [];
  const { bus } = log;
  const outbox = createOutbox({
    bus,
    capacity: 10_000,
    retryMs: 1,
    onState: (state) => states.push(state),
    ...options,
  });
  const taken = () => log.published.map(({ id }) => id);
  const start = () => {
    const stopping = new AbortController();
    const running = outbox.run(stopping.signal);
    const stop = async (): Promise<void> => {
      stopping.abort();
      await running;
    };
    stops.push(stop);
    return stop;
  };
  return { log, outbox, states, taken, start };
}

describe('createOutbox', () => {
  it('says how much a stop leaves unsent, where the log is away', async () => {
    const left: number[] = [];
    const { log, outbox, start } = createPost({ onLeft: (messages) => left.push(messages) });
    log.isDown = true;
    const stop = start();
    outbox.put([message(1), message(2)]);
    await until(() => expect(log.refusals).toBeGreaterThan(1));
    await stop();
    expect(left).toEqual([2]);
  });

  it('sends what waited before what is new, once', async () => {
    const { log, outbox, states, taken, start } = createPost();
    log.isDown = true;
    start();
    outbox.put([message(1), message(2)]);
    await until(() => expect(log.refusals).toBeGreaterThan(1));
    outbox.put([message(3)]);
    expect(outbox.size).toBe(3);
    expect(states[0]).toMatchObject({ code: 'BUS__UNAVAILABLE' });
    log.isDown = false;
    await until(() => expect(taken()).toHaveLength(3));
    outbox.put([message(4)]);
    await until(() => expect(taken()).toEqual(['m1', 'm2', 'm3', 'm4']));
    expect(outbox.size).toBe(0);
    expect(states.at(-1)).toBeNull();
  });

  it('sends at once what is put while nothing waits', async () => {
    const { outbox, taken, start } = createPost({ retryMs: 60_000 });
    start();
    for (const slot of [1, 2, 3]) {
      outbox.put([message(slot)]);
      await until(() => expect(taken()).toHaveLength(slot));
    }
  });

  it('sends nothing twice that is put by several while a part is on its way', async () => {
    const post = createPost();
    const release = Promise.withResolvers<void>();
    const { publish } = post.log.bus;
    Object.assign(post.log.bus, {
      publish: async (messages: readonly Message[]) => {
        await release.promise;
        await publish(messages);
      },
    });
    post.start();
    for (const slot of [1, 2, 3]) {
      post.outbox.put([message(slot)]);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    release.resolve();
    await until(() => expect(post.taken()).toEqual(['m1', 'm2', 'm3']));
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(post.taken()).toEqual(['m1', 'm2', 'm3']);
  });

  it('keeps what a part of a long backlog has gained', async () => {
    const sent: number[] = [];
    const post = createPost({
      onSent: (part) => {
        sent.push(part.length);
        // The log takes one part and then no more.
        if (sent.length === 1) post.log.isDown = true;
      },
    });
    post.outbox.put(Array.from({ length: 5_000 }, (_, index) => message(index)));
    post.start();
    await until(() => expect(post.log.refusals).toBeGreaterThan(1));
    expect(sent).toEqual([2_000]);
    expect(post.outbox.size).toBe(3_000);
    post.log.isDown = false;
    await until(() => expect(post.outbox.size).toBe(0));
    expect(post.taken().slice(1_998, 2_002)).toEqual(['m1998', 'm1999', 'm2000', 'm2001']);
    expect(new Set(post.taken()).size).toBe(post.taken().length);
  });

  it('gives up the oldest when full, and counts them', async () => {
    const { outbox, taken, start } = createPost({ capacity: 3 });
    outbox.put([1, 2, 3, 4, 5].map(message));
    expect(outbox.dropped).toBe(2);
    start();
    await until(() => expect(taken()).toEqual(['m3', 'm4', 'm5']));
  });

  it('sends what was put last before it stops, and stops while the log is down', async () => {
    const { log, outbox, taken, start } = createPost();
    const stop = start();
    outbox.put([message(1)]);
    await stop();
    expect(taken()).toEqual(['m1']);
    log.isDown = true;
    const stopAgain = start();
    outbox.put([message(2)]);
    await stopAgain();
    expect(taken()).toEqual(['m1']);
  });

  it('tries again whatever the log says', async () => {
    const { log, outbox, taken, start } = createPost();
    const { publish } = log.bus;
    let tries = 0;
    Object.assign(log.bus, {
      publish: async (messages: readonly Message[]) => {
        tries += 1;
        if (tries < 3) throw new LendingError('BUS__TOPIC_NOT_FOUND');
        await publish(messages);
      },
    });
    start();
    outbox.put([message(1)]);
    await until(() => expect(taken()).toEqual(['m1']));
  });
});
