import type { Blockhash, Commitment } from '@solana/kit';
import { decodeWireTransaction } from '#engine/wire-transaction.ts';
import { type Block, hashText } from './block.ts';
import { computeEpoch, FINALIZED_DEPTH, REPEATABLE_BLOCKS } from './chain-parameters.ts';
import { type ClockSource, readClock } from './clock.ts';
import type { Landing } from './execution.ts';
import type { LedgerStart } from './ledger-start.ts';
import { RecentBlockhashes } from './recent-blockhashes.ts';
import { type HistoryLimits, TransactionHistory } from './transaction-history.ts';
import type { TransactionRecord } from './transaction-record.ts';

export interface ChainOptions {
  readonly clock: ClockSource;
  readonly nowMs: () => number;
  readonly history: HistoryLimits;
}

/** What a read is made as of: the slot that a commitment stands for now, or one that is still readable. */
export type SlotOrCommitment = Commitment | bigint;

interface OpenSlot {
  readonly slot: bigint;
  readonly unixTimestamp: bigint;
  readonly transactions: TransactionRecord[];
}

/**
 * Slots, blocks, blockhashes and transactions: the ledger without its accounts.
 *
 * One slot is open at a time. It takes transactions (`land`), is made into a block (`makeBlock`, which changes nothing, so that
 * storing the block may still fail), the block is added (`addBlock`) and the next slot opens (`openSlot`). Before
 * the first `openSlot` the newest block stands in for the open slot.
 *
 * What commitment means here: `processed` is the open slot, `confirmed` the newest finished block, `finalized` the block 31
 * behind that. There are no votes, so nothing confirmed is rolled back by itself: `dropAfter` does it, as when a fork that was
 * confirmed loses. Everything a chain starts with counts as finalized, and what is finalized stays so.
 */
export class Chain {
  readonly history: TransactionHistory;
  readonly #clock: ClockSource;
  readonly #nowMs: () => number;
  readonly #recent = new RecentBlockhashes();
  /** Slot that is finalized, with everything before it, however few blocks stand on it. */
  #rootedSlot: bigint;
  #open: OpenSlot;
  #epochStartTimestamp: bigint;
  #transactionCount: bigint;

  constructor(start: LedgerStart, options: ChainOptions) {
    this.#clock = options.clock;
    this.#nowMs = options.nowMs;
    this.history = new TransactionHistory(options.history);
    for (const block of start.blocks) this.addBlock(block);
    for (const { height, transactions } of this.history.blocks.slice(-REPEATABLE_BLOCKS)) {
      for (const { wire } of transactions) this.#recent.markProcessed(decodeWireTransaction(wire).messageHash, height);
    }
    const { slot, unixTimestamp } = this.newestBlock;
    this.#rootedSlot = slot;
    this.#open = { slot, unixTimestamp, transactions: [] };
    this.#epochStartTimestamp = start.epochStartTimestamp;
    this.#transactionCount = start.transactionCount;
  }

  get newestBlock(): Block {
    const block = this.history.blocks.at(-1);
    if (block === undefined) throw new TypeError('The chain has no block');
    return block;
  }

  get transactionCount(): bigint {
    return this.#transactionCount;
  }

  /** When the open slot's epoch began, in seconds since 1970. */
  get epochStartTimestamp(): bigint {
    return this.#epochStartTimestamp;
  }

  slot(at: SlotOrCommitment): bigint {
    if (typeof at === 'bigint') return at;
    switch (at) {
      case 'processed':
        return this.#open.slot;
      case 'confirmed':
        return this.newestBlock.slot;
      case 'finalized':
        return this.#finalizedSlot();
      default:
        return at satisfies never;
    }
  }

  /** Seconds since 1970 in a slot; in the open one when the slot has no block. */
  unixTimestamp(slot: bigint): bigint {
    return this.history.blockAt(slot)?.unixTimestamp ?? this.#open.unixTimestamp;
  }

  blockHeight(at: SlotOrCommitment): bigint {
    const { height } = this.#hashBlock(at);
    return at === 'processed' ? height + 1n : height;
  }

  latestBlockhash(at: SlotOrCommitment): { readonly blockhash: Blockhash; readonly lastValidBlockHeight: bigint } {
    const { blockhash, height } = this.#hashBlock(at);
    return { blockhash, lastValidBlockHeight: this.#recent.lastValidHeight(blockhash) ?? height };
  }

  isBlockhashValid(blockhash: string, at: SlotOrCommitment): boolean {
    return this.#recent.isValid(blockhash, this.#hashBlock(at).height);
  }

  /** Whether a message landed while its blockhash was still valid. */
  isProcessed(messageHash: string): boolean {
    return this.#recent.isProcessed(messageHash);
  }

  land({ facts, messageHash }: Landing): TransactionRecord {
    const { slot, unixTimestamp, transactions } = this.#open;
    const record: TransactionRecord = { ...facts, slot, unixTimestamp, index: transactions.length };
    transactions.push(record);
    this.#transactionCount += 1n;
    this.#recent.markProcessed(messageHash, this.newestBlock.height);
    this.history.addTransaction(record);
    return record;
  }

  makeBlock(): Block {
    const { slot, unixTimestamp, transactions } = this.#open;
    const parent = this.newestBlock;
    const signatures = transactions.map(({ signature }) => signature).join();
    return {
      slot,
      parentSlot: parent.slot,
      height: parent.height + 1n,
      blockhash: hashText(`${parent.blockhash} ${slot} ${signatures}`),
      previousBlockhash: parent.blockhash,
      unixTimestamp,
      transactions,
    };
  }

  addBlock(block: Block): void {
    for (const record of block.transactions) {
      if (this.history.transaction(record.signature) === undefined) this.history.addTransaction(record);
    }
    this.history.addBlock(block);
    this.#recent.add(block);
  }

  /** Transactions after a slot, of the open one too, in the order they landed. */
  transactionsAfter(slot: bigint): readonly TransactionRecord[] {
    const blocks = this.history.blocksBetween(slot, this.newestBlock.slot);
    return [...blocks, this.#open].flatMap(({ transactions }) => transactions);
  }

  /** Goes back to `block`, which must not be older than the finalized one: what came after it never happened. A slot is to be opened next. */
  dropAfter(block: Block): void {
    const dropped = this.transactionsAfter(block.slot);
    this.#rootedSlot = this.#finalizedSlot();
    this.history.dropAfter(block.slot, dropped);
    this.#recent.dropAfter(
      block.height,
      dropped.map(({ wire }) => decodeWireTransaction(wire).messageHash),
    );
    this.#transactionCount -= BigInt(dropped.length);
  }

  openSlot(slot: bigint): void {
    const parent = this.newestBlock;
    const unixTimestamp = readClock(this.#clock, parent.unixTimestamp, this.#nowMs);
    if (computeEpoch(slot) !== computeEpoch(parent.slot)) this.#epochStartTimestamp = unixTimestamp;
    this.#open = { slot, unixTimestamp, transactions: [] };
  }

  #finalizedSlot(): bigint {
    const slot = this.history.blocks.at(-1 - FINALIZED_DEPTH)?.slot ?? 0n;
    return slot > this.#rootedSlot ? slot : this.#rootedSlot;
  }

  /** The block whose hash is newest at a commitment or slot: the open slot's is its parent's. */
  #hashBlock(at: SlotOrCommitment): Block {
    if (at === 'processed') return this.newestBlock;
    return this.history.blockAt(this.slot(at)) ?? this.newestBlock;
  }
}
