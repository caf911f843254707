import { setTimeout as sleep } from 'node:timers/promises';
import { type Address, getAddressDecoder } from '@solana/kit';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Chain, createChain } from './chain.ts';
import type { AttemptReport, ChainOptions } from './chain-options.ts';
import { CLOCK_ADDRESS } from './clock-account.ts';
import { type FakeNode, startFakeNode, toRpcAccount } from './fake-node.ts';

const nodes: FakeNode[] = [];

async function startNode(options?: Parameters<typeof startFakeNode>[0]): Promise<FakeNode> {
  const node = await startFakeNode(options);
  nodes.push(node);
  return node;
}

afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.close()));
});

function chainOver(all: readonly FakeNode[], options: Partial<ChainOptions> = {}) {
  const attempts: AttemptReport[] = [];
  const states: string[] = [];
  const chain: Chain = createChain(
    { rpcUrls: all.map(({ url }) => url), minBackoffMs: 5, maxBackoffMs: 20, requestTimeoutMs: 300, ...options },
    {
      onAttempt: (report) => attempts.push(report),
      onEndpointState: ({ host, state }) => states.push(`${state} ${host}`),
    },
  );
  return { chain, attempts, states };
}

function addressOf(index: number): Address {
  const bytes = new Uint8Array(32);
  new DataView(bytes.buffer).setUint32(0, index + 1);
  return getAddressDecoder().decode(bytes);
}

/** Answers `getMultipleAccounts`: each account holds the first four bytes of its address, the clock says `1000 + slot`. */
function serveAccounts(node: FakeNode, missing: readonly Address[] = []): void {
  let slot = 500;
  node.answers.set('getMultipleAccounts', ([keys]) => {
    slot += 1;
    const clock = new Uint8Array(40);
    const view = new DataView(clock.buffer);
    view.setBigUint64(0, BigInt(slot), true);
    view.setBigInt64(32, BigInt(1000 + slot), true);
    view.setBigInt64(8, BigInt(900 + slot), true);
    view.setBigUint64(16, 77n, true);
    const value = (keys as Address[]).map((key) => {
      if (missing.includes(key)) return null;
      return toRpcAccount(key === CLOCK_ADDRESS ? clock : new TextEncoder().encode(key.slice(0, 4)));
    });
    return { context: { slot }, value };
  });
}

