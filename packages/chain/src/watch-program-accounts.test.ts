import { setTimeout as sleep } from 'node:timers/promises';
import { address } from '@solana/kit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createChain } from './chain.ts';
import type { ChainOptions } from './chain-options.ts';
import { type FakeNode, startFakeNode } from './fake-node.ts';
import type { ProgramWatchEvent } from './watch-program-accounts.ts';

const PROGRAM = address('MFv2hWf31Z9kbCa1snEPYctwafyhdvnV7FZnsebVacA');
const ACCOUNT = 'SysvarRent111111111111111111111111111111111';

let node: FakeNode;
let controller: AbortController;
let events: ProgramWatchEvent[];
let states: boolean[];
let ended: Promise<void>;

beforeEach(async () => {
  node = await startFakeNode();
  controller = new AbortController();
  events = [];
  states = [];
  ended = Promise.resolve();
});

afterEach(async () => {
  controller.abort();
  await ended;
  await node.close();
});

function follow(
  options: Partial<ChainOptions> = {},
  handle: (event: ProgramWatchEvent) => Promise<void> | void = () => {},
) {
  const chain = createChain(
    { rpcUrls: [node.url], wsUrl: node.wsUrl, slotTimeoutMs: 400, maxReconnectMs: 50, ...options },
    { onWatchState: ({ connected }) => states.push(connected) },
  );
  ended = (async () => {
    for await (const event of chain.watchProgramAccounts(PROGRAM, [{ kind: 'size', bytes: 8 }], {
      signal: controller.signal,
      capacity: 3,
    })) {
      events.push(event);
      await handle(event);
    }
  })();
}

async function untilSubscribed(count: number): Promise<void> {
  await expect
    .poll(() => node.subscriptions.filter(({ method }) => method === 'programSubscribe').length, { timeout: 5000 })
    .toBe(count);
}

async function untilEvents(count: number): Promise<void> {
  await expect.poll(() => events.length, { timeout: 5000 }).toBe(count);
}

/** Slots are notified again and again, because the one that counts is the first after the acknowledgement. */
async function standAt(slot: number, events: number): Promise<void> {
  const beat = setInterval(() => node.notifySlot(slot), 10);
  await untilEvents(events).finally(() => clearInterval(beat));
}

