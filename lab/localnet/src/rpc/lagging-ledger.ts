import type { Address, Commitment, Signature } from '@solana/kit';
import type { SlotOrCommitment } from '#ledger/chain.ts';
import type { SimulateOptions } from '#ledger/execution.ts';
import type { Ledger } from '#ledger/ledger.ts';
import type { LedgerEvent, LedgerListener } from '#ledger/ledger-event.ts';
import type { NodeLedger } from './node-ledger.ts';

type SlotEvent = Extract<LedgerEvent, { readonly kind: 'slot' }>;
type Slots = Readonly<Record<Commitment, bigint>>;

/** A slot opened, and what happened until the next one did. */
interface Tick {
  readonly opened: SlotEvent;
  readonly events: LedgerEvent[];
}

/**
 * The chain as a node sees it that is some slots behind. Behind none it is the chain itself. Told to fall behind, it stands still
 * until it is so far behind, then follows at that distance; told to catch up, it tells all at once what it still had to tell.
 *
 * Reads are exact as of the slots it says. It learns at once that a fork was dropped: of that it tells nothing it had not told yet.
 */
export class LaggingLedger implements NodeLedger {
  readonly #ledger: Ledger;
  readonly #listeners = new Set<LedgerListener>();
  readonly #stop: readonly (() => void)[];
  #slotsBehind = 0;
  /** Where it stands; undefined: where the chain does. */
  #slots: Slots | undefined;
  #untold: Tick[] = [];
  #newest: bigint;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
    this.#newest = ledger.slot('processed');
    const stopEvents = ledger.subscribe((event) => this.#hear(event));
    const stopReading = ledger.keepReadable(() => this.slot('finalized'));
    this.#stop = [stopEvents, stopReading];
  }

  /** Falls so many slots behind; 0 catches up. */
  fallBehind(slots: number): void {
    this.#slotsBehind = slots;
    this.#slots ??= slotsOf(this.#ledger);
    this.#tell();
  }

  close(): void {
    for (const stop of this.#stop) stop();
  }

  #hear(event: LedgerEvent): void {
    if (event.kind === 'slot') {
      if (event.parent !== this.#newest) this.#dropAfter(event.parent);
      this.#newest = event.slot;
    }
    const last = this.#untold.at(-1);
    if (this.#slots === undefined) this.#emit(event);
    else if (event.kind === 'slot') this.#untold.push({ opened: event, events: [] });
    else if (last === undefined) this.#emit(event);
    else last.events.push(event);
    this.#tell();
  }

  #tell(): void {
    for (const { opened, events } of this.#untold.splice(0, this.#untold.length - this.#slotsBehind)) {
      this.#slots = { processed: opened.slot, confirmed: opened.parent, finalized: opened.root };
      for (const event of [opened, ...events]) this.#emit(event);
    }
    if (this.#slotsBehind === 0) this.#slots = undefined;
  }

  #dropAfter(parent: bigint): void {
    this.#untold = this.#untold.filter(({ opened }) => opened.slot <= parent);
    if (this.#slots === undefined || this.#slots.processed <= parent) return;
    this.#slots = { ...this.#slots, processed: parent, confirmed: parent };
  }

  #emit(event: LedgerEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  /** The slot a commitment stands for here; left as it is where the chain would say the same. */
  #at(at: SlotOrCommitment): SlotOrCommitment {
    return this.#slots === undefined || typeof at === 'bigint' ? at : this.#slots[at];
  }

  /** Like `#at`, of what only finished blocks have. */
  #hashesAt(at: SlotOrCommitment): SlotOrCommitment {
    return this.#slots !== undefined && at === 'processed' ? this.#slots.confirmed : this.#at(at);
  }

  slot(commitment: Commitment): bigint {
    return this.#slots?.[commitment] ?? this.#ledger.slot(commitment);
  }
  blockHeight(at: SlotOrCommitment) {
    const isOpen = this.#slots !== undefined && at === 'processed';
    return this.#ledger.blockHeight(this.#hashesAt(at)) + (isOpen ? 1n : 0n);
  }
  latestBlockhash(at: SlotOrCommitment) {
    return this.#ledger.latestBlockhash(this.#hashesAt(at));
  }
  isBlockhashValid(blockhash: string, at: SlotOrCommitment) {
    return this.#ledger.isBlockhashValid(blockhash, this.#hashesAt(at));
  }
  account(address: Address, at: SlotOrCommitment = 'processed') {
    return this.#ledger.account(address, this.#at(at));
  }
  accountsAt(at: SlotOrCommitment) {
    return this.#ledger.accountsAt(this.#at(at));
  }
  accountsOwnedBy(owner: Address, at: SlotOrCommitment) {
    return this.#ledger.accountsOwnedBy(owner, this.#at(at));
  }
  accountBefore(address: Address, slot: bigint) {
    return this.#ledger.accountBefore(address, slot);
  }

  get blocks() {
    const blocks = this.#ledger.blocks;
    return this.#slots === undefined ? blocks : blocks.filter(({ slot }) => slot <= this.slot('confirmed'));
  }
  blockAt(slot: bigint) {
    return slot > this.slot('confirmed') ? undefined : this.#ledger.blockAt(slot);
  }
  blocksBetween(after: bigint, upTo: bigint) {
    const newest = this.slot('confirmed');
    return this.#ledger.blocksBetween(after, upTo < newest ? upTo : newest);
  }
  transaction(signature: Signature) {
    const record = this.#ledger.transaction(signature);
    return record === undefined || record.slot > this.slot('processed') ? undefined : record;
  }
  *signaturesOf(address: Address) {
    for (const signature of this.#ledger.signaturesOf(address)) {
      if (this.transaction(signature) !== undefined) yield signature;
    }
  }
  subscribe(listener: LedgerListener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  simulateBundle(wires: readonly Uint8Array[], options: SimulateOptions) {
    return this.#ledger.simulateBundle(wires, { ...options, commitment: this.#at(options.commitment) });
  }
  // What is sent reaches the whole cluster.
  submit(wire: Uint8Array) {
    return this.#ledger.submit(wire);
  }
  submitBundle(wires: readonly Uint8Array[]) {
    return this.#ledger.submitBundle(wires);
  }
  writeAccount(...write: Parameters<Ledger['writeAccount']>) {
    this.#ledger.writeAccount(...write);
  }

  get failure() {
    return this.#ledger.failure;
  }
  get genesisHash() {
    return this.#ledger.genesisHash;
  }
  get performance() {
    return this.#ledger.performance;
  }
  get transactionCount() {
    return this.#ledger.transactionCount;
  }
  minimumBalance(dataLength: number) {
    return this.#ledger.minimumBalance(dataLength);
  }
}

function slotsOf(ledger: Ledger): Slots {
  return {
    processed: ledger.slot('processed'),
    confirmed: ledger.slot('confirmed'),
    finalized: ledger.slot('finalized'),
  };
}
