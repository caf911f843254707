import { SYSTEM_PROGRAM } from '@lending/programs';
import type { Address } from '@solana/kit';
import type { AccountState } from '#engine/engine.ts';
import type { Block } from '#ledger/block.ts';
import type { Ledger } from '#ledger/ledger.ts';
import type { LedgerEvent } from '#ledger/ledger-event.ts';
import type { TransactionRecord } from '#ledger/transaction-record.ts';

type Changes = Extract<LedgerEvent, { readonly kind: 'changes' }>;

export interface AccountWrite {
  readonly address: Address;
  readonly state: AccountState;
  /** Rises with every write of any account. */
  readonly writeVersion: bigint;
}

/** A slot that is confirmed: of each account the last write alone, and its transactions. */
export interface ConfirmedSlot {
  readonly block: Block;
  readonly writes: readonly AccountWrite[];
  readonly transactions: readonly TransactionRecord[];
}

/** A slot got to a commitment. */
export interface FeedMessage {
  readonly reached: 'confirmed' | 'finalized';
  readonly slot: ConfirmedSlot;
}

export type FeedListener = (message: FeedMessage) => void;

/**
 * What the runtime stores of an account without lamports, and so what a plugin receives: it belongs to its program no longer, and no
 * filter by owner finds it.
 */
const GONE: AccountState = { lamports: 0n, owner: SYSTEM_PROGRAM, data: new Uint8Array(), executable: false };

/** What happens on the ledger, as a plugin sends it at `confirmed`. A slot that is never finalized was dropped; nothing else says so. */
export class LedgerFeed {
  readonly #ledger: Ledger;
  readonly #retainedSlots: number;
  readonly #listeners = new Set<FeedListener>();
  readonly #unsubscribe: () => void;
  /** What was sent, oldest slot first. */
  readonly #sent = new Map<bigint, FeedMessage[]>();
  /** Above those of any earlier life of this node. */
  #writeVersion = BigInt(Date.now()) << 20n;

  constructor(ledger: Ledger, retainedSlots: number) {
    this.#ledger = ledger;
    this.#retainedSlots = retainedSlots;
    this.#unsubscribe = ledger.subscribe((event) => {
      if (event.kind === 'changes' && event.commitment !== 'processed') this.#take(event, event.commitment);
    });
  }

  close(): void {
    this.#unsubscribe();
    this.#listeners.clear();
  }

  /** Returns how to stop. */
  subscribe(listener: FeedListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The oldest slot that can be sent again; undefined before there is any. */
  get firstAvailable(): bigint | undefined {
    return this.#sent.keys().next().value;
  }

  /** Everything that was sent of the slots from one on, oldest first. */
  replay(fromSlot: bigint): readonly FeedMessage[] {
    return [...this.#sent].flatMap(([slot, messages]) => (slot >= fromSlot ? messages : []));
  }

  #take(changes: Changes, reached: FeedMessage['reached']): void {
    const earlier = this.#sent.get(changes.slot) ?? [];
    const slot = earlier[0]?.slot ?? this.#read(changes);
    if (slot === undefined) return;
    const message = { reached, slot };
    this.#sent.set(changes.slot, [...earlier, message]);
    for (const listener of this.#listeners) listener(message);
    if (reached === 'confirmed') return;
    for (const old of this.#sent.keys()) {
      if (this.#sent.size <= this.#retainedSlots || old > changes.slot) return;
      this.#sent.delete(old);
    }
  }

  #read({ slot, addresses, transactions }: Changes): ConfirmedSlot | undefined {
    const block = this.#ledger.blockAt(slot);
    if (block === undefined) return undefined;
    const writes = addresses.map((address) => {
      this.#writeVersion += 1n;
      const state = this.#ledger.accountBefore(address, slot + 1n) ?? GONE;
      return { address, state, writeVersion: this.#writeVersion };
    });
    return { block, writes, transactions };
  }
}
