import type { Address, Signature } from '@solana/kit';
import type { Block } from './block.ts';
import { REPEATABLE_BLOCKS } from './chain-parameters.ts';
import type { TransactionRecord } from './transaction-record.ts';

export interface HistoryLimits {
  readonly maxBlocks: number;
  readonly maxTransactions: number;
}

/**
 * Blocks and transactions, newest last, forgetting the oldest beyond its limits as a node prunes its ledger. Transactions of
 * the open block are listed too, so that `processed` reads see them.
 */
export class TransactionHistory {
  readonly #limits: HistoryLimits;
  readonly #bySignature = new Map<Signature, TransactionRecord>();
  /** Signatures an address took part in, oldest first. */
  readonly #byAddress = new Map<Address, Signature[]>();
  #blocks: Block[] = [];
  #blocksBySlot = new Map<bigint, Block>();

  constructor(limits: HistoryLimits) {
    this.#limits = limits;
  }

  get blocks(): readonly Block[] {
    return this.#blocks;
  }

  blockAt(slot: bigint): Block | undefined {
    return this.#blocksBySlot.get(slot);
  }

  /** Blocks after one slot up to another. */
  blocksBetween(after: bigint, upTo: bigint): readonly Block[] {
    const first = this.#blocks.findLastIndex(({ slot }) => slot <= after) + 1;
    const last = this.#blocks.findLastIndex(({ slot }) => slot <= upTo);
    return this.#blocks.slice(first, last + 1);
  }

  transaction(signature: Signature): TransactionRecord | undefined {
    return this.#bySignature.get(signature);
  }

  /** Signatures that mention an address, newest first. */
  *signaturesOf(address: Address): Generator<Signature> {
    const signatures = this.#byAddress.get(address) ?? [];
    for (let index = signatures.length - 1; index >= 0; index -= 1) yield signatures[index] as Signature;
  }

  addTransaction(record: TransactionRecord): void {
    this.#bySignature.set(record.signature, record);
    for (const address of new Set(record.result.accountKeys)) {
      const signatures = this.#byAddress.get(address);
      if (signatures === undefined) this.#byAddress.set(address, [record.signature]);
      else signatures.push(record.signature);
    }
  }

  /** Adds a finished block whose transactions are already here. */
  addBlock(block: Block): void {
    this.#blocks.push(block);
    this.#blocksBySlot.set(block.slot, block);
    this.#prune();
  }

  /** Forgets all blocks after `slot` and these transactions, which are all those after it. */
  dropAfter(slot: bigint, transactions: readonly TransactionRecord[]): void {
    for (const block of this.#blocks) if (block.slot > slot) this.#blocksBySlot.delete(block.slot);
    this.#blocks = this.#blocks.filter((block) => block.slot <= slot);
    for (const { signature, result } of transactions.toReversed()) {
      this.#bySignature.delete(signature);
      for (const address of new Set(result.accountKeys)) {
        const signatures = this.#byAddress.get(address);
        // Newest last on both sides, so what is dropped stands at the end.
        if (signatures?.at(-1) === signature) signatures.pop();
        if (signatures?.length === 0) this.#byAddress.delete(address);
      }
    }
  }

  #prune(): void {
    let dropped = 0;
    let remaining = this.#bySignature.size;
    while (this.#blocks.length - dropped > this.#limits.maxBlocks || this.#isOverfull(remaining, dropped)) {
      const block = this.#blocks[dropped];
      if (block === undefined) break;
      dropped += 1;
      remaining -= block.transactions.length;
      this.#forget(block);
    }
    if (dropped > 0) this.#blocks = this.#blocks.slice(dropped);
  }

  /** Never below the blocks whose hashes transactions may still use, whatever their size. */
  #isOverfull(transactions: number, dropped: number): boolean {
    return transactions > this.#limits.maxTransactions && this.#blocks.length - dropped > REPEATABLE_BLOCKS;
  }

  #forget(block: Block): void {
    this.#blocksBySlot.delete(block.slot);
    for (const { signature, result } of block.transactions) {
      this.#bySignature.delete(signature);
      for (const address of new Set(result.accountKeys)) {
        const signatures = this.#byAddress.get(address);
        // Oldest first on both sides, so what is forgotten stands at the front.
        if (signatures?.[0] === signature) signatures.shift();
        if (signatures?.length === 0) this.#byAddress.delete(address);
      }
    }
  }
}
