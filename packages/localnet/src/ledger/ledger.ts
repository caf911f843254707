import { createHash } from 'node:crypto';
import type { Address, Blockhash, Commitment, Signature } from '@solana/kit';
import type { AccountSource, AccountState, Engine, SlotContext } from '#engine/engine.ts';
import { AccountsDb, accountsAt } from './accounts-db.ts';
import type { Block } from './block.ts';
import {
  computeEpoch,
  computeMinimumBalance,
  DEFAULT_RENT,
  FINALIZED_DEPTH,
  LAMPORTS_PER_SIGNATURE,
  type RentPrice,
} from './chain-parameters.ts';
import { ChainStore } from './chain-store.ts';
import { type ClockSource, readClock } from './clock.ts';
import { type BundleOutcome, executeBundle, executeTransaction, type Landing, type Outcome } from './execution.ts';
import { guard } from './guard.ts';
import type { LedgerListener } from './ledger-event.ts';
import { LedgerFiles, type LedgerSnapshot, type StoredLedger } from './ledger-files.ts';
import { LedgerListeners } from './ledger-listeners.ts';
import { PerformanceSamples } from './performance-samples.ts';
import { RecentBlockhashes } from './recent-blockhashes.ts';
import { SlotBeat } from './slot-beat.ts';
import { constantSysvars, encodeHash, writeSysvars } from './sysvars.ts';
import { type HistoryLimits, TransactionHistory } from './transaction-history.ts';
import type { TransactionRecord } from './transaction-record.ts';
import { decodeWireTransaction } from './wire-transaction.ts';

export interface LedgerOptions {
  readonly engine: Engine;
  /** Accounts at the beginning. Asked only when no stored chain is continued. */
  readonly genesis: () => Iterable<readonly [Address, AccountState]>;
  /** Name of the chain; a stored chain of another name is not continued. The genesis hash comes from it. */
  readonly cluster?: string | undefined;
  readonly slotMs?: number | undefined;
  readonly startSlot?: bigint | undefined;
  readonly clock?: ClockSource | undefined;
  readonly rent?: RentPrice | undefined;
  /** Folder of the stored chain; without it nothing outlives the process. */
  readonly folder?: string | undefined;
  readonly history?: HistoryLimits | undefined;
  readonly nowMs?: (() => number) | undefined;
  /** Takes one line for the operator. */
  readonly report?: ((line: string) => void) | undefined;
}

const DEFAULT_HISTORY: HistoryLimits = { maxBlocks: 20_000, maxTransactions: 10_000 };

/**
 * The chain: accounts, slots, blockhashes, transactions. One slot is open at a time; transactions run in it the moment they
 * arrive, and it becomes a block when the next one opens.
 *
 * What commitment means here: `processed` is the open slot, `confirmed` the newest finished block, `finalized` the block 31
 * behind that. Account reads at each are exact. There is one fork and no votes, so nothing confirmed is ever rolled
 * back; after a restart everything restored counts as finalized.
 */
export class Ledger {
  readonly slotMs: number;
  readonly genesisHash: Blockhash;
  readonly rent: RentPrice;
  readonly performance: PerformanceSamples;
  readonly #engine: Engine;
  readonly #cluster: string;
  readonly #clock: ClockSource;
  readonly #nowMs: () => number;
  readonly #report: (line: string) => void;
  readonly #store: ChainStore;
  readonly #accounts = new AccountsDb();
  readonly #history: TransactionHistory;
  readonly #recent = new RecentBlockhashes();
  readonly #listeners: LedgerListeners;
  readonly #beat: SlotBeat;
  #open: { slot: bigint; unixTimestamp: bigint; transactions: TransactionRecord[] };
  /** Slot whose state, and everything before it, was there when this process began. */
  readonly #rootedSlot: bigint;
  #epochStartTimestamp: bigint;
  #transactionCount = 0n;

