import { type Address, address, getAddressDecoder, type Slot } from '@solana/kit';
import { type FakeNode, startFakeNode } from './fake-node.ts';
import type { BlockContent, HappenedBlock, SourceHarness } from './program-source.contract.ts';
import type { ProgramTarget } from './program-source.ts';

/** A chain on a fake node, whose program's accounts and transactions are what a test says. */
export interface FakeProgramChain extends Omit<SourceHarness, 'source'> {
  readonly node: FakeNode;
  /** The newest confirmed slot; the next block is of the one after. */
  slot: number;
}

const PROGRAM = address('MFv2hWf31Z9kbCa1snEPYctwafyhdvnV7FZnsebVacA');
/** Roots follow at this distance; shorter than a real chain's, so that a test comes by them. */
const ROOT_DISTANCE = 6;

export interface FakeProgramChainOptions {
  /** Slots are skipped, other forks begin meanwhile, and everything is told twice: at once, and again after the next block. */
  readonly isUnruly?: boolean;
}

export async function openFakeProgramChain({
  isUnruly = false,
}: FakeProgramChainOptions = {}): Promise<FakeProgramChain> {
  const node = await startFakeNode();
  let toldBefore: readonly (() => void)[] = [];
  const happened: HappenedBlock[] = [];
  const accounts = new Map<Address, Uint8Array>();
  const target: ProgramTarget = { program: PROGRAM, accounts: [[{ kind: 'size', bytes: 64 }]], transactions: true };
  const rootAt = (slot: number) => Math.max(0, slot - ROOT_DISTANCE);
  // Kit leaves `finalized` out, which is what a node takes for granted.
  node.answers.set('getSlot', ([config]) => (config === undefined ? rootAt(chain.slot) : chain.slot));

  async function produce({ writes = [], transactions = 0 }: BlockContent = {}): Promise<Slot> {
    chain.slot += isUnruly ? 1 + (chain.slot % 3) : 1;
    const { slot } = chain;
    const signatures = Array.from({ length: transactions }, (_, index) => `${slot}/${index}`);
    for (const [account, data] of writes)
      if (data === null) accounts.delete(account);
      else accounts.set(account, data);
    happened.push({ slot: BigInt(slot), writes, signatures });

    // The next slot began before this one was confirmed.
    node.notifySlot(slot + 1, rootAt(slot));
    const told = [
      ...writes.map(
        ([account, data]) =>
          () =>
            node.notifyAccount(slot, account, data ?? new Uint8Array(), data ? 1 : 0),
      ),
      ...signatures.map(
        (signature, index) => () => node.notifyLogs(slot, signature, ['Program log: x'], index % 2 === 1),
      ),
    ];
    // Subscriptions are told of one slot in any order.
    const tellClock = () => node.notifyClock(slot);
    told.splice(slot % (told.length + 1), 0, tellClock);
    for (const tell of told) tell();
    if (isUnruly) {
      for (const tell of [...told, ...toldBefore]) tell();
      for (const fork of [slot - 2, slot + 3, slot]) node.notifySlot(fork, rootAt(slot));
      toldBefore = told.filter((tell) => tell !== tellClock);
    }
    await new Promise((resolve) => setTimeout(resolve, 2));
    return BigInt(slot);
  }

  const chain: FakeProgramChain = {
    node,
    slot: 100,
    target,
    addresses: [1, 2, 3, 4].map((index) => getAddressDecoder().decode(new Uint8Array(32).fill(index))),
    happened,
    produce,
    cut: async () => node.dropSockets(),
    async mute() {
      node.isMuted = true;
      return async () => {
        node.isMuted = false;
      };
    },
    readAccounts: async () => ({ slot: BigInt(chain.slot), accounts: new Map(accounts) }),
    readSignatures: async (fromSlot, toSlot) =>
      happened.flatMap(({ slot, signatures }) => (slot > fromSlot && slot <= toSlot ? signatures : [])),
    close: () => node.close(),
  };
  return chain;
}
