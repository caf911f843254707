import { createSolanaRpc } from '@solana/kit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeProgramChain, openFakeProgramChain } from './fake-program-chain.ts';
import { createPollingSource } from './polling-source.ts';
import { describeProgramSourceContract } from './program-source.contract.ts';
import type { ProgramEvent } from './program-source.ts';

const PATIENCE = { timeout: 120_000 };

function pollingOf(chain: FakeProgramChain, states: (string | null)[] = []) {
  return createPollingSource({
    rpc: createSolanaRpc(chain.node.url),
    everyMs: 10,
    host: () => 'node:1',
    hooks: { onWatchState: ({ reason }) => states.push(reason) },
  });
}

describeProgramSourceContract(async () => {
  const chain = await openFakeProgramChain();
  return { ...chain, source: pollingOf(chain) };
});

describe('createPollingSource', () => {
  let chain: FakeProgramChain;
  let controller: AbortController;

  beforeEach(async () => {
    chain = await openFakeProgramChain();
    controller = new AbortController();
  });

  afterEach(async () => {
    controller.abort();
    await chain.close();
  });

  function follow(states: (string | null)[] = []): ProgramEvent[] {
    const events: ProgramEvent[] = [];
    void (async () => {
      for await (const event of pollingOf(chain, states).watch(chain.target, { signal: controller.signal }))
        events.push(event);
    })();
    return events;
  }

  it('tells gaps and slots, which overlap by a little', async () => {
    const events = follow();
    await expect.poll(() => events.length, PATIENCE).toBe(2);
    chain.slot = 150;
    await expect.poll(() => events.length, PATIENCE).toBe(4);
    expect(events).toEqual([
      { kind: 'gap', fromSlot: 0n, toSlot: 100n },
      { kind: 'slot', slot: 100n, root: 94n },
      { kind: 'gap', fromSlot: 92n, toSlot: 150n },
      { kind: 'slot', slot: 150n, root: expect.toBeOneOf([94n, 144n]) },
    ]);
  });

  it('says nothing while the chain stands still, or a node answers that is a little behind', async () => {
    const events = follow();
    await expect.poll(() => events.length, PATIENCE).toBe(2);
    chain.slot = 97;
    const asked = chain.node.requests.length;
    await expect.poll(() => chain.node.requests.length, PATIENCE).toBeGreaterThan(asked + 6);
    expect(events).toHaveLength(2);
  });

  it('waits while one node tells a root that is past the slot another one is at', async () => {
    chain.node.answers.set('getSlot', ([config]) => (config === undefined ? 120 : chain.slot));
    const events = follow();
    await expect.poll(() => chain.node.requests.length, PATIENCE).toBeGreaterThan(6);
    expect(events).toEqual([]);
    chain.slot = 130;
    await expect.poll(() => events.length, PATIENCE).toBe(2);
    expect(events[0]).toEqual({ kind: 'gap', fromSlot: 0n, toSlot: 130n });
  });

  it('begins again at the root of a chain that was set back', async () => {
    const events = follow();
    await expect.poll(() => events.length, PATIENCE).toBe(2);
    chain.slot = 50;
    await expect.poll(() => events.length, PATIENCE).toBe(4);
    expect(events[2]).toEqual({ kind: 'gap', fromSlot: 44n, toSlot: 50n });
  });

  it('goes on after a node that did not answer, and says both once', async () => {
    const states: (string | null)[] = [];
    const events = follow(states);
    await expect.poll(() => events.length, PATIENCE).toBe(2);
    chain.node.permanentFault = { kind: 'status', status: 503 };
    await expect.poll(() => states.length, PATIENCE).toBe(2);
    chain.slot = 160;
    chain.node.permanentFault = undefined;
    await expect.poll(() => events.length, PATIENCE).toBe(4);
    expect(states).toEqual([null, expect.any(String), null]);
    expect(events[2]).toMatchObject({ fromSlot: 92n, toSlot: 160n });
  });
});
