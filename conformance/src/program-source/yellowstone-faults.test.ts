import { createYellowstoneSource, type ProgramEvent, type YellowstoneSourceOptions } from '@lending/chain';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openProgramChain, PROGRAM, type ProgramChain, SYSTEM } from './open-program-chain.ts';
import { CLIENT_IS_BUILT, NEEDS_CLIENT } from './published-client.ts';

let chain: ProgramChain;
let controller: AbortController;
let events: ProgramEvent[];
let reasons: (string | null)[];
let ended: Promise<void>;

beforeEach(async () => {
  chain = await openProgramChain({ xToken: 'secret', pingMs: 50 });
  controller = new AbortController();
  events = [];
  reasons = [];
  ended = Promise.resolve();
});
afterEach(async () => {
  controller.abort();
  await ended;
  await chain.close();
});

async function follow(
  options: Partial<YellowstoneSourceOptions> = {},
  handle: (event: ProgramEvent) => Promise<void> | void = () => undefined,
  capacity = 10_000,
): Promise<void> {
  const target = { ...chain.target, accounts: [[]] };
  const source = await createYellowstoneSource({
    endpoint: chain.geyser.grpcUrl,
    xToken: 'secret',
    slotTimeoutMs: 2_000,
    maxReconnectMs: 30,
    hooks: { onWatchState: ({ reason }) => reasons.push(reason) },
    ...options,
  });
  ended = (async () => {
    for await (const event of source.watch(target, { signal: controller.signal, capacity })) {
      events.push(event);
      await handle(event);
    }
  })();
}

/** Blocks until something is so. */
async function blocksUntil(isSo: () => boolean): Promise<void> {
  await expect
    .poll(
      async () => {
        if (!isSo()) await chain.produce();
        return isSo();
      },
      { timeout: 120_000, interval: 5 },
    )
    .toBe(true);
}

const gaps = () => events.flatMap((event) => (event.kind === 'gap' ? [event] : []));
const signatures = () => events.flatMap((event) => (event.kind === 'transaction' ? [event.signature] : []));
const stands = () => events.some(({ kind }) => kind === 'slot');

describe.skipIf(!CLIENT_IS_BUILT)(`createYellowstoneSource (${NEEDS_CLIENT})`, () => {
  it('goes on after a cut where it was, without a gap', async () => {
    await follow();
    await blocksUntil(stands);
    const sent: string[] = [];
    for (let round = 0; round < 10; round += 1) {
      if (round % 3 === 1) await chain.cut();
      await chain.produce({ transactions: 3 });
      sent.push(...(chain.happened.at(-1)?.signatures ?? []));
    }
    const told = () => [...new Set(signatures())];
    await blocksUntil(() => told().length >= sent.length);
    expect(told()).toEqual(sent);
    expect(gaps()).toHaveLength(1);
  });

  it('says a gap from the newest final slot when a restarted server has kept nothing', async () => {
    await follow();
    await blocksUntil(() => events.some((event) => event.kind === 'slot' && event.root > 1_010n));
    await chain.restart();
    const root = events.findLast((event) => event.kind === 'slot')?.root;
    await chain.produce({ transactions: 2 });
    await blocksUntil(() => gaps().length === 2);
    // The status of the newest root comes after the slot that made it one.
    expect([root, (root ?? 0n) + 1n]).toContain(gaps()[1]?.fromSlot);
    expect(reasons.at(1)).toContain('CHAIN__RPC_UNAVAILABLE');
    expect(reasons.at(-1)).toBeNull();
  });

  it('hears, after a cut, of a fork that took the place of the one it was told', async () => {
    await follow();
    await blocksUntil(stands);
    for (let block = 0; block < 5; block += 1) await chain.produce({ transactions: 1 });
    await blocksUntil(() => signatures().length === 5);
    chain.geyser.setFault({ kind: 'unavailable' });
    chain.localnet.ledger.dropFork({ slots: 4 });
    const slot = await chain.produce({ transactions: 1 });
    chain.geyser.setFault(null);
    await blocksUntil(() => signatures().length === 6);
    expect(gaps()).toHaveLength(1);
    expect(events.findLast(({ kind }) => kind === 'transaction')).toMatchObject({ slot });
  });

  it('waits for a server that is not there, and for one that does not know the token', async () => {
    const { grpcUrl } = chain.geyser;
    await chain.geyser.close();
    await follow({ endpoint: grpcUrl, xToken: 'wrong' });
    await expect.poll(() => reasons.length).toBeGreaterThan(1);
    expect(reasons[0]).toContain('CHAIN__RPC_UNAVAILABLE');
    await chain.restart();
    await expect.poll(() => reasons.at(-1)).toContain('No valid auth token');
    expect(reasons.join()).not.toContain('wrong');
    await chain.restart({});
    await blocksUntil(() => gaps().length === 1);
  });

  it('loses nothing when a consumer that is too slow is given up by the server', async () => {
    await chain.restart({ xToken: 'secret', maxQueued: 100 });
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await follow({}, (event) => (event.kind === 'slot' ? held : undefined), 20);
    await blocksUntil(stands);
    const sent: string[] = [];
    // More than the buffers on the way hold: 30 MB.
    for (let block = 0; block < 80; block += 1) {
      const data = new Uint8Array(100_000).fill(block);
      for (const account of chain.addresses)
        chain.localnet.ledger.writeAccount(account, { lamports: 1n, owner: PROGRAM, data, executable: false });
      await chain.produce({ transactions: 3 });
      sent.push(...(chain.happened.at(-1)?.signatures ?? []));
    }
    release();
    // The slot in which the stream ended may come twice.
    const told = () => [...new Set(signatures())];
    await blocksUntil(() => told().length >= sent.length);
    expect(told()).toEqual(sent);
    expect(gaps()).toHaveLength(1);
    expect(reasons.join()).toContain('lagged to send an update');
  });

  it('brings the time of the block with each transaction, and writes with their versions', async () => {
    await follow();
    await blocksUntil(stands);
    const [account] = chain.addresses;
    if (account === undefined) throw new Error('The chain has no address');
    const slot = await chain.produce({ writes: [[account, new Uint8Array(64).fill(1)]], transactions: 1 });
    await blocksUntil(() => signatures().length === 1);
    const told = events.find(({ kind }) => kind === 'transaction');
    expect(told).toMatchObject({
      slot,
      logs: null,
      record: {
        unixTimestamp: chain.localnet.ledger.blockAt(slot)?.unixTimestamp,
        instructions: [{ accounts: [SYSTEM] }],
      },
    });
    const written = events.find(({ kind }) => kind === 'account');
    expect(written).toMatchObject({ update: { address: account, slot, owner: PROGRAM, lamports: 1n } });
    expect(written?.kind === 'account' && written.writeVersion).toBeGreaterThan(0n);
  });
});