describe('createChain failover', () => {
  it('goes to the next endpoint at once when the first is down', async () => {
    const [down, up] = [await startNode(), await startNode()];
    await down.close();
    const { chain } = chainOver([down, up]);
    expect(await chain.fetchSlot()).toBe(100n);
  });

  it('retries a single endpoint after a server error, a lost connection and an answer that is not JSON', async () => {
    const node = await startNode();
    node.faults.push({ kind: 'status', status: 503 }, { kind: 'drop' }, { kind: 'garbage' });
    const { chain, attempts } = chainOver([node]);
    expect(await chain.fetchSlot()).toBe(100n);
    expect(attempts.map(({ outcome }) => outcome)).toEqual(['unavailable', 'unavailable', 'unavailable', 'ok']);
    expect(attempts[0]?.reason).toBe('HTTP 503');
  });

  it.each([
    [-32005, 'Node is unhealthy'],
    [-32016, 'Minimum context slot has not been reached'],
    [-32603, 'Internal error'],
    [429, 'Too many requests'],
    [-32429, 'rate limited'],
  ])('retries JSON-RPC error %d', async (code, message) => {
    const node = await startNode();
    node.faults.push({ kind: 'error', code, message });
    expect(await chainOver([node]).chain.fetchSlot()).toBe(100n);
    expect(node.countOf('getSlot')).toBe(2);
  });

  it('does not retry a request the node refuses, and names the method', async () => {
    const node = await startNode();
    node.faults.push({ kind: 'error', code: -32602, message: 'Invalid params' });
    await expect(chainOver([node]).chain.fetchSlot()).rejects.toMatchObject({
      code: 'CHAIN__RPC_INVALID',
      message: expect.stringContaining('refused getSlot: -32602 Invalid params'),
    });
    expect(node.countOf('getSlot')).toBe(1);
  });

  it.each([
    ['of a code that is on no list', -32099, 'credits are used up'],
    ['without the data that goes with its code', -32002, 'Transaction simulation failed'],
  ])('tells a refusal %s', async (_, code, message) => {
    const node = await startNode();
    node.faults.push({ kind: 'error', code, message });
    await expect(chainOver([node]).chain.fetchSlot()).rejects.toMatchObject({
      code: 'CHAIN__RPC_INVALID',
      message: expect.stringContaining(`refused getSlot: ${code} ${message}`),
    });
  });

  it('asks another endpoint when a method is switched off or a key refused', async () => {
    const [first, second, third] = [await startNode(), await startNode(), await startNode()];
    first.faults.push({ kind: 'status', status: 403 });
    second.answers.delete('getSlot');
    expect(await chainOver([first, second, third]).chain.fetchSlot()).toBe(100n);
  });

  it('asks one node alone once it answered, though another is up', async () => {
    const [down, first, other] = [await startNode(), await startNode(), await startNode()];
    down.permanentFault = { kind: 'status', status: 403 };
    const node = chainOver([down, first, other], { maxRounds: 1 }).chain.ofOneNode();
    expect(await node.rpc.getSlot().send()).toBe(100n);
    first.permanentFault = { kind: 'status', status: 500 };
    await expect(node.rpc.getSlot().send()).rejects.toThrow('HTTP 500');
    expect([down, first, other].map((each) => each.countOf('getSlot'))).toEqual([0, 2, 0]);
  });

  it('waits as long as Retry-After says', async () => {
    const node = await startNode();
    node.faults.push({ kind: 'status', status: 429, headers: { 'retry-after': '1' } });
    const startMs = performance.now();
    expect(await chainOver([node]).chain.fetchSlot()).toBe(100n);
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(990);
    expect(node.countOf('getSlot')).toBe(2);
  });

  it('uses the other endpoint while one asked for patience', async () => {
    const [limited, free] = [await startNode(), await startNode()];
    limited.faults.push({ kind: 'status', status: 429, headers: { 'retry-after': '30' } });
    const { chain } = chainOver([limited, free]);
    await chain.fetchSlot();
    await chain.fetchSlot();
    expect(limited.countOf('getSlot')).toBe(1);
    expect(free.countOf('getSlot')).toBe(2);
  });

  it('asks other things of an endpoint that wants patience for one of them', async () => {
    const node = await startNode();
    serveAccounts(node, [addressOf(1)]);
    node.faults.push({ kind: 'status', status: 429, headers: { 'retry-after': '30' } });
    const { chain } = chainOver([node], { maxRounds: 1 });
    await expect(chain.fetchSlot()).rejects.toThrow('HTTP 429');
    await expect(chain.fetchSlot()).rejects.toThrow('HTTP 429');
    expect(node.countOf('getSlot')).toBe(1);
    expect(await chain.fetchAccounts([addressOf(1)])).toHaveLength(1);
  });

  it('gives up at the deadline with the hosts and reasons, and never the path of a URL', async () => {
    const node = await startNode();
    node.permanentFault = { kind: 'status', status: 500 };
    const failure = await chainOver([node], { deadlineMs: 400 })
      .chain.fetchSlot()
      .catch((error) => error);
    expect(failure).toMatchObject({ code: 'CHAIN__RPC_UNAVAILABLE', isRetryable: true });
    expect(failure.message).toMatch(/^No RPC node answers getSlot: 127\.0\.0\.1:\d+ \(HTTP 500\)$/);
    expect(JSON.stringify([failure.message, failure.context])).not.toContain('secret-key');
  });

  it('reports a node that hangs as timed out', async () => {
    const node = await startNode();
    node.permanentFault = { kind: 'hang' };
    await expect(chainOver([node], { requestTimeoutMs: 50, maxRounds: 2 }).chain.fetchSlot()).rejects.toMatchObject({
      code: 'CHAIN__RPC_TIMED_OUT',
    });
  });

  it('leaves an endpoint alone after repeated failures and returns to it when it answers', async () => {
    const node = await startNode();
    node.permanentFault = { kind: 'status', status: 500 };
    const { chain, states } = chainOver([node], { maxRounds: 1, breakerFailures: 2, breakerPauseMs: 60 });
    for (let call = 0; call < 5; call += 1) await expect(chain.fetchSlot()).rejects.toThrow('HTTP 500');
    expect(node.countOf('getSlot')).toBe(2);
    node.permanentFault = undefined;
    await expect.poll(() => chain.fetchSlot().catch(() => 0n)).toBe(100n);
    expect(states).toEqual([`open ${chain.host}`, `closed ${chain.host}`]);
  });

  it('asks an endpoint at least every eight seconds, however long it was away', async () => {
    const node = await startNode();
    node.permanentFault = { kind: 'status', status: 500 };
    const { chain } = chainOver([node], { maxRounds: 1, breakerFailures: 1 });
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      for (let call = 1; call <= 20; call += 1) {
        await expect(chain.fetchSlot()).rejects.toThrow('HTTP 500');
        expect(node.countOf('getSlot')).toBe(call);
        vi.setSystemTime(Date.now() + 8_001);
      }
    } finally {
      vi.useRealTimers();
    }
  });

  it('does not hold a slot that is not reached yet against an endpoint', async () => {
    const node = await startNode();
    node.permanentFault = { kind: 'error', code: -32016, message: 'Minimum context slot has not been reached' };
    const { chain, states } = chainOver([node], { maxRounds: 1, breakerFailures: 1 });
    for (let call = 0; call < 3; call += 1) await expect(chain.fetchSlot()).rejects.toThrow('-32016');
    expect(node.countOf('getSlot')).toBe(3);
    expect(states).toEqual([]);
  });

  it('sends a transaction once when a node took it and went silent, with its payload unchanged', async () => {
    const [first, second] = [await startNode(), await startNode()];
    first.faults.push({ kind: 'drop' });
    second.answers.set('sendTransaction', () => 'signature');
    const { chain } = chainOver([first, second]);
    const send = () => chain.rpc.sendTransaction('AAAA' as never, { encoding: 'base64' }).send();
    await expect(send()).rejects.toMatchObject({ code: 'CHAIN__RPC_UNAVAILABLE' });
    expect(second.countOf('sendTransaction')).toBe(0);
    first.faults.push({ kind: 'status', status: 429 });
    expect(await send()).toBe('signature');
    expect(second.requests.at(-1)?.params).toEqual(first.requests.at(-1)?.params);
  });
});

