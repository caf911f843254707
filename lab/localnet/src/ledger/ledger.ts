import type { Address, Blockhash, Commitment, Signature } from '@solana/kit';
import type { AccountSource, AccountState, Engine } from '#engine/engine.ts';
import { AccountsDb, accountsAt } from './accounts-db.ts';
import { type Block, hashText } from './block.ts';
import { Chain, type SlotOrCommitment } from './chain.ts';
import { computeMinimumBalance, DEFAULT_RENT, type RentPrice } from './chain-parameters.ts';
import { ChainStore } from './chain-store.ts';
import { type ClockSource, readClock } from './clock.ts';
import {
  type BundleOutcome,
  type Landing,
  type Outcome,
  type SimulateOptions,
  TransactionRunner,
} from './execution.ts';
import type { LedgerListener } from './ledger-event.ts';
import { LedgerFiles, type LedgerSnapshot } from './ledger-files.ts';
import { guard, LedgerListeners } from './ledger-listeners.ts';
import { continueStored, startAtGenesis } from './ledger-start.ts';
import { PerformanceSamples } from './performance-samples.ts';
import { SlotBeat } from './slot-beat.ts';
import { writeSysvars } from './sysvars.ts';
import type { HistoryLimits } from './transaction-history.ts';
import type { TransactionRecord } from './transaction-record.ts';

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
  /** Whether a transaction whose fee payer cannot pay stands in a block, without effect, as SIMD-0290 lets it; default false. */
  readonly relaxesFeePayer?: boolean | undefined;
  /** Folder of the stored chain; without it nothing outlives the process. */
  readonly folder?: string | undefined;
  readonly history?: HistoryLimits | undefined;
  readonly nowMs?: (() => number) | undefined;
  /** Takes one line for the operator. */
  readonly report?: ((line: string) => void) | undefined;
}

export interface DropForkOptions {
  /** How many finished blocks to drop, newest first; at most those that are not finalized. */
  readonly slots: number;
  /** Which dropped transactions are sent again at once. Those whose blockhash was dropped with them cannot land; default none. */
  readonly relanding?: (transaction: TransactionRecord) => boolean;
}

export interface DroppedFork {
  /** The newest block that stayed; the next slot's parent. */
  readonly parent: bigint;
  /** Slots that never were, oldest first; the last one was open. */
  readonly slots: readonly bigint[];
  /** What had landed in them. */
  readonly transactions: readonly TransactionRecord[];
  /** What landed again, in the slot that is open now. */
  readonly relanded: readonly TransactionRecord[];
}

/** Blocks of an hour, with as many transactions as the demo market sends in forty minutes; a transaction takes 6 kB. */
const DEFAULT_HISTORY: HistoryLimits = { maxBlocks: 9_000, maxTransactions: 4_800 };

/**
 * The chain and its accounts, stored and told of. Transactions run in the open slot the moment they arrive, and it becomes a
 * block when the next one opens. Account reads at each commitment are exact; what each stands for is `Chain`'s to say.
 */
export class Ledger {
  readonly slotMs: number;
  readonly genesisHash: Blockhash;
  readonly rent: RentPrice;
  readonly performance: PerformanceSamples;
  readonly #cluster: string;
  readonly #report: (line: string) => void;
  readonly #store: ChainStore;
  readonly #accounts = new AccountsDb();
  readonly #chain: Chain;
  readonly #runner: TransactionRunner;
  readonly #listeners: LedgerListeners;
  readonly #beat: SlotBeat;
  readonly #readers = new Set<() => bigint>();

