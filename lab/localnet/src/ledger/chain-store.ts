import type { Address } from '@solana/kit';
import type { AccountState } from '#engine/engine.ts';
import type { Block } from './block.ts';
import type { LedgerFiles, LedgerSnapshot } from './ledger-files.ts';
import { SLOT_SYSVARS } from './sysvars.ts';

/** Slots reserved ahead in the slot mark. After a kill the chain jumps over what is left of them: skipped slots. */
const RESERVED_SLOTS = 256n;
const SNAPSHOT_EVERY_BLOCKS = 1000;
/** Blocks full of transactions are long: a start reads the whole journal, and should not take half a minute for it. */
const SNAPSHOT_EVERY_BYTES = 128 * 1024 * 1024;

/** When the chain is written to its folder. On a chain without a folder every call does nothing. */
export class ChainStore {
  readonly #files: LedgerFiles | undefined;
  #unservedSlot: bigint;
  #blocksSinceSnapshot = 0;
  #journalBytes = 0;

  constructor(files: LedgerFiles | undefined, unservedSlot: bigint) {
    this.#files = files;
    this.#unservedSlot = unservedSlot;
  }

  /** Puts the slot mark beyond `slot`. To be called before anyone is told of the slot. */
  reserve(slot: bigint): void {
    if (this.#files === undefined || slot < this.#unservedSlot - 1n) return;
    this.#files.writeMark(slot + RESERVED_SLOTS);
    this.#unservedSlot = slot + RESERVED_SLOTS;
  }

  /** Writes a finished block and what it changed. To be called before anyone is told that the block is confirmed. */
  append(block: Block, writes: readonly (readonly [Address, AccountState | undefined])[]): void {
    if (this.#files === undefined) return;
    this.reserve(block.slot + 1n);
    this.#journalBytes = this.#files.appendJournal({
      block,
      writes: writes.filter(([address]) => !SLOT_SYSVARS.has(address)),
    });
    this.#blocksSinceSnapshot += 1;
  }

  /** Whether the journal has grown long enough. */
  get isSnapshotDue(): boolean {
    return this.#blocksSinceSnapshot >= SNAPSHOT_EVERY_BLOCKS || this.#journalBytes >= SNAPSHOT_EVERY_BYTES;
  }

  writeSnapshot(take: () => LedgerSnapshot): void {
    // Reset first: after a failure the journal only grows longer, and the next attempt comes at the next due time.
    this.#blocksSinceSnapshot = 0;
    this.#journalBytes = 0;
    this.#files?.writeSnapshot(take());
  }

  /** Gives back the reservation, so that the next start continues right after `slot`. */
  release(slot: bigint): void {
    this.#files?.writeMark(slot + 1n);
  }
}
