import { LendingError } from '@lending/errors';
import {
  type Address,
  type Commitment,
  createSolanaRpcFromTransport,
  type Rpc,
  type Slot,
  type SolanaRpcApi,
} from '@solana/kit';
import type { AccountBatch } from './account-reader.ts';
import type { ChainHooks, ChainOptions, ChainSource, ReadOptions } from './chain-options.ts';
import { ClusterGuard } from './cluster-guard.ts';
import { describeNode, type NodeDescription } from './describe-node.ts';
import { Endpoint } from './endpoint.ts';
import { createEndpointSlots, type EndpointDescription } from './endpoint-slots.ts';
import { createFailoverTransport, type FailoverOptions } from './failover-transport.ts';
import { type AccountGroup, fetchAccountGroups } from './fetch-account-groups.ts';
import { fetchAccounts } from './fetch-accounts.ts';
import { fetchProgramAccounts, type ProgramAccounts, type ProgramReadOptions } from './fetch-program-accounts.ts';
import { fetchRootedSlots, type RootedSlots } from './fetch-rooted-slots.ts';
import { fetchSignatures, type SignaturePage, type SignatureReadOptions } from './fetch-signatures.ts';
import { createSlotTimeReader } from './fetch-slot-time.ts';
import { fetchTokenAccountsOfOwner, type OwnerTokenAccounts } from './fetch-token-accounts.ts';
import { fetchTransaction, fetchTransactions, type HistoryReadOptions } from './fetch-transactions.ts';
import { createHighestSlot, type HighestSlot, momentOf } from './highest-slot.ts';
import { listProgramAccounts, type ProgramListing } from './list-program-accounts.ts';
import { createPollingSource } from './polling-source.ts';
import type { ProgramFilter } from './program-filter.ts';
import type { ProgramEvent, ProgramSource } from './program-source.ts';
import type { PubSubEndpoint } from './pubsub-endpoint.ts';
import { createPubSubSource } from './pubsub-source.ts';
import { toReadConfig, toSendOptions } from './read-config.ts';
import { createSlotGuard } from './slot-guard.ts';
import { createSlotProbe } from './slot-probe.ts';
import type { TransactionRecord } from './transaction-record.ts';
import type { OnWalletChange } from './wallet-connection.ts';
import { createWalletWatch, type WalletWatch } from './wallet-watch.ts';

/** What is asked of one node in turn. */
export type OneNode = Pick<Chain, 'rpc' | 'fetchSignatures'>;