  constructor(options: LedgerOptions) {
    this.slotMs = options.slotMs ?? 400;
    this.rent = options.rent ?? DEFAULT_RENT;
    this.#engine = options.engine;
    this.#cluster = options.cluster ?? 'localnet';
    this.#clock = options.clock ?? { kind: 'real' };
    this.#nowMs = options.nowMs ?? Date.now;
    this.#report = options.report ?? ((line) => process.stderr.write(`localnet: ${line}\n`));
    this.#listeners = new LedgerListeners(this.#report);
    this.#beat = new SlotBeat(this.slotMs, () => this.advanceSlot(), this.#report);
    this.performance = new PerformanceSamples(this.#nowMs);
    this.#history = new TransactionHistory(options.history ?? DEFAULT_HISTORY);
    this.genesisHash = hashOf(`genesis of ${this.#cluster}`);
    const files = options.folder === undefined ? undefined : new LedgerFiles(options.folder, this.#report);
    const stored = files?.load(this.#cluster);
    const unservedSlot = stored?.unservedSlot ?? 0n;
    this.#store = new ChainStore(files, unservedSlot);
    this.#epochStartTimestamp = readClock(this.#clock, 0n, this.#nowMs);
    if (stored?.snapshot !== undefined) this.#restore(stored.snapshot, stored.journal);
    else this.#begin(options.genesis(), max(options.startSlot ?? 1n, unservedSlot));
    const parent = this.#lastBlock;
    this.#rootedSlot = parent.slot;
    this.#open = { slot: 0n, unixTimestamp: parent.unixTimestamp, transactions: [] };
    this.#openSlot(max(parent.slot + 1n, unservedSlot));
    this.snapshot();
  }

  // --- reading -----------------------------------------------------------------------------------------------------------

  /** The slot a commitment stands for now. */
  slot(commitment: Commitment): bigint {
    switch (commitment) {
      case 'processed':
        return this.#open.slot;
      case 'confirmed':
        return this.#lastBlock.slot;
      case 'finalized':
        return max(this.#history.blocks.at(-1 - FINALIZED_DEPTH)?.slot ?? 0n, this.#rootedSlot);
      default:
        return commitment satisfies never;
    }
  }

  blockHeight(commitment: Commitment): bigint {
    if (commitment === 'processed') return this.#lastBlock.height + 1n;
    return this.#history.blockAt(this.slot(commitment))?.height ?? this.#lastBlock.height;
  }

  get transactionCount(): bigint {
    return this.#transactionCount;
  }

  /** Seconds since 1970 in the open slot. */
  get unixTimestamp(): bigint {
    return this.#open.unixTimestamp;
  }

  account(address: Address, commitment: Commitment = 'processed'): AccountState | undefined {
    return this.accountsAt(commitment).get(address);
  }

  accountsAt(commitment: Commitment): AccountSource {
    return commitment === 'processed' ? this.#accounts : accountsAt(this.#accounts, this.slot(commitment));
  }

  /** State before anything happened in `slot`, which must not be older than the finalized one. */
  accountBefore(address: Address, slot: bigint): AccountState | undefined {
    return this.#accounts.getAt(address, slot - 1n);
  }

  accountsOwnedBy(owner: Address, commitment: Commitment): Iterable<readonly [Address, AccountState]> {
    return this.#accounts.ownedBy(owner, this.slot(commitment));
  }

  get accountCount(): number {
    return this.#accounts.size;
  }

  /** Finished blocks, oldest first. */
  get blocks(): readonly Block[] {
    return this.#history.blocks;
  }

  blockAt(slot: bigint): Block | undefined {
    return this.#history.blockAt(slot);
  }

  transaction(signature: Signature): TransactionRecord | undefined {
    return this.#history.transaction(signature);
  }

  /** Signatures that mention an address, newest first. */
  signaturesOf(address: Address): Iterable<Signature> {
    return this.#history.signaturesOf(address);
  }

  latestBlockhash(commitment: Commitment): { readonly blockhash: Blockhash; readonly lastValidBlockHeight: bigint } {
    const block = this.#bankBlock(commitment);
    const lastValidBlockHeight = this.#recent.lastValidHeight(block.blockhash) ?? block.height;
    return { blockhash: block.blockhash, lastValidBlockHeight };
  }

  isBlockhashValid(blockhash: string, commitment: Commitment): boolean {
    return this.#recent.isValid(blockhash, this.#bankBlock(commitment).height);
  }

  minimumBalance(dataLength: number): bigint {
    return computeMinimumBalance(this.rent, dataLength);
  }

  /** Why no slots are produced although they should be; undefined when all is well. */
  get failure(): string | undefined {
    return this.#beat.failure;
  }

  // --- changing ----------------------------------------------------------------------------------------------------------

  /** Changes an account outside any transaction, in the open slot. `undefined` removes it. */
  writeAccount(address: Address, state: AccountState | undefined): void {
    this.writeAccounts([[address, state]]);
  }

  /** Changes several accounts at once; subscribers see one change. */
  writeAccounts(writes: Iterable<readonly [Address, AccountState | undefined]>): void {
    const addresses: Address[] = [];
    for (const [address, state] of writes) {
      this.#accounts.set(address, state);
      addresses.push(address);
    }
    this.#emitProcessed(addresses, []);
  }

  /** Runs a transaction in the open slot; it lands, or is refused without a trace. */
  submit(wire: Uint8Array): Outcome {
    const outcome = executeTransaction(this.#engine, wire, this.#accounts, this.#context(this.#open.slot), {
      verifySignatures: true,
      refuse: (transaction) => this.#refusal(transaction.message.recentBlockhash, transaction.messageHash, 'processed'),
    });
    if (outcome.kind === 'executed') this.#land([outcome.landing]);
    return outcome;
  }

  /** Runs up to five transactions in order, all in the open slot or none at all. */
  submitBundle(wires: readonly Uint8Array[]): BundleOutcome {
    const outcome = executeBundle(this.#engine, wires, this.#accounts, this.#context(this.#open.slot), {
      verifySignatures: true,
      refuse: (transaction) => this.#refusal(transaction.message.recentBlockhash, transaction.messageHash, 'processed'),
    });
    if (outcome.failedAt === null)
      this.#land(outcome.outcomes.flatMap((one) => (one.kind === 'executed' ? [one.landing] : [])));
    return outcome;
  }

  /** Runs transactions in order on the state of a commitment and throws the result away. */
  simulateBundle(wires: readonly Uint8Array[], options: SimulateOptions): BundleOutcome {
    const { commitment, verifySignatures, replaceBlockhash } = options;
    const context = this.#context(this.slot(commitment));
    return executeBundle(this.#engine, wires, this.accountsAt(commitment), context, {
      verifySignatures,
      refuse: ({ message, messageHash }) =>
        replaceBlockhash ? undefined : this.#refusal(message.recentBlockhash, messageHash, commitment),
    });
  }

  // --- time --------------------------------------------------------------------------------------------------------------

  /** Starts producing slots on a timer. */
  start(): void {
    this.#beat.start();
  }

  /** Stops the timer; the open slot stays open and `advanceSlot` still works. */
  async pause(): Promise<void> {
    await this.#beat.stop();
  }

  /** Stops the timer and stores the chain, so that the next start continues at the next slot. */
  async stop(): Promise<void> {
    await this.pause();
    guard(() => {
      this.advanceSlot();
      this.snapshot();
      this.#store.release(this.#open.slot);
    }, this.#report);
  }

  /** Writes the stored chain anew. Does nothing without a folder. */
  snapshot(): void {
    this.#store.writeSnapshot(() => this.#takeSnapshot());
  }

  /**
   * Finishes the open slot and opens the next one. When the chain is stored, the block is on disk before anyone hears that it
   * is confirmed; when that fails (a full disk), the slot stays open and the error is thrown.
   */
  advanceSlot(): bigint {
    const { slot, unixTimestamp, transactions } = this.#open;
    const parent = this.#lastBlock;
    const signatures = transactions.map(({ signature }) => signature).join();
    const block: Block = {
      slot,
      parentSlot: parent.slot,
      height: parent.height + 1n,
      blockhash: hashOf(`${parent.blockhash} ${slot} ${signatures}`),
      previousBlockhash: parent.blockhash,
      unixTimestamp,
      transactions,
    };
    const changed = this.#accounts.changedIn(slot);
    this.#store.append(
      block,
      changed.map((address) => [address, this.#accounts.get(address)]),
    );
    const finalizedBefore = this.slot('finalized');
    this.#addBlock(block);
    this.performance.countBlock(slot, transactions.length);
    const finalizedBlocks = this.blocksBetween(finalizedBefore, this.slot('finalized'));
    this.#openSlot(slot + 1n);
    if (this.#store.isSnapshotDue) guard(() => this.snapshot(), this.#report);
    this.#beat.recovered();
    this.#listeners.emit({ kind: 'slot', slot: slot + 1n, parent: slot, root: this.slot('finalized') });
    this.#listeners.emit({ kind: 'changes', commitment: 'confirmed', slot, addresses: changed, transactions });
    for (const { slot: finalized, transactions: rooted } of finalizedBlocks) {
      const addresses = this.#accounts.changedIn(finalized);
      this.#listeners.emit({
        kind: 'changes',
        commitment: 'finalized',
        slot: finalized,
        addresses,
        transactions: rooted,
      });
    }
    this.#listeners.runSlotHooks(slot + 1n);
    return slot + 1n;
  }

  /** Finished blocks after one slot up to another. */
  blocksBetween(after: bigint, upTo: bigint): readonly Block[] {
    const { blocks: all } = this.#history;
    const first = all.findLastIndex(({ slot }) => slot <= after) + 1;
    const last = all.findLastIndex(({ slot }) => slot <= upTo);
    return all.slice(first, last + 1);
  }

  /** Calls `hook` whenever a slot opened, before any transaction runs in it. Returns how to stop. */
  onSlot(hook: (slot: bigint) => void): () => void {
    return this.#listeners.onSlot(hook);
  }

  /** Calls `listener` for everything that changes. Returns how to stop. */
  subscribe(listener: LedgerListener): () => void {
    return this.#listeners.subscribe(listener);
  }

  // --- inside ------------------------------------------------------------------------------------------------------------

  get #lastBlock(): Block {
    const block = this.#history.blocks.at(-1);
    if (block === undefined) throw new TypeError('The ledger has no block');
    return block;
  }

  /** The block whose hash is newest for a commitment: the open slot's is its parent's. */
  #bankBlock(commitment: Commitment): Block {
    if (commitment === 'processed') return this.#lastBlock;
    return this.#history.blockAt(this.slot(commitment)) ?? this.#lastBlock;
  }

