import { LendingError } from '@lending/errors';
import type { NewRecord } from './log-record.ts';

interface Waiting {
  readonly records: readonly NewRecord[];
  readonly bytes: number;
  readonly deadline: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Records and bytes of one append at most; a single call above it goes alone, split by nobody, so order holds. */
const MAX_RECORDS = 5_000;
const MAX_BYTES = 768 * 1024;

/**
 * Appends one group of records at a time.
 *
 * One at a time keeps the order of calls, awaited or not; what arrives while an append is under way leaves together in
 * the next one, so many small calls cost few round trips. Calls of a group succeed or fail together.
 */
export class AppendQueue {
  readonly #append: (records: readonly NewRecord[], deadline: number) => Promise<void>;
  readonly #timeoutMs: number;
  readonly #waiting: Waiting[] = [];
  #draining: Promise<void> | null = null;
  #isClosed = false;

  /** `append` is given the time (`Date.now()`) after which it has to give up. */
  constructor(append: (records: readonly NewRecord[], deadline: number) => Promise<void>, timeoutMs: number) {
    this.#append = append;
    this.#timeoutMs = timeoutMs;
  }

  /** Resolves when the records are durable. */
  async add(records: readonly NewRecord[]): Promise<void> {
    if (this.#isClosed) throw new LendingError('BUS__UNAVAILABLE', { message: 'the bus is closed' });
    const parts = splitRecords(records);
    await Promise.all(parts.map((part) => this.#enqueue(part)));
  }

  /** Lets what was added finish, and refuses more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#draining;
  }

  #enqueue(records: readonly NewRecord[]): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.push({ records, bytes: sumBytes(records), deadline: Date.now() + this.#timeoutMs, resolve, reject });
    this.#draining ??= this.#drain().finally(() => {
      this.#draining = null;
    });
    return promise;
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group = this.#takeGroup();
      const deadline = Math.max(...group.map((call) => call.deadline));
      try {
        await this.#append(
          group.flatMap((call) => call.records),
          deadline,
        );
        for (const call of group) call.resolve();
      } catch (error) {
        for (const call of group) call.reject(error);
      }
    }
  }

  #takeGroup(): Waiting[] {
    let records = 0;
    let bytes = 0;
    let calls = 0;
    for (const call of this.#waiting) {
      records += call.records.length;
      bytes += call.bytes;
      if (calls > 0 && (records > MAX_RECORDS || bytes > MAX_BYTES)) break;
      calls += 1;
    }
    return this.#waiting.splice(0, calls);
  }
}

function splitRecords(records: readonly NewRecord[]): NewRecord[][] {
  const parts: NewRecord[][] = [];
  let part: NewRecord[] = [];
  let bytes = 0;
  for (const record of records) {
    const size = recordBytes(record);
    if (part.length > 0 && (part.length >= MAX_RECORDS || bytes + size > MAX_BYTES)) {
      parts.push(part);
      part = [];
      bytes = 0;
    }
    part.push(record);
    bytes += size;
  }
  if (part.length > 0) parts.push(part);
  return parts;
}

function sumBytes(records: readonly NewRecord[]): number {
  return records.reduce((sum, record) => sum + recordBytes(record), 0);
}

function recordBytes(record: NewRecord): number {
  return Buffer.byteLength(record.value) + (record.key?.length ?? 0) + 64;
}
