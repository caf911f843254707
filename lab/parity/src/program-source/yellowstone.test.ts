import {
  createChain,
  createYellowstoneSource,
  type ProgramEvent,
  type TransactionRecord,
  type YellowstoneSourceOptions,
} from '@lending/chain';
import { describeProgramSourceContract } from '@lending/chain/program-source.contract.ts';
import { createLocalnet, createModelEngine, openLocalnet } from '@lending/localnet';
import { MARGINFI_PROGRAM, SYSTEM_PROGRAM, TOKEN_PROGRAM } from '@lending/programs';
import {
  AccountRole,
  type Address,
  appendTransactionMessageInstruction,
  createTransactionMessage,
  generateKeyPairSigner,
  getTransactionEncoder,
  pipe,
  setTransactionMessageComputeUnitLimit,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  setTransactionMessageLoadedAccountsDataSizeLimit,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openProgramChain, PROGRAM, type ProgramChain, SYSTEM } from './open-program-chain.ts';
import { CLIENT_IS_BUILT, NEEDS_CLIENT } from './published-client.ts';

async function openHarness(retainedSlots: number) {
  const chain = await openProgramChain({ retainedSlots, pingMs: 50 });
  const endpoint = chain.geyser.grpcUrl;
  const source = await createYellowstoneSource({ endpoint, slotTimeoutMs: 300, maxReconnectMs: 30 });
  return { ...chain, source, replays: retainedSlots > 0 };
}

describe.skipIf(!CLIENT_IS_BUILT)(
  `createYellowstoneSource, of a server that tells again what was missed (${NEEDS_CLIENT})`,
  () => {
    describeProgramSourceContract(() => openHarness(150));
  },
);

describe.skipIf(!CLIENT_IS_BUILT)(`createYellowstoneSource, of a server that keeps nothing (${NEEDS_CLIENT})`, () => {
  describeProgramSourceContract(() => openHarness(0));
});

const WANTED = 60;

type ToldTransaction = Extract<ProgramEvent, { readonly kind: 'transaction' }>;

/** What a stream tells of a program on the demo market while its people act. */
async function stream(endpoint: string, program: Address): Promise<readonly ToldTransaction[]> {
  const source = await createYellowstoneSource({ endpoint });
  const told: ToldTransaction[] = [];
  const target = { program, accounts: [[]], transactions: true };
  for await (const event of source.watch(target, { signal: AbortSignal.timeout(180_000) })) {
    if (event.kind === 'transaction') told.push(event);
    if (told.length === WANTED) break;
  }
  return told;
}

describe.skipIf(!CLIENT_IS_BUILT)(`transactions as the gRPC stream tells them (${NEEDS_CLIENT})`, () => {
  let localnet: Awaited<ReturnType<typeof openLocalnet>>;

  beforeAll(async () => {
    localnet = await openLocalnet({ genesis: { kind: 'demo' }, slotMs: 200, transactionsPerSecond: 60 });
    await localnet.start();
  });
  afterAll(() => localnet.stop());

  it.each([MARGINFI_PROGRAM, TOKEN_PROGRAM])('are those that the node answers over RPC, of %s', async (program) => {
    const { grpcUrl, close } = await localnet.openGeyser();
    const streamed = await stream(grpcUrl, program);
    const chain = createChain({ rpcUrls: [localnet.rpcUrl], source: 'localnet' });
    const read = await chain.fetchTransactions(streamed.map(({ signature }) => signature));
    expect(streamed).toHaveLength(WANTED);
    expect(streamed.map(({ record }) => record)).toEqual(read);
    expect(streamed.every(({ isFailed, slot, record }) => record?.isFailed === isFailed && record.slot === slot)).toBe(
      true,
    );
    const records = streamed.flatMap(({ record }): readonly TransactionRecord[] => (record === null ? [] : [record]));
    // Or the comparison above has seen little.
    expect(records.some(({ instructions }) => instructions.some(({ depth }) => depth === 2))).toBe(true);
    expect(records.some(({ tokenBalances }) => tokenBalances.some(({ before, after }) => before !== after))).toBe(true);
    expect(records.every(({ unixTimestamp }) => unixTimestamp !== null)).toBe(true);
    await close();
  });

  it.each(['legacy', 0, 1] as const)('are the same in version %s, and where they fail', async (version) => {
    const [payer, receiver] = [await generateKeyPairSigner(), await generateKeyPairSigner()];
    const small = createLocalnet({
      engine: createModelEngine(),
      genesis: () => [
        [payer.address, { lamports: 10n ** 12n, owner: SYSTEM_PROGRAM, data: new Uint8Array(), executable: false }],
      ],
      slotMs: null,
      startSlot: 1_000n,
    });
    await small.start();
    const { ledger } = small;
    /** The system program's transfer: number 2, then lamports. */
    const transfer = async (lamports: bigint) => {
      const data = new Uint8Array(12);
      data[0] = 2;
      new DataView(data.buffer).setBigUint64(4, lamports, true);
      const accounts = [
        { address: payer.address, role: AccountRole.WRITABLE_SIGNER },
        { address: receiver.address, role: AccountRole.WRITABLE },
      ];
      const message = pipe(
        createTransactionMessage({ version }),
        (m) => setTransactionMessageFeePayerSigner(payer, m),
        (m) => setTransactionMessageLifetimeUsingBlockhash(ledger.latestBlockhash('confirmed'), m),
        // Version 1 has no budget that goes without saying.
        (m) => setTransactionMessageComputeUnitLimit(10_000, m),
        (m) => setTransactionMessageLoadedAccountsDataSizeLimit(1_000_000, m),
        (m) => appendTransactionMessageInstruction({ programAddress: SYSTEM_PROGRAM, accounts, data }, m),
      );
      const signed = await signTransactionMessageWithSigners(message);
      return ledger.submit(new Uint8Array(getTransactionEncoder().encode(signed))).kind;
    };
    const { grpcUrl } = await small.openGeyser();
    const source = await createYellowstoneSource({ endpoint: grpcUrl });
    const records: (TransactionRecord | null)[] = [];
    const beat = setInterval(() => ledger.advanceSlot(), 5);
    const target = { program: SYSTEM_PROGRAM, accounts: [], transactions: true };
    for await (const event of source.watch(target, { signal: AbortSignal.timeout(180_000) })) {
      if (event.kind === 'gap')
        expect([await transfer(10n ** 9n), await transfer(10n ** 13n)]).toEqual(['executed', 'executed']);
      if (event.kind === 'transaction') records.push(event.record);
      if (records.length === 2) break;
    }
    clearInterval(beat);
    const chain = createChain({ rpcUrls: [small.rpcUrl], source: 'localnet' });
    expect(records).toEqual(await chain.fetchTransactions(records.map((record) => record?.signature ?? '')));
    expect(records).toMatchObject([
      { version, isFailed: false, signers: [payer.address], writable: [payer.address, receiver.address] },
      { version, isFailed: true },
    ]);
    await small.stop();
  });
});

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