describe('createChain clusters', () => {
  it('refuses endpoints of another cluster and goes on with the others', async () => {
    const [main, other] = [await startNode(), await startNode({ genesisHash: 'genesis-b' })];
    const { chain, states } = chainOver([main, other]);
    await expect(chain.assertSameCluster()).rejects.toMatchObject({
      code: 'CHAIN__CLUSTER_MISMATCH',
      message: expect.stringContaining('genesis-b'),
    });
    expect(await chain.fetchSlot()).toBe(100n);
    expect(states).toEqual([expect.stringMatching(/^mismatch /)]);
  });

  it('never falls over to an endpoint of another cluster', async () => {
    const [main, other] = [await startNode(), await startNode({ genesisHash: 'genesis-b' })];
    const { chain } = chainOver([main, other], { maxRounds: 1 });
    await chain.fetchSlot();
    main.permanentFault = { kind: 'status', status: 500 };
    await expect(chain.fetchSlot({ commitment: 'finalized' })).rejects.toMatchObject({
      code: 'CHAIN__RPC_UNAVAILABLE',
    });
    expect(other.countOf('getSlot')).toBe(0);
  });

  it('holds a single endpoint against the configured genesis hash', async () => {
    const node = await startNode();
    await expect(chainOver([node], { genesisHash: 'genesis-z' }).chain.fetchSlot()).rejects.toMatchObject({
      code: 'CHAIN__CLUSTER_MISMATCH',
    });
  });
});

