import { setTimeout as sleep } from 'node:timers/promises';
import { type Address, address } from '@solana/kit';
import { afterEach, describe, expect, it } from 'vitest';
import { createChain } from './chain.ts';
import type { ChainOptions } from './chain-options.ts';
import { type FakeNode, startFakeNode } from './fake-node.ts';
import type { ProgramEvent } from './program-source.ts';

const PROGRAM = address('MFv2hWf31Z9kbCa1snEPYctwafyhdvnV7FZnsebVacA');
const nodes: FakeNode[] = [];

/** Nodes that answer each read with the slot they are said to have come to. */
async function startNodes(...slots: readonly number[]): Promise<readonly { node: FakeNode; slot: number }[]> {
  const started = await Promise.all(
    slots.map(async (slot) => {
      const one = { node: await startFakeNode(), slot };
      one.node.answers.set('getSlot', () => one.slot);
      one.node.answers.set('getMultipleAccounts', ([keys]) => ({
        context: { slot: one.slot },
        value: (keys as Address[]).map(() => null),
      }));
      return one;
    }),
  );
  nodes.push(...started.map(({ node }) => node));
  return started;
}

function chainOver(all: readonly { readonly node: FakeNode }[], options: Partial<ChainOptions> = {}) {
  const lags: string[] = [];
  const chain = createChain(
    {
      rpcUrls: all.map(({ node }) => node.url),
      minBackoffMs: 5,
      maxBackoffMs: 20,
      requestTimeoutMs: 3_000,
      slotProbeMs: 20,
      maxReconnectMs: 20,
      ...options,
    },
    { onEndpointLag: ({ host, isLagging, slotsBehind }) => lags.push(`${host} ${isLagging} ${slotsBehind}`) },
  );
  const read = () => chain.fetchAccounts([PROGRAM]);
  /** Reads until the last node has been probed so many times more. */
  const readOn = async (probes = 3) => {
    const probed = () => all.at(-1)?.node.countOf('getSlot') ?? 0;
    for (const until = probed() + probes; probed() < until; await sleep(5)) await read();
    await read();
  };
  return { chain, lags, read, readOn };
}

const hostOf = ({ node }: { readonly node: FakeNode }) => new URL(node.url).host;

afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.close()));
});

describe('several endpoints', () => {
  it('asks a lagging one after the others, says so once, and uses it again when it caught up', async () => {
    const [first, second] = await startNodes(1_000, 1_050);
    if (!first || !second) throw new Error();
    const { chain, lags, read, readOn } = chainOver([first, second]);
    await readOn();
    expect(lags).toEqual([`${hostOf(first)} true 50`]);
    expect(chain.getEndpoints()).toEqual([
      { host: hostOf(first), slot: 1_000n, isLagging: true },
      { host: hostOf(second), slot: 1_050n, isLagging: false },
    ]);
    const [batch] = await read();
    expect(batch?.slot).toBe(1_050n);

    first.slot = 1_049;
    await readOn();
    expect(lags).toEqual([`${hostOf(first)} true 50`, `${hostOf(first)} false 1`]);
    const [again] = await read();
    expect(again?.slot).toBe(1_049n);
  });

  it('leaves an endpoint where it is that is a few slots behind, and one that is between behind and not', async () => {
    const [first, second] = await startNodes(1_000, 1_009);
    if (!first || !second) throw new Error();
    const { lags, readOn } = chainOver([first, second]);
    await readOn();
    first.slot = 998;
    await readOn();
    first.slot = 1_002;
    await readOn();
    expect(lags).toEqual([`${hostOf(first)} true 11`]);
  });

  it.each([
    { slotMs: 800, least: 6 },
    { slotMs: 400, least: 11 },
    { slotMs: 200, least: 21 },
    { slotMs: 100, least: 21 },
  ])('takes an endpoint for lagging from $least slots of $slotMs ms', async ({ slotMs, least }) => {
    const [first, second] = await startNodes(1_000, 1_000 + least - 1);
    if (!first || !second) throw new Error();
    const { chain, lags, readOn } = chainOver([first, second]);
    const sample = { slot: 1, numTransactions: 5, numSlots: 60_000 / slotMs, samplePeriodSecs: 60 };
    for (const { node } of [first, second]) node.answers.set('getRecentPerformanceSamples', () => [sample]);
    await chain.fetchSlotTime();
    await readOn();
    expect(lags).toEqual([]);
    first.slot -= 1;
    await readOn();
    expect(lags).toEqual([`${hostOf(first)} true ${least}`]);
  });

  it('still asks a lagging endpoint when the others are down', async () => {
    const [first, second] = await startNodes(1_000, 1_050);
    if (!first || !second) throw new Error();
    const { read, readOn } = chainOver([first, second]);
    await readOn();
    second.node.permanentFault = { kind: 'status', status: 503 };
    const [batch] = await read();
    expect(batch?.slot).toBe(1_000n);
  });

  it('does not probe a single endpoint', async () => {
    const [only] = await startNodes(1_000);
    if (!only) throw new Error();
    const { chain, read } = chainOver([only]);
    for (let count = 0; count < 10; count += 1) await sleep(10).then(read);
    expect(only.node.countOf('getSlot')).toBe(0);
    expect(chain.getEndpoints()).toEqual([{ host: hostOf(only), slot: null, isLagging: false }]);
  });

  it('does not let an endpoint of another cluster say what is fresh', async () => {
    const [first, second] = await startNodes(1_000, 9_000);
    if (!first || !second) throw new Error();
    second.node.answers.set('getGenesisHash', () => 'genesis-b');
    const { chain, lags, read } = chainOver([first, second], { genesisHash: 'genesis-a' });
    for (let count = 0; count < 10; count += 1) await sleep(10).then(read);
    expect(lags).toEqual([]);
    expect(chain.getEndpoints()[0]?.slot).toBe(1_000n);
    expect(chain.getEndpoints()[1]?.slot).toBeNull();
  });
});

