import type { AccountUpdate, Chain, OnWalletChange, ProgramEvent, ProgramFilter, ProgramSource } from '@lending/chain';
import type { Address } from '@solana/kit';
import { type AccountContent, CHAIN_SECONDS } from './accounts.ts';
import { createFakeHistory, type FakeHistory } from './fake-history.ts';

export interface FakeChain extends FakeHistory {
  readonly chain: Chain;
  readonly accounts: Map<Address, AccountContent>;
  /** Slot of the next answer; every answer is one slot later than the one before. */
  slot: bigint;
  /** What the clock says, in seconds; it moves only when it is set. */
  unixTimestamp: bigint;
  epoch: bigint;
  /** Seconds. */
  epochStart: bigint;
  /** Called before each answer, and may fail it or wait. */
  onRead: (method: ReadMethod) => Promise<void> | void;
  /** Microseconds of a slot, as the node counted them. */
  slotMicros: bigint;
  readonly reads: string[];
  /** Addresses of each group asked for. */
  readonly asked: (readonly Address[])[];
  /** What `chain.createPubSubSource()` tells, to one watcher: what is emitted. */
  readonly source: ProgramSource;
  /** Tells the watcher. */
  emit(event: ProgramEvent): void;
  /** The wallets that are heard of. */
  readonly heardWallets: readonly Address[];
  /** Tells who listens to wallets that this one changed, in the slot of the next answer. */
  touchWallet(wallet: Address): void;
  /** Tells the watcher that an account changed, with the account as it is. */
  touch(address: Address): void;
}

type ReadMethod =
  | 'fetchAccountGroups'
  | 'fetchAccounts'
  | 'fetchProgramAccounts'
  | 'listProgramAccounts'
  | 'fetchRootedSlots'
  | 'fetchSignatures'
  | 'fetchSlotTime'
  | 'fetchTokenAccountsOfOwner'
  | 'fetchTransaction';

/** Accounts and transactions in memory behind the part of `Chain` that is used here; the rest throws. */
export function createFakeChain(): FakeChain {
  const events: ProgramEvent[] = [];
  let wake = (): void => undefined;
  const update = (address: Address): AccountUpdate | null => {
    const content = fake.accounts.get(address);
    return content === undefined ? null : { address, slot: fake.slot, lamports: 1n, ...content };
  };
  const accountsOf = (program: Address, filters: readonly ProgramFilter[]): readonly AccountUpdate[] =>
    [...fake.accounts.keys()]
      .map((address) => update(address) as AccountUpdate)
      .filter(({ owner }) => owner === program)
      .filter(({ data }) =>
        filters.every((filter) =>
          filter.kind === 'size'
            ? data.length === filter.bytes
            : filter.bytes.every((byte, at) => data[filter.offset + at] === byte),
        ),
      );
  let heardWallets: readonly Address[] = [];
  const walletListeners = new Set<OnWalletChange>();
  const unused = (): never => {
    throw new Error('not part of this test');
  };
  const { pageOf, rootedBetween, ...history } = createFakeHistory();
  const told = async (method: ReadMethod) => {
    fake.reads.push(method);
    await fake.onRead(method);
  };
  const source: ProgramSource = {
    kind: 'pubsub',
    async *watch(_target, { signal }) {
      signal.addEventListener('abort', () => wake());
      while (!signal.aborted) {
        const event = events.shift();
        if (event !== undefined) yield event;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
  const fake: FakeChain = {
    ...history,
    source,
    accounts: new Map(),
    slot: 100n,
    unixTimestamp: CHAIN_SECONDS,
    epoch: 900n,
    epochStart: CHAIN_SECONDS - 3_600n,
    slotMicros: 400_000n,
    onRead: () => undefined,
    reads: [],
    asked: [],
    emit(event) {
      events.push(event);
      wake();
    },
    get heardWallets() {
      return heardWallets;
    },
    touchWallet(wallet) {
      if (heardWallets.includes(wallet)) for (const listener of walletListeners) listener(wallet, fake.slot);
    },
    touch(address) {
      const seen = update(address);
      const gone = { address, slot: fake.slot, owner: address, lamports: 0n, data: new Uint8Array() };
      fake.emit({ kind: 'account', update: seen ?? gone, writeVersion: null });
    },
    chain: {
      source: 'localnet',
      host: 'fake:8899',
      get rpc(): Chain['rpc'] {
        return unused();
      },
      ofOneNode: () => fake.chain,
      async fetchAccounts(addresses) {
        await told('fetchAccounts');
        fake.slot += 1n;
        return [{ slot: fake.slot, addresses, accounts: addresses.map((address) => update(address)) }];
      },
      async fetchSignatures(address, options) {
        await told('fetchSignatures');
        return pageOf(address, options);
      },
      async fetchTransaction(signature) {
        await told('fetchTransaction');
        return history.transactions.get(signature) ?? null;
      },
      fetchTransactions: (signatures, options) =>
        Promise.all(signatures.map((signature) => fake.chain.fetchTransaction(signature, options))),
      async fetchRootedSlots(fromSlot, toSlot) {
        await told('fetchRootedSlots');
        return rootedBetween(fromSlot, toSlot);
      },
      async fetchTokenAccountsOfOwner(owner) {
        await told('fetchTokenAccountsOfOwner');
        const { slot } = fake;
        const { lamports, accounts } = history.wallets.get(owner) ?? { lamports: 0n, accounts: [] };
        fake.slot += 1n;
        return { slot, lamports, accounts: accounts.map((address) => update(address)).filter((one) => one !== null) };
      },
      fetchGenesisHash: unused,
      fetchSlot: unused,
      async fetchSlotTime() {
        await fake.onRead('fetchSlotTime');
        return fake.slotMicros;
      },
      describeNode: unused,
      assertSameCluster: unused,
      getEndpoints: unused,
      getHighestSlot: unused,
      async fetchAccountGroups(groups) {
        fake.reads.push('fetchAccountGroups');
        fake.asked.push(...groups);
        await fake.onRead('fetchAccountGroups');
        fake.slot += 1n;
        return groups.map((group) => ({
          slot: fake.slot,
          unixTimestamp: fake.unixTimestamp,
          epoch: fake.epoch,
          epochStart: fake.epochStart,
          accounts: group.map((address) => update(address)),
        }));
      },
      async listProgramAccounts(program, filters) {
        fake.reads.push('listProgramAccounts');
        const addresses = accountsOf(program, filters).map(({ address }) => address);
        const { slot } = fake;
        await fake.onRead('listProgramAccounts');
        fake.slot += 1n;
        return { slot, addresses };
      },
      async fetchProgramAccounts(program, filters, { dataSlice } = {}) {
        fake.reads.push('fetchProgramAccounts');
        const found = accountsOf(program, filters).map((account) => {
          const { offset, length } = dataSlice ?? { offset: 0, length: account.data.length };
          return { ...account, data: account.data.subarray(offset, offset + length) };
        });
        const { slot } = fake;
        await fake.onRead('fetchProgramAccounts');
        fake.slot += 1n;
        return { slot, accounts: found };
      },
      createPubSubSource: () => source,
      createPollingSource: () => source,
      observeSource: (other) => other,
      createWalletWatch(onChange) {
        walletListeners.add(onChange);
        return {
          select(wallets) {
            heardWallets = wallets;
          },
          count: () => heardWallets.length,
          run: (signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true })),
        };
      },
    },
  };
  return fake;
}