describe('createChain coalescing and signals', () => {
  it('shares one request among identical reads in flight, also of different ticks', async () => {
    const node = await startNode();
    const answer = Promise.withResolvers<number>();
    node.answers.set('getSlot', () => answer.promise);
    const { chain } = chainOver([node]);
    const first = chain.fetchSlot();
    await expect.poll(() => node.countOf('getSlot')).toBe(1);
    const second = chain.fetchSlot();
    answer.resolve(7);
    expect(await Promise.all([first, second])).toEqual([7n, 7n]);
    expect(node.countOf('getSlot')).toBe(1);
    await chain.fetchSlot();
    expect(node.countOf('getSlot')).toBe(2);
  });

  it('keeps a shared request alive for the others when one caller gives up', async () => {
    const node = await startNode();
    node.answers.set('getSlot', () => sleep(80, 7));
    const { chain } = chainOver([node]);
    const controller = new AbortController();
    const impatient = chain.fetchSlot({ signal: controller.signal });
    const patient = chain.fetchSlot();
    controller.abort(new Error('had enough'));
    await expect(impatient).rejects.toThrow('had enough');
    expect(await patient).toBe(7n);
  });

  it('drops a request that nobody waits for any more, and asks afresh afterwards', async () => {
    const node = await startNode();
    node.faults.push({ kind: 'hang' });
    const { chain, attempts } = chainOver([node], { requestTimeoutMs: 5000 });
    const controller = new AbortController();
    const reads = [chain.fetchSlot({ signal: controller.signal }), chain.fetchSlot({ signal: controller.signal })];
    await expect.poll(() => node.countOf('getSlot')).toBe(1);
    controller.abort(new Error('had enough'));
    await Promise.allSettled(reads);
    await expect.poll(() => attempts.map(({ outcome }) => outcome)).toEqual(['aborted']);
    expect(await chain.fetchSlot()).toBe(100n);
  });

  it('sends nothing for a signal that is already aborted', async () => {
    const node = await startNode();
    const signal = AbortSignal.abort(new Error('too late'));
    await expect(chainOver([node]).chain.fetchSlot({ signal })).rejects.toThrow('too late');
    expect(node.requests).toEqual([]);
  });

  it("turns a caller's deadline into CHAIN__RPC_TIMED_OUT", async () => {
    const node = await startNode();
    node.permanentFault = { kind: 'hang' };
    const signal = AbortSignal.timeout(30);
    await expect(chainOver([node]).chain.fetchSlot({ signal })).rejects.toMatchObject({ code: 'CHAIN__RPC_TIMED_OUT' });
  });

  it('stops waiting between rounds when the signal aborts', async () => {
    const node = await startNode();
    node.permanentFault = { kind: 'status', status: 429, headers: { 'retry-after': '10' } };
    const controller = new AbortController();
    const read = chainOver([node]).chain.fetchSlot({ signal: controller.signal });
    setTimeout(() => controller.abort(new Error('stop')), 50);
    await expect(read).rejects.toThrow('stop');
  });
});

describe('fetchSlotTime', () => {
  const sample = (numSlots: number, samplePeriodSecs = 60) => ({
    slot: 1,
    numTransactions: 5,
    numSlots,
    samplePeriodSecs,
  });
  const timeOf = async (...samples: object[]) => {
    const node = await startNode();
    node.answers.set('getRecentPerformanceSamples', () => samples);
    const chain = chainOver([node]).chain;
    return { node, time: await chain.fetchSlotTime() };
  };

  it('divides the time of about an hour by the slots counted in it', async () => {
    const { node, time } = await timeOf(sample(150), sample(160), sample(77, 30));
    expect(time).toBe(387_597n);
    expect(node.requests.at(-1)?.params).toEqual([60]);
  });

  it('leaves out minutes in which no slot was counted', async () => {
    expect((await timeOf(sample(0), sample(150), sample(10, 0))).time).toBe(400_000n);
  });

  it('leaves out a stretch for most of which the chain stood still', async () => {
    expect((await timeOf(sample(38, 227), sample(150), sample(149), sample(151))).time).toBe(400_000n);
    expect((await timeOf(sample(38, 227), sample(150))).time).toBe(400_000n);
  });

  it('follows a chain that becomes slower', async () => {
    expect((await timeOf(sample(120), sample(120), sample(150))).time).toBe(461_538n);
  });

  it('goes by the clock where the node does not count slots, over half a minute to ten minutes', async () => {
    const node = await startNode();
    const { chain } = chainOver([node]);
    const at = (slot: number, seconds: bigint) => {
      const clock = new Uint8Array(40);
      const view = new DataView(clock.buffer);
      view.setBigUint64(0, BigInt(slot), true);
      view.setBigInt64(32, seconds, true);
      node.answers.set('getMultipleAccounts', () => ({ context: { slot }, value: [toRpcAccount(clock)] }));
    };
    for (const [slot, seconds] of [
      [1_000, 100n],
      [1_145, 129n],
    ] as const) {
      at(slot, seconds);
      await expect(chain.fetchSlotTime()).rejects.toThrow('getRecentPerformanceSamples');
    }
    at(1_200, 140n);
    expect(await chain.fetchSlotTime()).toBe(200_000n);
    at(4_000, 700n);
    expect(await chain.fetchSlotTime()).toBe(200_000n);
    at(5_000, 1_000n);
    await expect(chain.fetchSlotTime()).rejects.toThrow('getRecentPerformanceSamples');
    at(5_200, 1_050n);
    expect(await chain.fetchSlotTime()).toBe(250_000n);
  });

  it.each([{ samples: [] }, { samples: [sample(0)] }, { samples: [sample(72, 29)] }])(
    'knows no pace from $samples',
    async ({ samples }) => {
      await expect(timeOf(...samples)).rejects.toMatchObject({
        code: 'CHAIN__RPC_INVALID',
        message: expect.stringContaining('too few'),
      });
    },
  );
});