  #refusal(blockhash: string, messageHash: string, commitment: Commitment): string | undefined {
    if (this.#recent.isProcessed(messageHash)) return 'AlreadyProcessed';
    return this.isBlockhashValid(blockhash, commitment) ? undefined : 'BlockhashNotFound';
  }

  #context(slot: bigint): SlotContext {
    return {
      slot,
      unixTimestamp: this.#history.blockAt(slot)?.unixTimestamp ?? this.#open.unixTimestamp,
      epoch: computeEpoch(slot),
      lamportsPerSignature: LAMPORTS_PER_SIGNATURE,
      minimumBalance: (dataLength) => this.minimumBalance(dataLength),
    };
  }

  #land(landings: readonly Landing[]): void {
    for (const { facts, writes, messageHash } of landings) {
      const { slot, unixTimestamp, transactions } = this.#open;
      const record: TransactionRecord = { ...facts, slot, unixTimestamp, index: transactions.length };
      for (const [address, state] of writes) this.#accounts.set(address, state);
      transactions.push(record);
      this.#transactionCount += 1n;
      this.#recent.markProcessed(messageHash, this.#lastBlock.height);
      this.#history.addTransaction(record);
      this.#emitProcessed([...writes.keys()], [record]);
    }
  }

  #begin(genesis: Iterable<readonly [Address, AccountState]>, slot: bigint): void {
    for (const [address, state] of genesis) this.#accounts.set(address, state);
    for (const [address, state] of constantSysvars(this.rent)) this.#accounts.set(address, state);
    const unixTimestamp = readClock(this.#clock, 0n, this.#nowMs);
    const parentSlot = slot > 0n ? slot - 1n : 0n;
    const hashes = { blockhash: hashOf(`${this.genesisHash} ${slot}`), previousBlockhash: this.genesisHash };
    this.#addBlock({ slot, parentSlot, height: 1n, ...hashes, unixTimestamp, transactions: [] });
  }

  #restore(snapshot: LedgerSnapshot, journal: StoredLedger['journal']): void {
    // Copies, because what was read shares one large buffer that would otherwise stay in memory.
    const own = (state: AccountState) => ({ ...state, data: state.data.slice() });
    for (const [address, state] of snapshot.accounts) this.#accounts.set(address, own(state));
    for (const block of snapshot.blocks) this.#addBlock(block);
    this.#transactionCount = snapshot.transactionCount;
    this.#epochStartTimestamp = snapshot.epochStartTimestamp;
    for (const { block, writes } of journal) {
      for (const [address, state] of writes) this.#accounts.set(address, state === undefined ? undefined : own(state));
      this.#addBlock(block);
      this.#transactionCount += BigInt(block.transactions.length);
    }
    for (const block of this.#history.blocks.slice(-152)) {
      for (const { wire } of block.transactions) {
        this.#recent.markProcessed(decodeWireTransaction(wire).messageHash, block.height);
      }
    }
  }

  #addBlock(block: Block): void {
    for (const record of block.transactions) {
      if (this.#history.transaction(record.signature) === undefined) this.#history.addTransaction(record);
    }
    this.#history.addBlock(block);
    this.#recent.add(block);
  }

  #openSlot(slot: bigint): void {
    this.#store.reserve(slot);
    const parent = this.#lastBlock;
    const unixTimestamp = readClock(this.#clock, parent.unixTimestamp, this.#nowMs);
    if (computeEpoch(slot) !== computeEpoch(parent.slot)) this.#epochStartTimestamp = unixTimestamp;
    this.#open = { slot, unixTimestamp, transactions: [] };
    this.#accounts.openSlot(slot, this.slot('finalized'));
    const facts = { slot, unixTimestamp, epochStartTimestamp: this.#epochStartTimestamp };
    const writes = writeSysvars(facts, this.#history.blocks, this.rent);
    for (const [address, state] of writes) this.#accounts.set(address, state);
    this.#emitProcessed(
      writes.map(([address]) => address),
      [],
    );
  }

  #takeSnapshot(): LedgerSnapshot {
    return {
      cluster: this.#cluster,
      blocks: this.#history.blocks,
      accounts: this.#stableAccounts(),
      transactionCount: this.#transactionCount,
      epochStartTimestamp: this.#epochStartTimestamp,
    };
  }

  /** State as of the newest block: what happened in the open slot is not stored before its block is. */
  #stableAccounts(): LedgerSnapshot['accounts'] {
    const slot = this.#lastBlock.slot;
    const addresses = new Set([...this.#accounts.entries()].map(([address]) => address));
    for (const address of this.#accounts.changedIn(this.#open.slot)) addresses.add(address);
    return [...addresses].flatMap((address) => {
      const state = this.#accounts.getAt(address, slot);
      return state === undefined ? [] : [[address, state] as const];
    });
  }

  #emitProcessed(addresses: readonly Address[], transactions: readonly TransactionRecord[]): void {
    this.#listeners.emit({ kind: 'changes', commitment: 'processed', slot: this.#open.slot, addresses, transactions });
  }
}

export interface SimulateOptions {
  readonly commitment: Commitment;
  readonly verifySignatures: boolean;
  /** Runs the transactions as if they named a current blockhash. */
  readonly replaceBlockhash: boolean;
}

/** Opens a ledger: a stored chain continued, or a new one from genesis. It stands still until `start`. */
export function createLedger(options: LedgerOptions): Ledger {
  return new Ledger(options);
}

function hashOf(text: string): Blockhash {
  return encodeHash(createHash('sha256').update(text).digest()) as Blockhash;
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