  constructor(options: LedgerOptions) {
    const { clock = { kind: 'real' }, nowMs = Date.now, history = DEFAULT_HISTORY } = options;
    this.slotMs = options.slotMs ?? 400;
    this.rent = options.rent ?? DEFAULT_RENT;
    this.#cluster = options.cluster ?? 'localnet';
    this.#report = options.report ?? ((line) => process.stderr.write(`localnet: ${line}\n`));
    this.#listeners = new LedgerListeners(this.#report);
    this.#beat = new SlotBeat(this.slotMs, () => this.advanceSlot(), this.#report);
    this.performance = new PerformanceSamples(nowMs);
    this.genesisHash = hashText(`genesis of ${this.#cluster}`);
    const files =
      options.folder === undefined ? undefined : new LedgerFiles(options.folder, this.#cluster, this.#report);
    const stored = files?.load();
    const unservedSlot = stored?.unservedSlot ?? 0n;
    this.#store = new ChainStore(files, unservedSlot);
    const start =
      stored?.snapshot === undefined
        ? startAtGenesis({
            hash: this.genesisHash,
            accounts: options.genesis(),
            slot: max(options.startSlot ?? 1n, unservedSlot),
            unixTimestamp: readClock(clock, 0n, nowMs),
            rent: this.rent,
          })
        : continueStored(stored.snapshot, stored.journal);
    for (const [address, state] of start.accounts) this.#accounts.set(address, state);
    this.#chain = new Chain(start, { clock, nowMs, history });
    this.#runner = new TransactionRunner(options.engine, this.#chain, this.rent, options.relaxesFeePayer ?? false);
    this.#openSlot(max(this.#chain.newestBlock.slot + 1n, unservedSlot));
    this.snapshot();
  }

  // --- reading -----------------------------------------------------------------------------------------------------------

  /** The slot a commitment stands for now. */
  slot(commitment: Commitment): bigint {
    return this.#chain.slot(commitment);
  }

  blockHeight(at: SlotOrCommitment): bigint {
    return this.#chain.blockHeight(at);
  }

  get transactionCount(): bigint {
    return this.#chain.transactionCount;
  }

  /** Seconds since 1970 in the open slot. */
  get unixTimestamp(): bigint {
    return this.#chain.unixTimestamp(this.slot('processed'));
  }

  account(address: Address, at: SlotOrCommitment = 'processed'): AccountState | undefined {
    return this.accountsAt(at).get(address);
  }

  accountsAt(at: SlotOrCommitment): AccountSource {
    return at === 'processed' ? this.#accounts : accountsAt(this.#accounts, this.#chain.slot(at));
  }

  /** State before anything happened in `slot`, which must be readable. */
  accountBefore(address: Address, slot: bigint): AccountState | undefined {
    return this.#accounts.getAt(address, slot - 1n);
  }

  accountsOwnedBy(owner: Address, at: SlotOrCommitment): Iterable<readonly [Address, AccountState]> {
    return this.#accounts.ownedBy(owner, this.#chain.slot(at));
  }

  /**
   * Keeps slots readable that are older than the finalized one, which is the oldest otherwise: back to what `oldest` says whenever a
   * slot opens. Returns how to stop.
   */
  keepReadable(oldest: () => bigint): () => void {
    this.#readers.add(oldest);
    return () => this.#readers.delete(oldest);
  }

  /** Finished blocks, oldest first. */
  get blocks(): readonly Block[] {
    return this.#chain.history.blocks;
  }

  blockAt(slot: bigint): Block | undefined {
    return this.#chain.history.blockAt(slot);
  }

  transaction(signature: Signature): TransactionRecord | undefined {
    return this.#chain.history.transaction(signature);
  }

  /** Signatures that mention an address, newest first. */
  signaturesOf(address: Address): Iterable<Signature> {
    return this.#chain.history.signaturesOf(address);
  }

  latestBlockhash(at: SlotOrCommitment): { readonly blockhash: Blockhash; readonly lastValidBlockHeight: bigint } {
    return this.#chain.latestBlockhash(at);
  }

  isBlockhashValid(blockhash: string, at: SlotOrCommitment): boolean {
    return this.#chain.isBlockhashValid(blockhash, at);
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

  /** Runs a transaction in the open slot; it lands, or is refused, without a trace but for `relaxesFeePayer`. */
  submit(wire: Uint8Array): Outcome {
    const outcome = this.#runner.run(wire, this.#accounts);
    if (outcome.kind === 'executed') this.#land([outcome.landing]);
    return outcome;
  }

  /** Runs up to five transactions in order, all in the open slot or none at all. */
  submitBundle(wires: readonly Uint8Array[]): BundleOutcome {
    const outcome = this.#runner.runBundle(wires, this.#accounts);
    if (outcome.failedAt === null)
      this.#land(outcome.outcomes.flatMap((one) => (one.kind === 'executed' ? [one.landing] : [])));
    return outcome;
  }

  /** Runs transactions in order on the state of a commitment and throws the result away. */
  simulateBundle(wires: readonly Uint8Array[], options: SimulateOptions): BundleOutcome {
    return this.#runner.runBundle(wires, this.accountsAt(options.commitment), options);
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
      this.#store.release(this.slot('processed'));
    }, this.#report);
  }

  /** Writes the stored chain anew. Does nothing without a folder. */
  snapshot(): void {
    // What happened in the open slot is not stored before its block is.
    this.#snapshotAt(this.#chain.newestBlock.slot);
  }

  /**
   * Drops the last confirmed slots, with the open one, and goes on from before them, as a cluster does when a confirmed fork loses:
   * accounts, transactions, blocks and used blockhashes are again what they were. Slot numbers go on upward. Subscribers
   * have been told of what is dropped and are not told that it is gone; they see the next slot, its parent, and what happens on it.
   * A stored chain is on disk without the fork before anyone hears of it.
   * @throws RangeError beyond the finalized slot.
   */
  dropFork({ slots, relanding = () => false }: DropForkOptions): DroppedFork {
    const parent = this.blocks.at(-1 - slots);
    const finalized = this.slot('finalized');
    if (parent === undefined || parent.slot < finalized)
      throw new RangeError(`The chain cannot drop ${slots} blocks: slot ${finalized} is finalized`);
    const opened = this.slot('processed');
    const dropped = this.blocksBetween(parent.slot, opened).map(({ slot }) => slot);
    const transactions = this.#chain.transactionsAfter(parent.slot);
    this.#store.reserve(opened + 1n);
    this.#snapshotAt(parent.slot);
    this.#chain.dropAfter(parent);
    this.#accounts.dropAfter(parent.slot);
    this.#openSlot(opened + 1n);
    this.#emitSlot(parent.slot);
    this.#listeners.runSlotHooks(opened + 1n);
    const relanded = transactions.filter(relanding).flatMap(({ wire, signature }) => {
      const isBack = this.submit(wire).kind === 'executed';
      return isBack ? (this.transaction(signature) ?? []) : [];
    });
    return { parent: parent.slot, slots: [...dropped, opened], transactions, relanded };
  }

  /**
   * Finishes the open slot and opens the next one. When the chain is stored, the block is on disk before anyone hears that it
   * is confirmed; when that fails (a full disk), the slot stays open and the error is thrown.
   */
  advanceSlot(): bigint {
    const block = this.#chain.makeBlock();
    const { slot, transactions } = block;
    const changed = this.#accounts.changedIn(slot);
    this.#store.append(
      block,
      changed.map((address) => [address, this.#accounts.get(address)]),
    );
    const finalizedBefore = this.slot('finalized');
    this.#chain.addBlock(block);
    this.performance.countBlock(slot, transactions.length);
    const finalizedBlocks = this.blocksBetween(finalizedBefore, this.slot('finalized'));
    this.#openSlot(slot + 1n);
    if (this.#store.isSnapshotDue) guard(() => this.snapshot(), this.#report);
    this.#beat.recovered();
    this.#emitSlot(slot);
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
    return this.#chain.history.blocksBetween(after, upTo);
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

  #snapshotAt(slot: bigint): void {
    this.#store.writeSnapshot((): LedgerSnapshot => {
      const { history, epochStartTimestamp } = this.#chain;
      const later = this.#chain.transactionsAfter(slot);
      return {
        cluster: this.#cluster,
        blocks: history.blocks.filter((block) => block.slot <= slot),
        accounts: [...this.#accounts.entriesAt(slot)],
        transactionCount: this.#chain.transactionCount - BigInt(later.length),
        epochStartTimestamp,
      };
    });
  }

  #land(landings: readonly Landing[]): void {
    for (const landing of landings) {
      for (const [address, state] of landing.writes) this.#accounts.set(address, state);
      this.#emitProcessed([...landing.writes.keys()], [this.#chain.land(landing)]);
    }
  }

  #openSlot(slot: bigint): void {
    this.#store.reserve(slot);
    this.#chain.openSlot(slot);
    const oldest = [...this.#readers].map((read) => read()).reduce(min, this.slot('finalized'));
    this.#accounts.openSlot(slot, oldest);
    const facts = { slot, unixTimestamp: this.unixTimestamp, epochStartTimestamp: this.#chain.epochStartTimestamp };
    this.writeAccounts(writeSysvars(facts, this.blocks, this.rent));
  }

  /** Says that the open slot opened on top of `parent`. */
  #emitSlot(parent: bigint): void {
    this.#listeners.emit({ kind: 'slot', slot: this.slot('processed'), parent, root: this.slot('finalized') });
  }

  #emitProcessed(addresses: readonly Address[], transactions: readonly TransactionRecord[]): void {
    this.#listeners.emit({
      kind: 'changes',
      commitment: 'processed',
      slot: this.slot('processed'),
      addresses,
      transactions,
    });
  }
}

/** Opens a ledger: a stored chain continued, or a new one from genesis. It stands still until `start`. */
export function createLedger(options: LedgerOptions): Ledger {
  return new Ledger(options);
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
