import { createHash } from 'node:crypto';
import {
  appendFileSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { describeError } from '@lending/errors';
import type { Address } from '@solana/kit';
import type { AccountState } from '#engine/engine.ts';
import type { Block } from './block.ts';

/** The chain after one block, whole. */
export interface LedgerSnapshot {
  readonly cluster: string;
  readonly blocks: readonly Block[];
  readonly accounts: readonly (readonly [Address, AccountState])[];
  readonly transactionCount: bigint;
  readonly epochStartTimestamp: bigint;
}

/** What one block changed. */
export interface JournalEntry {
  readonly block: Block;
  readonly writes: readonly (readonly [Address, AccountState | undefined])[];
}

export interface StoredLedger {
  /** Undefined when there is none that can be used. */
  readonly snapshot: LedgerSnapshot | undefined;
  /** Blocks after the snapshot, in order, each on top of the one before it. */
  readonly journal: readonly JournalEntry[];
  /** No slot at or above this one was ever served. 0 when nothing was stored. */
  readonly unservedSlot: bigint;
}

const MAGIC = 'localnet-1\n';
const CHECKSUM_LENGTH = 32;
const HEADER_LENGTH = MAGIC.length + CHECKSUM_LENGTH;

/**
 * A chain's files in its folder: `snapshot-<chain>` (whole state, replaced atomically), `journal-<chain>` (one record per block
 * since), `slot-mark` (the first slot that was never served; written ahead of use).
 *
 * Each chain has files of its own, named after it, so that trying another one leaves this one as it was. They share the mark: no
 * slot of the folder comes twice, whatever chain it was of.
 *
 * A process killed at any moment loses at most the open slot, which nobody saw confirmed. A power cut may lose the journal's
 * tail, because appends are not synced; the slot mark is, so slots never go backwards either way. A damaged snapshot is
 * left out with one line, and the chain then begins at genesis, still above the mark.
 */
export class LedgerFiles {
  readonly #folder: string;
  readonly #cluster: string;
  readonly #snapshot: string;
  readonly #journal: string;
  readonly #report: (line: string) => void;

  constructor(folder: string, cluster: string, report: (line: string) => void) {
    mkdirSync(folder, { recursive: true });
    const chain = createHash('sha256').update(cluster).digest('hex').slice(0, 16);
    this.#folder = folder;
    this.#cluster = cluster;
    this.#snapshot = `snapshot-${chain}`;
    this.#journal = `journal-${chain}`;
    this.#report = report;
  }

  load(): StoredLedger {
    const unservedSlot = this.#loadMark();
    const snapshot = this.#loadSnapshot();
    const journal = snapshot === undefined ? [] : linked(snapshot, this.#loadJournal());
    return { snapshot, journal, unservedSlot };
  }

  /** Replaces the snapshot, then empties the journal: a crash between the two leaves records that `load` skips. */
  writeSnapshot(snapshot: LedgerSnapshot): void {
    this.#replace(this.#snapshot, frame(serialize(snapshot)));
    writeFileSync(this.#path(this.#journal), '');
  }

  /**
   * Adds one block. A record cut short by a full disk is removed again, so that later ones stay readable.
   * @returns how many bytes the journal has now.
   */
  appendJournal(entry: JournalEntry): number {
    const payload = frame(serialize(entry));
    const length = Buffer.alloc(4);
    length.writeUInt32LE(payload.length);
    const path = this.#path(this.#journal);
    const size = existsSync(path) ? statSync(path).size : 0;
    try {
      appendFileSync(path, Buffer.concat([length, payload]));
      return size + length.length + payload.length;
    } catch (error) {
      truncateSync(path, size);
      throw error;
    }
  }

  writeMark(unservedSlot: bigint): void {
    this.#replace('slot-mark', Buffer.from(`${unservedSlot}\n`));
  }

  #loadMark(): bigint {
    const path = this.#path('slot-mark');
    if (!existsSync(path)) return 0n;
    const text = readFileSync(path, 'utf8').trim();
    if (/^\d{1,19}$/.test(text)) return BigInt(text);
    this.#report(`${path} is damaged: slots may repeat`);
    return 0n;
  }

  #loadSnapshot(): LedgerSnapshot | undefined {
    const path = this.#path(this.#snapshot);
    if (!existsSync(path)) return undefined;
    try {
      const snapshot = deserialize(unframe(readFileSync(path))) as LedgerSnapshot;
      if (snapshot.cluster === this.#cluster) return snapshot;
      this.#report(`${path} is of chain "${snapshot.cluster}", not "${this.#cluster}": starting from genesis`);
    } catch (error) {
      this.#report(`${path} cannot be read (${describeError(error)}): starting from genesis`);
    }
    return undefined;
  }

  #loadJournal(): readonly JournalEntry[] {
    const path = this.#path(this.#journal);
    const bytes = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
    const entries: JournalEntry[] = [];
    let offset = 0;
    try {
      while (offset < bytes.length) {
        const length = bytes.readUInt32LE(offset);
        entries.push(deserialize(unframe(bytes.subarray(offset + 4, offset + 4 + length))) as JournalEntry);
        offset += 4 + length;
      }
    } catch (error) {
      this.#report(
        `${path} is damaged after ${entries.length} blocks (${describeError(error)}): later ones are dropped`,
      );
    }
    return entries;
  }

  #replace(name: string, bytes: Uint8Array): void {
    const temporary = this.#path(`${name}.new`);
    writeFileSync(temporary, bytes);
    const file = openSync(temporary, 'r+');
    try {
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, this.#path(name));
  }

  #path(name: string): string {
    return join(this.#folder, name);
  }
}

/** The blocks that go on from the snapshot. The journal may hold those it already has, or, of a fork that was dropped, those it no longer has. */
function linked(snapshot: LedgerSnapshot, entries: readonly JournalEntry[]): readonly JournalEntry[] {
  let newest = snapshot.blocks.at(-1)?.blockhash;
  return entries.filter(({ block }) => {
    if (block.previousBlockhash !== newest) return false;
    newest = block.blockhash;
    return true;
  });
}

function frame(payload: Buffer): Buffer {
  return Buffer.concat([Buffer.from(MAGIC), createHash('sha256').update(payload).digest(), payload]);
}

function unframe(bytes: Buffer): Buffer {
  const payload = bytes.subarray(HEADER_LENGTH);
  if (bytes.length < HEADER_LENGTH || bytes.toString('utf8', 0, MAGIC.length) !== MAGIC)
    throw new Error('wrong header');
  const checksum = createHash('sha256').update(payload).digest();
  if (!checksum.equals(bytes.subarray(MAGIC.length, HEADER_LENGTH))) throw new Error('checksum does not match');
  return payload;
}