describe('fetchAccounts', () => {
  it('reads in batches of at most 100, each with its slot, and null for what is not there', async () => {
    const node = await startNode();
    serveAccounts(node, [addressOf(1)]);
    const all = Array.from({ length: 205 }, (_, index) => addressOf(index));
    const batches = await chainOver([node]).chain.fetchAccounts(all);
    expect(batches.map(({ accounts }) => accounts.length)).toEqual([100, 100, 5]);
    expect(batches.flatMap(({ addresses }) => addresses)).toEqual(all);
    expect(batches[0]?.accounts[1]).toBeNull();
    const [batch] = batches;
    expect(batch?.accounts[0]).toEqual({
      address: addressOf(0),
      slot: batch?.slot,
      owner: '11111111111111111111111111111111',
      lamports: 1n,
      data: new TextEncoder().encode(addressOf(0).slice(0, 4)),
    });
  });

  it('asks for the highest slot seen so far only when told to', async () => {
    const node = await startNode();
    serveAccounts(node);
    const { chain } = chainOver([node]);
    await chain.fetchAccounts([addressOf(0)]);
    expect(chain.getHighestSlot()).toBe(501n);
    await chain.fetchAccounts([addressOf(0)]);
    await chain.fetchAccounts([addressOf(0)], { minContextSlot: 'highest-seen' });
    const reads = node.requests.filter(({ method }) => method === 'getMultipleAccounts');
    const configs = reads.map(({ params }) => params[1] as { minContextSlot?: number });
    expect(configs.map(({ minContextSlot }) => minContextSlot)).toEqual([undefined, undefined, 502]);
  });
});