/** Everything the services ask of Solana. Reads only, but for what callers do with `rpc` themselves. */
export interface Chain {
  readonly source: ChainSource;
  /** Host and port of the preferred endpoint, for people. */
  readonly host: string;
  /** kit's own client over the same failover, for methods that have no function here. Errors are ours. */
  readonly rpc: Rpc<SolanaRpcApi>;
  /** A reader of one node alone: of the first that answers it. What that one has no longer, no other hides by answering in between. */
  ofOneNode(): OneNode;
  fetchAccounts(addresses: readonly Address[], options?: ReadOptions): Promise<readonly AccountBatch[]>;
  fetchAccountGroups(groups: readonly (readonly Address[])[], options?: ReadOptions): Promise<readonly AccountGroup[]>;
  /** Addresses alone, for programs with very many accounts. */
  listProgramAccounts(
    program: Address,
    filters: readonly ProgramFilter[],
    options?: ReadOptions,
  ): Promise<ProgramListing>;
  fetchProgramAccounts(
    program: Address,
    filters: readonly ProgramFilter[],
    options?: ProgramReadOptions,
  ): Promise<ProgramAccounts>;
  /** One page of an address's transactions, newest first. */
  fetchSignatures(address: Address, options?: SignatureReadOptions): Promise<SignaturePage>;
  /** Null: no node that answers has it (yet). */
  fetchTransaction(signature: string, options?: HistoryReadOptions): Promise<TransactionRecord | null>;
  fetchTransactions(
    signatures: readonly string[],
    options?: HistoryReadOptions,
  ): Promise<readonly (TransactionRecord | null)[]>;
  /** Which slots, both ends inclusive, have a finalized block, and where the nodes know that. */
  fetchRootedSlots(fromSlot: Slot, toSlot: Slot, options?: Pick<ReadOptions, 'signal'>): Promise<RootedSlots>;
  /** A wallet's SOL and its accounts of both token programs. */
  fetchTokenAccountsOfOwner(owner: Address, options?: ReadOptions): Promise<OwnerTokenAccounts>;
  fetchGenesisHash(options?: Pick<ReadOptions, 'signal'>): Promise<string>;
  fetchSlot(options?: ReadOptions): Promise<Slot>;
  /** Microseconds a slot has lasted over about the last hour; over some minutes where no node counts slots. */
  fetchSlotTime(options?: Pick<ReadOptions, 'signal'>): Promise<bigint>;
  describeNode(options?: Pick<ReadOptions, 'signal'>): Promise<NodeDescription>;
  /**
   * Asks every endpoint for its cluster; endpoints that do not answer are checked before their first use instead.
   * @throws CHAIN__CLUSTER_MISMATCH naming the first endpoint that serves another one.
   */
  assertSameCluster(options?: Pick<ReadOptions, 'signal'>): Promise<void>;
  /** The endpoints as configured, and how far each has come. With a single one nothing is known of it. */
  getEndpoints(): readonly EndpointDescription[];
  /** Newest slot any answer of at least this commitment came from; undefined before the first. */
  getHighestSlot(commitment?: Commitment): Slot | undefined;
  /** Hears of a program by the node's subscriptions. */
  createPubSubSource(): ProgramSource;
  /** Hears of a program by asking for the chain's slot, every so many milliseconds. */
  createPollingSource(options: { readonly everyMs: number }): ProgramSource;
  /** The same for a source that is not the node's: no read is answered by a node that has not come as far as it told. */
  observeSource(source: ProgramSource): ProgramSource;
  /** Tells by the node's subscriptions when wallets change, whatever the source; a node without them is never heard of. */
  createWalletWatch(onChange: OnWalletChange): WalletWatch;
}

/**
 * Creates the client; nothing is sent until it is asked.
 * @throws CHAIN__RPC_INVALID when no endpoint is given.
 */
