import type { Address, Commitment } from '@solana/kit';
import type { Block } from '#ledger/block.ts';
import type { Ledger } from '#ledger/ledger.ts';
import type { LedgerEvent } from '#ledger/ledger-event.ts';
import type { TransactionRecord } from '#ledger/transaction-record.ts';
import { type AccountMessage, confirmedBank, type FeedMessage, GONE, type SlotMessage } from './feed-message.ts';
import { SLOT_STATUS } from './subscribe-update.ts';

type Changes = Extract<LedgerEvent, { readonly kind: 'changes' }>;
export type FeedListener = (commitment: Commitment, messages: readonly FeedMessage[]) => void;

interface StoredSlot {
  readonly block: Block;
  readonly messages: readonly FeedMessage[];
  readonly statuses: SlotMessage[];
}

/**
 * What happens on the ledger, as a plugin tells it.
 *
 * At `processed` everything is told as it happens, each write of an account by itself. At `confirmed` and `finalized` a slot is told
 * when it gets there, whole and in order: its transactions, and of each account the last write alone. Then comes its block meta, then,
 * to all commitments, its status. A slot that is never finalized was dropped; nothing else says so.
 * @see yellowstone-grpc-geyser/src/grpc.rs, block_reconstruction_loop
 */
export class LedgerFeed {
  readonly #ledger: Ledger;
  readonly #retainedSlots: number;
  readonly #abandonsBanks: boolean;
  readonly #listeners = new Set<FeedListener>();
  readonly #unsubscribe: () => void;
  /** What happened in slots that are not confirmed yet. */
  readonly #open = new Map<bigint, FeedMessage[]>();
  /** Confirmed slots, oldest first. */
  readonly #stored = new Map<bigint, StoredSlot>();
  /** Above those of any earlier life of this node. */
  #writeVersion = BigInt(Date.now()) << 20n;

  constructor(ledger: Ledger, retainedSlots: number, abandonsBanks: boolean) {
    this.#ledger = ledger;
    this.#retainedSlots = retainedSlots;
    this.#abandonsBanks = abandonsBanks;
    this.#unsubscribe = ledger.subscribe((event) => this.#take(event));
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

  /** The oldest slot that can be told again; undefined before there is any. */
  get firstAvailable(): bigint | undefined {
    return this.#stored.keys().next().value;
  }

  /** Everything of the slots from one on that have reached a commitment, oldest first. */
  replay(fromSlot: bigint, commitment: Commitment): readonly FeedMessage[] {
    const needed = SLOT_STATUS[commitment];
    return [...this.#stored]
      .filter(([slot, { statuses }]) => slot >= fromSlot && statuses.some(({ status }) => status === needed))
      .flatMap(([, { messages, block, statuses }]) => [
        ...messages,
        { kind: 'blockMeta', block } as const,
        ...statuses,
      ]);
  }

  #take(event: LedgerEvent): void {
    if (event.kind === 'slot')
      this.#tellAll({ kind: 'slot', slot: event.slot, parent: event.parent, status: SLOT_STATUS.createdBank });
    else if (event.commitment === 'processed') this.#takeProcessed(event);
    else if (event.commitment === 'confirmed') this.#takeConfirmed(event);
    else this.#takeFinalized(event);
  }

  #takeProcessed({ slot, addresses, transactions }: Changes): void {
    const messages = [
      ...addresses.map((address) => this.#accountMessage(slot, address, transactions)),
      ...transactions.map((record) => ({ kind: 'transaction', record }) as const),
    ];
    const open = this.#open.get(slot);
    if (open === undefined) this.#open.set(slot, messages);
    else open.push(...messages);
    this.#tell('processed', messages);
  }

  #takeConfirmed(changes: Changes): void {
    const stored = this.#store(changes);
    if (stored === undefined) return;
    const { slot, parentSlot: parent } = stored.block;
    // A slot that was dropped while it was open has no block and never comes here.
    for (const openSlot of this.#open.keys()) if (openSlot <= slot) this.#open.delete(openSlot);
    const blockMeta = { kind: 'blockMeta', block: stored.block } as const;
    this.#tellAll({ kind: 'slot', slot, parent, status: SLOT_STATUS.completed });
    this.#tell('processed', [blockMeta]);
    this.#reach(stored, SLOT_STATUS.processed);
    this.#tell('confirmed', [...stored.messages, blockMeta]);
    this.#reach(stored, SLOT_STATUS.confirmed);
  }

  #takeFinalized(changes: Changes): void {
    const stored = this.#stored.get(changes.slot) ?? this.#store(changes);
    if (stored === undefined) return;
    this.#tell('finalized', [...stored.messages, { kind: 'blockMeta', block: stored.block }]);
    this.#reach(stored, SLOT_STATUS.finalized);
    for (const slot of this.#stored.keys()) {
      if (this.#stored.size <= this.#retainedSlots || slot > changes.slot) return;
      this.#stored.delete(slot);
    }
  }

  #reach(stored: StoredSlot, status: SlotMessage['status']): void {
    const { slot, parentSlot: parent } = stored.block;
    const message = { kind: 'slot', slot, parent, status } as const;
    stored.statuses.push(message);
    this.#tellAll(message);
  }