describe('a transaction that only one endpoint has', () => {
  it('is asked of the next endpoint when one answers null, and absent when all do', async () => {
    const [first, second] = await startNodes(1_000, 1_000);
    if (!first || !second) throw new Error();
    const { chain } = chainOver([first, second], { slotProbeMs: 60_000 });
    for (const { node } of [first, second]) node.answers.set('getTransaction', () => null);
    expect(await chain.fetchTransaction('signature')).toBeNull();
    expect([first, second].map(({ node }) => node.countOf('getTransaction'))).toEqual([1, 1]);

    second.node.answers.set('getTransaction', () => ({
      slot: 7,
      blockTime: null,
      meta: null,
      transaction: ['', 'base64'],
    }));
    await expect(chain.fetchTransaction('signature')).rejects.toMatchObject({ code: 'DECODE__TRANSACTION_MALFORMED' });
  });

  it('is absent when one answers null and the others do not answer', async () => {
    const [first, second] = await startNodes(1_000, 1_000);
    if (!first || !second) throw new Error();
    const { chain } = chainOver([first, second], { slotProbeMs: 60_000 });
    first.node.answers.set('getTransaction', () => null);
    second.node.permanentFault = { kind: 'status', status: 503 };
    // The cluster of the second one is not known yet, so that it is not asked at all.
    expect(await chain.fetchTransaction('signature')).toBeNull();
  });

  it('is asked of the next endpoint when one keeps no history', async () => {
    const [first, second] = await startNodes(1_000, 1_000);
    if (!first || !second) throw new Error();
    const { chain } = chainOver([first, second], { slotProbeMs: 60_000 });
    first.node.faults.push({
      kind: 'error',
      code: -32011,
      message: 'Transaction history is not available from this node',
    });
    second.node.answers.set('getTransaction', () => null);
    expect(await chain.fetchTransaction('signature')).toBeNull();
    expect(second.node.countOf('getTransaction')).toBe(1);
  });
});

describe('subscriptions over several endpoints', () => {
  const controller = { current: new AbortController() };
  afterEach(() => controller.current.abort());

  function follow(chain: ReturnType<typeof chainOver>['chain']): ProgramEvent[] {
    controller.current = new AbortController();
    const events: ProgramEvent[] = [];
    const target = { program: PROGRAM, accounts: [], transactions: true };
    void (async () => {
      for await (const event of chain.createPubSubSource().watch(target, { signal: controller.current.signal }))
        if (event.kind === 'gap') events.push(event);
    })();
    return events;
  }

  /** Blocks on all nodes, each at its own slot. */
  function startBlocks(all: readonly { node: FakeNode; slot: number }[]): NodeJS.Timeout {
    return setInterval(() => {
      for (const one of all) {
        one.slot += 1;
        one.node.notifySlot(one.slot + 1, one.slot - 32);
        one.node.notifyClock(one.slot);
      }
    }, 10);
  }

  it('are heard on the next one when the first is down', async () => {
    const all = await startNodes(1_000, 1_000);
    const [first, second] = all;
    if (!first || !second) throw new Error();
    await first.node.close();
    const events = follow(chainOver([first, second]).chain);
    const beat = startBlocks([second]);
    await expect
      .poll(() => events.length)
      .toBe(1)
      .finally(() => clearInterval(beat));
    expect(second.node.sockets.size).toBe(1);
  });

  it('move, with a gap, to the freshest one when theirs falls behind', async () => {
    const all = await startNodes(1_000, 1_000);
    const [first, second] = all;
    if (!first || !second) throw new Error();
    const { chain, readOn } = chainOver([first, second]);
    const events = follow(chain);
    const beat = startBlocks(all);
    await expect.poll(() => events.length).toBe(1);
    expect(first.node.sockets.size).toBe(1);
    first.slot -= 20;
    await readOn();
    await expect
      .poll(() => events.length)
      .toBe(2)
      .finally(() => clearInterval(beat));
    expect([first, second].map(({ node }) => node.sockets.size)).toEqual([0, 1]);
  });
});
