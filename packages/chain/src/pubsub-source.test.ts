import { setTimeout as sleep } from 'node:timers/promises';
import { address } from '@solana/kit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createChain } from './chain.ts';
import type { ChainOptions } from './chain-options.ts';
import { type FakeNode, startFakeNode } from './fake-node.ts';
import { type FakeProgramChainOptions, openFakeProgramChain } from './fake-program-chain.ts';
import { describeProgramSourceContract, type SourceHarness } from './program-source.contract.ts';
import type { ProgramEvent, ProgramTarget } from './program-source.ts';
import type { PubSubEndpoint } from './pubsub-endpoint.ts';
import { createPubSubSource } from './pubsub-source.ts';

const PROGRAM = address('MFv2hWf31Z9kbCa1snEPYctwafyhdvnV7FZnsebVacA');
const ACCOUNT = 'SysvarRent111111111111111111111111111111111';
const TARGET: ProgramTarget = {
  program: PROGRAM,
  accounts: [[{ kind: 'size', bytes: 8 }], [{ kind: 'size', bytes: 16 }]],
  transactions: true,
};

let node: FakeNode;
let controller: AbortController;
let events: ProgramEvent[];
let states: boolean[];
let ended: Promise<void>;
let slot: number;

beforeEach(async () => {
  node = await startFakeNode();
  controller = new AbortController();
  events = [];
  states = [];
  ended = Promise.resolve();
  slot = 100;
});

afterEach(async () => {
  controller.abort();
  await ended;
  await node.close();
});

function follow(
  options: Partial<ChainOptions> = {},
  handle: (event: ProgramEvent) => Promise<void> | void = () => {},
  capacity = 3,
) {
  const chain = createChain(
    { rpcUrls: [node.url], wsUrl: node.wsUrl, slotTimeoutMs: 5_000, maxReconnectMs: 50, ...options },
    { onWatchState: ({ connected }) => states.push(connected) },
  );
  ended = (async () => {
    for await (const event of chain.createPubSubSource().watch(TARGET, { signal: controller.signal, capacity })) {
      if (event.kind !== 'slot') events.push(event);
      await handle(event);
    }
  })();
  return chain;
}

async function untilSubscribed(count: number): Promise<void> {
  await expect.poll(() => node.subscriptions.filter(({ method }) => method === 'logsSubscribe').length).toBe(count);
}

async function untilEvents(count: number): Promise<void> {
  await expect.poll(() => events.length).toBe(count);
}

/** Blocks until so many events came. */
async function blocksUntil(count: number): Promise<void> {
  const beat = setInterval(block, 10);
  await untilEvents(count).finally(() => clearInterval(beat));
}

function block(): void {
  slot += 1;
  node.notifySlot(slot + 1, slot - 32);
  node.notifyClock(slot);
}

function gap(index: number): { readonly fromSlot: bigint; readonly toSlot: bigint } {
  const event = events[index];
  if (event?.kind !== 'gap') throw new Error(`Event ${index} is no gap`);
  return event;
}

function sourceOf({ wsUrl }: FakeNode, slotTimeoutMs: number, maxReconnectMs: number) {
  const endpoint: PubSubEndpoint = { wsUrl, isLagging: () => false, admit: async () => undefined };
  return createPubSubSource({ endpoints: () => [endpoint], slotTimeoutMs, maxReconnectMs, hooks: {} });
}

async function openHarness(options?: FakeProgramChainOptions): Promise<SourceHarness> {
  const chain = await openFakeProgramChain(options);
  const source = sourceOf(chain.node, 300, 30);
  return { ...chain, source };
}

describe('createPubSubSource on a node', () => {
  describeProgramSourceContract(() => openHarness());
});

describe('createPubSubSource on a node that skips slots, changes forks and repeats itself', () => {
  describeProgramSourceContract(() => openHarness({ isUnruly: true }));
});