  /** Seals a slot. Of what this feed was not there to hear, the ledger knows how it ended. */
  #store({ slot, addresses, transactions }: Changes): StoredSlot | undefined {
    const block = this.#ledger.blockAt(slot);
    if (block === undefined) return undefined;
    const heard = lastWrites(this.#open.get(slot) ?? []);
    const known = new Set(heard.map(keyOf));
    const unheard: readonly FeedMessage[] = [
      ...addresses.map((address) => this.#accountMessage(slot, address, [], slot + 1n)),
      ...transactions.map((record) => ({ kind: 'transaction', record }) as const),
    ].filter((message) => !known.has(keyOf(message)));
    const messages = [...unheard, ...heard];
    const stored = { block, messages: [...messages, ...this.#abandoned(messages)], statuses: [] };
    this.#stored.set(slot, stored);
    return stored;
  }

  /** Writes of a bank of the slot that was abandoned for the confirmed one: to the same accounts, with other bytes, and sent late. */
  #abandoned(messages: readonly FeedMessage[]): readonly FeedMessage[] {
    if (!this.#abandonsBanks) return [];
    return messages.flatMap((message) => {
      if (message.kind !== 'account') return [];
      this.#writeVersion += 1n;
      const { bank, state } = message;
      const data = state.data.map((byte, at) => (at === state.data.length - 1 ? byte ^ 1 : byte));
      return [{ ...message, bank: bank - 1n, state: { ...state, data }, writeVersion: this.#writeVersion }];
    });
  }

  #accountMessage(
    slot: bigint,
    address: Address,
    transactions: readonly TransactionRecord[],
    before?: bigint,
  ): AccountMessage {
    this.#writeVersion += 1n;
    const state = before === undefined ? this.#ledger.account(address) : this.#ledger.accountBefore(address, before);
    const signature = transactions[0]?.signature ?? null;
    const [bank, writeVersion] = [confirmedBank(slot), this.#writeVersion];
    return { kind: 'account', slot, address, state: state ?? GONE, bank, writeVersion, signature };
  }

  #tellAll(message: SlotMessage): void {
    for (const commitment of ['processed', 'confirmed', 'finalized'] as const) this.#tell(commitment, [message]);
  }

  #tell(commitment: Commitment, messages: readonly FeedMessage[]): void {
    for (const listener of this.#listeners) listener(commitment, messages);
  }
}

/** The messages without the writes of an account that a later one of the same slot replaced. */
function lastWrites(messages: readonly FeedMessage[]): readonly FeedMessage[] {
  const last = new Map(messages.map((message) => [keyOf(message), message]));
  return messages.filter((message) => last.get(keyOf(message)) === message);
}

function keyOf(message: FeedMessage): string {
  switch (message.kind) {
    case 'account':
      return message.address;
    case 'transaction':
      return message.record.signature;
    case 'slot':
    case 'blockMeta':
      return message.kind;
    default:
      return message satisfies never;
  }
}
