import { type ChainOptions, createChain, type ProgramSource } from '@lending/chain';
import { describeProgramSourceContract, type SourceHarness } from '@lending/chain/program-source.contract.ts';
import { describe, expect, it } from 'vitest';
import { openProgramChain, PAYER, PROGRAM, SYSTEM } from './open-program-chain.ts';

async function openChain(options: Partial<ChainOptions> = {}) {
  const world = await openProgramChain();
  const { rpcUrl, wsUrl } = world.localnet;
  const chain = createChain({
    rpcUrls: [rpcUrl],
    wsUrl,
    source: 'localnet',
    slotTimeoutMs: 300,
    maxReconnectMs: 30,
    ...options,
  });
  return { world, chain };
}

/** The contract with a consumer that repairs over JSON-RPC, as the indexer does. */
async function openHarness(sourceOf: (chain: ReturnType<typeof createChain>) => ProgramSource): Promise<SourceHarness> {
  const { world, chain } = await openChain();
  return {
    ...world,
    source: sourceOf(chain),
    cut: async () => world.localnet.setFault({ kind: 'drop_subscriptions' }),
    async mute() {
      world.localnet.setFault({ kind: 'mute_subscriptions' });
      return async () => world.localnet.setFault(null);
    },
    async readAccounts(minContextSlot) {
      const { slot, accounts } = await chain.fetchProgramAccounts(PROGRAM, world.target.accounts[0] ?? [], {
        minContextSlot,
      });
      return { slot, accounts: new Map(accounts.map(({ address, data }) => [address, data])) };
    },
    async readSignatures(fromSlot, toSlot) {
      const found: string[] = [];
      for (let before: string | null | undefined; before !== null; ) {
        const page = await chain.fetchSignatures(PROGRAM, {
          untilSlot: fromSlot,
          minContextSlot: toSlot,
          limit: 5,
          ...(before !== undefined && { before }),
        });
        if (page.kind === 'unknown') throw new Error(`The chain forgot ${before}`);
        found.push(...page.signatures.map(({ signature }) => signature));
        before = page.next;
      }
      return found;
    },
  };
}

describe('subscriptions on the local chain', () => {
  describeProgramSourceContract(() => openHarness((chain) => chain.createPubSubSource()));
});

describe('polling the local chain', () => {
  describeProgramSourceContract(() => openHarness((chain) => chain.createPollingSource({ everyMs: 10 })));
});

describe('reading the past of the local chain', () => {
  it('reads a transaction as it ran, and a failed one as failed', async () => {
    const { world, chain } = await openChain();
    const [account] = world.addresses;
    if (account === undefined) throw new Error('The chain has no address');
    await world.produce({ writes: [[account, new Uint8Array(64)]] });
    const closing = world.run(account, { kind: 'close' });
    const failing = world.run(SYSTEM, { kind: 'fail' });
    const slot = await world.produce();
    const [closed, failed, unknown] = await chain.fetchTransactions([
      closing,
      failing,
      closing.slice(0, -1).concat('1'),
    ]);
    expect(closed).toMatchObject({
      signature: closing,
      slot,
      version: 0,
      isFailed: false,
      logs: ['Program log: scripted'],
      feePayer: PAYER,
      signers: [PAYER],
      writable: [PAYER, account],
      feeLamports: 5_000n,
      instructions: [{ programId: PROGRAM, accounts: [account], innerIndex: null, depth: 1 }],
    });
    expect(closed?.lamports.find((change) => change.account === account)).toEqual({ account, before: 1n, after: 0n });
    expect(failed).toMatchObject({ signature: failing, isFailed: true });
    expect(unknown).toBeNull();
    await world.close();
  });

  it('knows which slots became final, and which were dropped with their fork', async () => {
    const { world, chain } = await openChain();
    const { ledger } = world.localnet;
    for (let block = 0; block < 5; block += 1) await world.produce();
    const { slots } = ledger.dropFork({ slots: 2 });
    for (let block = 0; block < 40; block += 1) await world.produce();
    const final = ledger.slot('finalized');
    const { known, slots: rooted } = await chain.fetchRootedSlots(1_001n, final + 50n);
    expect(known).toEqual({ fromSlot: 1_001n, toSlot: final });
    expect(rooted.filter((slot) => slots.includes(slot))).toEqual([]);
    expect(rooted).toHaveLength(Number(final - 1_001n) + 1 - slots.length);
    await world.close();
  });
});