describe('createPubSubSource', () => {
  it('asks for everything on one socket', async () => {
    follow();
    await untilSubscribed(1);
    await blocksUntil(1);
    expect(node.sockets.size).toBe(1);
    expect(node.subscriptions.map(({ method }) => method).sort()).toEqual([
      'accountSubscribe',
      'logsSubscribe',
      'programSubscribe',
      'programSubscribe',
      'slotSubscribe',
    ]);
  });

  it('tells the gap from slot 0 once subscribed, then accounts and transactions as they come', async () => {
    follow();
    await untilSubscribed(1);
    await blocksUntil(1);
    node.notifyAccount(901, ACCOUNT, new Uint8Array([1, 2]), 5);
    node.notifyLogs(902, 'signature', ['Program log: a', 'Log truncated'], true);
    await untilEvents(4);
    expect(gap(0).fromSlot).toBe(0n);
    const account = {
      kind: 'account',
      writeVersion: null,
      update: {
        address: ACCOUNT,
        slot: 901n,
        owner: '11111111111111111111111111111111',
        lamports: 5n,
        data: new Uint8Array([1, 2]),
      },
    };
    // The fake node tells both lists of filters.
    expect(events.slice(1)).toEqual([
      account,
      account,
      {
        kind: 'transaction',
        signature: 'signature',
        slot: 902n,
        isFailed: true,
        record: null,
        logs: ['Program log: a', 'Log truncated'],
      },
    ]);
  });

  it('stands at a slot that was confirmed after it subscribed, when one more is', async () => {
    node.acknowledgeDelayMs = 150;
    follow({ slotTimeoutMs: 60_000 });
    await expect.poll(() => node.subscriptions.length).toBe(3);
    for (let count = 0; count < 5; count += 1) block();
    await untilSubscribed(1);
    await sleep(150);
    expect(events).toEqual([]);
    const before = slot;
    block();
    await sleep(50);
    expect(events).toEqual([]);
    block();
    await untilEvents(1);
    expect(gap(0).toSlot).toBe(BigInt(before + 1));
  });

  it('subscribes again after a lost socket and tells what may be missing since the last root', async () => {
    follow();
    await untilSubscribed(1);
    await blocksUntil(1);
    const root = slot - 32;
    node.dropSockets();
    await untilSubscribed(2);
    slot += 40;
    await blocksUntil(2);
    expect(gap(1).fromSlot).toBeGreaterThanOrEqual(BigInt(root));
    expect(gap(1).fromSlot).toBeLessThanOrEqual(BigInt(root + 2));
    expect(gap(1).toSlot).toBeGreaterThan(BigInt(root + 72));
    node.notifyLogs(999, 'a', []);
    await untilEvents(3);
    expect(states).toEqual([true, false, true]);
  });

  it('drops a socket on which no slot comes any more', async () => {
    follow({ slotTimeoutMs: 1_500 });
    await untilSubscribed(1);
    await blocksUntil(1);
    const [firstSocket] = node.sockets;
    await untilSubscribed(2);
    await blocksUntil(2);
    expect(firstSocket?.readyState).toBe(firstSocket?.CLOSED);
    expect(node.sockets.size).toBe(1);
  });

  it('keeps a socket on which slots come but nothing happens', async () => {
    follow({ slotTimeoutMs: 3_000 });
    await untilSubscribed(1);
    const beat = setInterval(block, 20);
    await sleep(4_000);
    clearInterval(beat);
    expect(states).toEqual([true]);
    expect(events).toHaveLength(1);
  });

  it('starts over when roots pass what was confirmed, because then a subscription has gone dumb', async () => {
    follow({ slotTimeoutMs: 60_000 });
    await untilSubscribed(1);
    await blocksUntil(1);
    const beat = setInterval(() => {
      slot += 8;
      node.notifySlot(slot, slot - 32);
    }, 10);
    await untilSubscribed(2).finally(() => clearInterval(beat));
    await blocksUntil(2);
    expect(states).toEqual([true, false, true]);
  });

  it.each([
    ['its roots go back', () => node.notifySlot(41, 9)],
    ['its clock goes back', () => node.notifyClock(41)],
  ])('starts over from the root of a node that was set back: %s', async (_, setBack) => {
    follow({ slotTimeoutMs: 60_000 });
    await untilSubscribed(1);
    await blocksUntil(1);
    setBack();
    await untilSubscribed(2);
    slot = 40;
    await blocksUntil(2);
    expect(gap(1).fromSlot).toBeLessThanOrEqual(12n);
    expect(gap(1).toSlot).toBeLessThan(60n);
  });

  it('stands by slots and roots alone where no clock is told', async () => {
    const slots: ProgramEvent[] = [];
    follow({}, (event) => void (event.kind === 'slot' && slots.push(event)), 100);
    await untilSubscribed(1);
    let began = 200;
    while (slots.length === 0) {
      began += 1;
      node.notifySlot(began, began - 32);
      await sleep(10);
    }
    expect(events).toHaveLength(1);
    expect(gap(0).toSlot).toBeGreaterThanOrEqual(204n);
    node.notifySlot(300, 250);
    await expect.poll(() => slots.at(-1)).toEqual({ kind: 'slot', slot: 251n, root: 250n });
  });

  it('tells the slot after what a node sent before it, even in one packet', async () => {
    const order: string[] = [];
    follow({}, (event) => void order.push(event.kind === 'slot' ? `slot ${event.slot}` : event.kind), 100);
    await untilSubscribed(1);
    await blocksUntil(1);
    await sleep(50);
    order.length = 0;
    const [socket] = node.sockets;
    const { _socket: raw } = socket as unknown as { readonly _socket: { cork(): void; uncork(): void } };
    raw.cork();
    for (const signature of ['a', 'b', 'c', 'd', 'e']) node.notifyLogs(500, signature, []);
    node.notifyClock(501);
    raw.uncork();
    await expect.poll(() => order.length).toBe(6);
    expect(order).toEqual(['transaction', 'transaction', 'transaction', 'transaction', 'transaction', 'slot 501']);
  });

  it('keeps trying while a node accepts sockets and acknowledges nothing', async () => {
    node.acceptsSubscriptions = false;
    follow({ slotTimeoutMs: 300 });
    await expect.poll(() => states.length).toBeGreaterThanOrEqual(2);
    node.acceptsSubscriptions = true;
    await untilSubscribed(1);
    await blocksUntil(1);
    expect(gap(0).fromSlot).toBe(0n);
  });

  it('waits for a node that is not there yet', async () => {
    const port = Number(new URL(node.url).port);
    await node.close();
    follow();
    await expect.poll(() => states.length).toBeGreaterThanOrEqual(2);
    node = await startFakeNode({ port });
    await untilSubscribed(1);
    await blocksUntil(1);
    expect(gap(0).fromSlot).toBe(0n);
  });

  it('ends and closes its socket when the signal aborts', async () => {
    follow();
    await untilSubscribed(1);
    await blocksUntil(1);
    controller.abort();
    await ended;
    await expect.poll(() => node.sockets.size).toBe(0);
  });

  it('closes its socket when the consumer leaves the loop', async () => {
    const source = sourceOf(node, 60_000, 50);
    const beat = setInterval(block, 10);
    for await (const event of source.watch(TARGET, { signal: controller.signal })) {
      expect(event.kind).toBe('gap');
      break;
    }
    clearInterval(beat);
    await expect.poll(() => node.sockets.size).toBe(0);
  });

  it('lets later reads know of what was told', async () => {
    const chain = follow();
    await untilSubscribed(1);
    await blocksUntil(1);
    node.notifyLogs(950, 'a', []);
    await untilEvents(2);
    expect(chain.getHighestSlot()).toBe(950n);
  });
});

describe('createPubSubSource for accounts alone', () => {
  it('does not ask for transactions', async () => {
    const source = sourceOf(node, 60_000, 50);
    const beat = setInterval(block, 10);
    for await (const event of source.watch({ ...TARGET, transactions: false }, { signal: controller.signal })) {
      expect(event.kind).toBe('gap');
      break;
    }
    clearInterval(beat);
    expect(node.subscriptions.map(({ method }) => method)).not.toContain('logsSubscribe');
  });
});