export function createChain(options: ChainOptions, hooks: ChainHooks = {}): Chain {
  const { rpcUrls, source = 'chain', requestTimeoutMs = 5_000, maxParallelReads = 8 } = options;
  const { breakerFailures = 5, breakerPauseMs = 2_000 } = options;
  const endpoints = rpcUrls.map((url) => new Endpoint(url, { breakerFailures, breakerPauseMs, hooks }));
  const [first] = endpoints;
  if (first === undefined)
    throw new LendingError('CHAIN__RPC_INVALID', { message: 'No RPC URL is given; at least one is needed' });

  const highestSlot = createHighestSlot();
  const guard = new ClusterGuard({ expected: options.genesisHash, endpoints: endpoints.length, hooks });
  const slotGuard = createSlotGuard(hooks);
  const slots = createEndpointSlots(endpoints, hooks);
  const probe = createSlotProbe({
    endpoints,
    guard,
    slotGuard,
    slots,
    everyMs: options.slotProbeMs ?? 5_000,
    timeoutMs: requestTimeoutMs,
  });
  const failover: FailoverOptions = {
    endpoints: slots.inOrder,
    guard,
    slotGuard,
    requestTimeoutMs,
    deadlineMs: options.deadlineMs ?? 15_000,
    maxRounds: options.maxRounds ?? 4,
    minBackoffMs: options.minBackoffMs ?? 150,
    maxBackoffMs: options.maxBackoffMs ?? 3_000,
    onRequest: probe,
    onAnswer(endpoint, payload, response) {
      highestSlot.observe(payload, response);
      const moment = momentOf(payload, response);
      if (moment?.commitment === 'confirmed') slots.observe(endpoint, moment.slot);
    },
  };
  const transport = createFailoverTransport(failover);
  const rpc: Rpc<SolanaRpcApi> = createSolanaRpcFromTransport(transport);
  const reader = { transport, rpc, highestSlot, maxParallelReads };
  const readSlotTime = createSlotTimeReader(reader);
  const pubsub = {
    endpoints: (): readonly PubSubEndpoint[] => {
      const { wsUrl } = options;
      if (wsUrl !== undefined) return [{ wsUrl, isLagging: () => false, admit: async () => undefined }];
      return slots.inOrder().map((endpoint) => ({
        wsUrl: endpoint.wsUrl,
        isLagging: () => slots.isLagging(endpoint),
        async admit() {
          const refusal = await guard.admit(endpoint, requestTimeoutMs);
          if (refusal?.kind === 'mismatch') throw refusal.error;
        },
      }));
    },
    slotTimeoutMs: options.slotTimeoutMs ?? 5_000,
    maxReconnectMs: options.maxReconnectMs ?? 15_000,
    hooks,
  };

  return {
    source,
    host: first.host,
    rpc,
    ofOneNode() {
      let node: Endpoint | undefined;
      const pinned = createSolanaRpcFromTransport(
        createFailoverTransport({
          ...failover,
          endpoints: () => (node === undefined ? slots.inOrder() : [node]),
          onAnswer(endpoint, payload, response) {
            node ??= endpoint;
            failover.onAnswer(endpoint, payload, response);
          },
        }),
      );
      return { rpc: pinned, fetchSignatures: (address, read) => fetchSignatures({ rpc: pinned }, address, read) };
    },
    fetchAccounts: (addresses, read) => fetchAccounts(reader, addresses, read),
    fetchAccountGroups: (groups, read) => fetchAccountGroups(reader, groups, read),
    listProgramAccounts: (program, filters, read) =>
      listProgramAccounts({ transport, highestSlot }, program, filters, read),
    fetchProgramAccounts: (program, filters, read) => fetchProgramAccounts(reader, program, filters, read),
    fetchSignatures: (address, read) => fetchSignatures(reader, address, read),
    fetchTransaction: (signature, read) => fetchTransaction(reader, signature, read),
    fetchTransactions: (signatures, read) => fetchTransactions(reader, signatures, read),
    fetchRootedSlots: (fromSlot, toSlot, read) => fetchRootedSlots(reader, fromSlot, toSlot, read),
    fetchTokenAccountsOfOwner: (owner, read) => fetchTokenAccountsOfOwner(reader, owner, read),
    fetchGenesisHash: (read = {}) => rpc.getGenesisHash().send(toSendOptions(read)),
    fetchSlot: (read = {}) => rpc.getSlot(toReadConfig(read, highestSlot)).send(toSendOptions(read)),
    async fetchSlotTime(read) {
      const slotMicros = await readSlotTime(read);
      slots.setSlotTime(slotMicros);
      return slotMicros;
    },
    describeNode: (read) => describeNode({ rpc, source, host: first.host }, read),
    async assertSameCluster({ signal } = {}) {
      signal?.throwIfAborted();
      for (const endpoint of endpoints) {
        const refusal = await guard.admit(endpoint, requestTimeoutMs);
        if (refusal?.kind === 'mismatch') throw refusal.error;
        signal?.throwIfAborted();
      }
    },
    getEndpoints: () => slots.describe(),
    getHighestSlot: (commitment = 'confirmed') => highestSlot.get(commitment),
    createPubSubSource: () => observed(createPubSubSource(pubsub), highestSlot, hooks),
    observeSource: (other) => observed(other, highestSlot, hooks),
    createPollingSource: ({ everyMs }) =>
      observed(
        createPollingSource({ rpc, everyMs, host: () => slots.inOrder()[0]?.host ?? first.host, hooks }),
        highestSlot,
        hooks,
      ),
    createWalletWatch: (onChange) =>
      createWalletWatch({ ...pubsub, onConfirmed: (slot) => highestSlot.observeSlot('confirmed', slot) }, onChange),
  };
}

/** A read that follows an event must not be answered by a node that has not seen what was told yet. */
function observed(source: ProgramSource, highestSlot: HighestSlot, hooks: ChainHooks): ProgramSource {
  return {
    kind: source.kind,
    async *watch(target, options) {
      for await (const event of source.watch(target, options)) {
        const slot = slotOf(event);
        highestSlot.observeSlot('confirmed', slot);
        if (event.kind === 'slot') hooks.onWatchSlot?.({ kind: source.kind, slot });
        yield event;
      }
    },
  };
}

function slotOf(event: ProgramEvent): Slot {
  if (event.kind === 'account') return event.update.slot;
  return event.kind === 'gap' ? event.toSlot : event.slot;
}