describe('watchProgramAccounts', () => {
  it('reports the gap from slot 0 once subscribed, then the updates', async () => {
    follow();
    await untilSubscribed(1);
    await standAt(100, 1);
    node.notifyAccount(101, ACCOUNT, new Uint8Array([1, 2]), 5);
    await untilEvents(2);
    expect(events).toEqual([
      { kind: 'gap', fromSlot: 0n, toSlot: 100n },
      {
        kind: 'account',
        update: {
          address: ACCOUNT,
          slot: 101n,
          owner: '11111111111111111111111111111111',
          lamports: 5n,
          data: new Uint8Array([1, 2]),
        },
      },
    ]);
  });

  it('keeps updates that arrive while the consumer fills the gap', async () => {
    const filled = Promise.withResolvers<void>();
    follow({}, (event) => (event.kind === 'gap' ? filled.promise : undefined));
    await untilSubscribed(1);
    await standAt(100, 1);
    node.notifyAccount(101, ACCOUNT, new Uint8Array([1]));
    node.notifyAccount(102, ACCOUNT, new Uint8Array([2]));
    await sleep(50);
    expect(events).toHaveLength(1);
    filled.resolve();
    await untilEvents(3);
    expect(events.slice(1)).toMatchObject([{ update: { slot: 101n } }, { update: { slot: 102n } }]);
  });

  it('subscribes again after a lost socket and reports what may be missing since the last root', async () => {
    follow();
    await untilSubscribed(1);
    await standAt(100, 1);
    node.dropSockets();
    await untilSubscribed(2);
    await standAt(140, 2);
    expect(events[1]).toEqual({ kind: 'gap', fromSlot: 68n, toSlot: 140n });
    node.notifyAccount(141, ACCOUNT, new Uint8Array([1]));
    await untilEvents(3);
    expect(states).toEqual([true, false, true]);
  });

  it('drops a socket on which no slot comes any more', async () => {
    follow({ slotTimeoutMs: 150 });
    await untilSubscribed(1);
    await standAt(100, 1);
    const [firstSocket] = node.sockets;
    await untilSubscribed(2);
    await standAt(200, 2);
    expect(firstSocket?.readyState).toBe(firstSocket?.CLOSED);
    expect(node.sockets.size).toBe(1);
  });

  it('keeps a socket on which slots come but no account changes', async () => {
    follow({ slotTimeoutMs: 150 });
    await untilSubscribed(1);
    const beat = setInterval(() => node.notifySlot(100), 20);
    await sleep(600);
    clearInterval(beat);
    expect(states).toEqual([true]);
    expect(events).toHaveLength(1);
  });

  it('counts only slots that come after the subscription stands', async () => {
    node.acknowledgeDelayMs = 150;
    follow();
    await expect.poll(() => node.subscriptions.length).toBe(1);
    node.notifySlot(90);
    await untilSubscribed(1);
    await sleep(30);
    expect(events).toEqual([]);
    await standAt(100, 1);
    expect(events[0]).toEqual({ kind: 'gap', fromSlot: 0n, toSlot: 100n });
  });

  it('keeps trying while a node accepts sockets and acknowledges nothing', async () => {
    node.acceptsSubscriptions = false;
    follow({ slotTimeoutMs: 100 });
    await expect.poll(() => states.length, { timeout: 5000 }).toBeGreaterThanOrEqual(2);
    node.acceptsSubscriptions = true;
    await untilSubscribed(1);
    await standAt(100, 1);
    expect(events[0]).toEqual({ kind: 'gap', fromSlot: 0n, toSlot: 100n });
  });

  it('starts over with a gap when more updates wait than it may hold', async () => {
    const filled = Promise.withResolvers<void>();
    follow({ slotTimeoutMs: 60_000 }, (event) =>
      event.kind === 'gap' && event.fromSlot === 0n ? filled.promise : undefined,
    );
    await untilSubscribed(1);
    await standAt(100, 1);
    for (let slot = 101; slot <= 105; slot += 1) node.notifyAccount(slot, ACCOUNT, new Uint8Array([1]));
    await expect.poll(() => node.sockets.size, { timeout: 3000 }).toBe(0);
    filled.resolve();
    await untilSubscribed(2);
    await standAt(150, 5);
    expect(events.map(({ kind }) => kind)).toEqual(['gap', 'account', 'account', 'account', 'gap']);
    expect(events[4]).toEqual({ kind: 'gap', fromSlot: 68n, toSlot: 150n });
  });

  it('waits for a node that is not there yet', async () => {
    const port = Number(new URL(node.url).port);
    await node.close();
    follow();
    await expect.poll(() => states.length, { timeout: 3000 }).toBeGreaterThanOrEqual(2);
    node = await startFakeNode({ port });
    await untilSubscribed(1);
    await standAt(10, 1);
    expect(events[0]).toEqual({ kind: 'gap', fromSlot: 0n, toSlot: 10n });
  });

  it('ends and closes its socket when the signal aborts', async () => {
    follow();
    await untilSubscribed(1);
    await standAt(100, 1);
    controller.abort();
    await ended;
    await expect.poll(() => node.sockets.size, { timeout: 3000 }).toBe(0);
  });

  it('closes its socket when the consumer leaves the loop', async () => {
    const chain = createChain({ rpcUrls: [node.url], wsUrl: node.wsUrl, slotTimeoutMs: 60_000 });
    const watch = chain.watchProgramAccounts(PROGRAM, [], { signal: controller.signal });
    const beat = setInterval(() => node.notifySlot(100), 10);
    for await (const event of watch) {
      expect(event.kind).toBe('gap');
      break;
    }
    clearInterval(beat);
    await expect.poll(() => node.sockets.size, { timeout: 3000 }).toBe(0);
  });

  it('does nothing for a signal that is already aborted', async () => {
    controller.abort();
    follow();
    await ended;
    expect(node.sockets.size).toBe(0);
    expect(events).toEqual([]);
  });
});