describe('fetchAccountGroups', () => {
  it("answers each group from one call, with that call's clock", async () => {
    const node = await startNode();
    serveAccounts(node, [addressOf(3)]);
    const groups = Array.from({ length: 60 }, (_, index) => [
      addressOf(index * 3),
      addressOf(index * 3 + 1),
      addressOf(9999),
    ]);
    const result = await chainOver([node]).chain.fetchAccountGroups(groups);
    expect(node.countOf('getMultipleAccounts')).toBe(2);
    for (const [index, { slot, accounts, ...clock }] of result.entries()) {
      expect(clock).toEqual({ unixTimestamp: 1000n + slot, epoch: 77n, epochStart: 900n + slot });
      expect(accounts.map((account) => account?.address ?? null)).toEqual(
        groups[index]?.map((address) => (address === addressOf(3) ? null : address)),
      );
      expect(accounts.every((account) => account === null || account.slot === slot)).toBe(true);
    }
  });

  it('refuses a group that no single call can hold', async () => {
    const node = await startNode();
    const group = Array.from({ length: 100 }, (_, index) => addressOf(index));
    await expect(chainOver([node]).chain.fetchAccountGroups([group])).rejects.toMatchObject({
      code: 'CHAIN__RPC_INVALID',
      message: expect.stringContaining('100 accounts'),
    });
  });

  it('says so when the clock is missing', async () => {
    const node = await startNode();
    serveAccounts(node, [CLOCK_ADDRESS]);
    await expect(chainOver([node]).chain.fetchAccountGroups([[addressOf(0)]])).rejects.toMatchObject({
      code: 'DECODE__ACCOUNT_MALFORMED',
    });
  });

  it('keeps no more reads in flight than allowed', async () => {
    const node = await startNode();
    let inFlight = 0;
    let most = 0;
    serveAccounts(node);
    const answer = node.answers.get('getMultipleAccounts');
    node.answers.set('getMultipleAccounts', async (params) => {
      inFlight += 1;
      most = Math.max(most, inFlight);
      await sleep(20);
      inFlight -= 1;
      return answer?.(params);
    });
    const groups = Array.from({ length: 10 }, (_, group) =>
      Array.from({ length: 60 }, (_, i) => addressOf(group * 60 + i)),
    );
    await chainOver([node], { maxParallelReads: 3 }).chain.fetchAccountGroups(groups);
    expect(node.countOf('getMultipleAccounts')).toBe(10);
    expect(most).toBe(3);
  });
});

describe('fetchProgramAccounts', () => {
  it('passes filters and slice on and returns accounts with the context slot', async () => {
    const node = await startNode();
    node.answers.set('getProgramAccounts', () => ({
      context: { slot: 77 },
      value: [{ pubkey: addressOf(1), account: toRpcAccount(new Uint8Array([9])) }],
    }));
    const { slot, accounts } = await chainOver([node]).chain.fetchProgramAccounts(
      addressOf(0),
      [
        { kind: 'size', bytes: 1864 },
        { kind: 'content', offset: 41, bytes: new Uint8Array([1, 2, 3]) },
      ],
      { dataSlice: { offset: 0, length: 1 } },
    );
    expect(slot).toBe(77n);
    expect(accounts).toMatchObject([{ address: addressOf(1), slot: 77n, data: new Uint8Array([9]) }]);
    expect(node.requests.at(-1)?.params).toEqual([
      addressOf(0),
      {
        commitment: 'confirmed',
        dataSlice: { offset: 0, length: 1 },
        encoding: 'base64',
        filters: [{ dataSize: 1864 }, { memcmp: { offset: 41, bytes: 'Ldp', encoding: 'base58' } }],
        withContext: true,
      },
    ]);
  });
});

describe('listProgramAccounts', () => {
  it('asks for no bytes, and gives addresses with the slot of the answer', async () => {
    const node = await startNode();
    const value = [1, 2].map((nth) => ({ pubkey: addressOf(nth), account: toRpcAccount(new Uint8Array()) }));
    node.answers.set('getProgramAccounts', () => ({ context: { slot: 77 }, value }));
    const { chain } = chainOver([node]);
    const filters = [{ kind: 'size', bytes: 1864 }] as const;
    expect(await chain.listProgramAccounts(addressOf(0), filters, { minContextSlot: 70n })).toEqual({
      slot: 77n,
      addresses: [addressOf(1), addressOf(2)],
    });
    expect(node.requests.at(-1)?.params).toEqual([
      addressOf(0),
      {
        commitment: 'confirmed',
        minContextSlot: 70,
        dataSlice: { offset: 0, length: 0 },
        encoding: 'base64',
        filters: [{ dataSize: 1864 }],
        withContext: true,
      },
    ]);
    expect(chain.getHighestSlot()).toBe(77n);
  });
});

describe('describeNode', () => {
  it('tells version, cluster, slot and the configured source', async () => {
    const node = await startNode();
    node.answers.set('getVersion', () => ({ 'solana-core': '4.0.1', 'feature-set': 1 }));
    const { chain } = chainOver([node], { source: 'localnet' });
    expect(await chain.describeNode()).toEqual({
      source: 'localnet',
      host: new URL(node.url).host,
      version: '4.0.1',
      genesisHash: 'genesis-a',
      slot: 100n,
    });
  });
});
