import { LendingError } from '@lending/errors';
import type { NewRecord } from './log-record.ts';
import { STOP_PATIENCE_MS } from './stop-patience.ts';

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

/** What an append may need past its deadline to say why it failed; after that its callers are told without it. */
const GRACE_MS = 1_000;
/** What is added at the very end of a stop is tried, too. */
const LEAST_PATIENCE_MS = 300;

/**
 * Appends one group of records at a time.
 *
 * One at a time keeps the order of calls, awaited or not; what arrives while an append is under way leaves together in
 * the next one, so many small calls cost few round trips. Calls of a group succeed or fail together. A caller is not kept
 * waiting past its deadline, nor long once the process stops; but the next append waits for the last to end: what hangs must not
 * land after what follows it.
 */
export class AppendQueue {
  readonly #append: (records: readonly NewRecord[], deadline: number) => Promise<void>;
  readonly #timeoutMs: number;
  /** When the process stops, `Date.now()` until which somebody waits. */
  #stopBy: number | null = null;
  readonly #waiting: Waiting[] = [];
  /** Those whose callers do not know yet what came of them. */
  readonly #pending = new Map<Waiting, Promise<void>>();
  #draining: Promise<void> | null = null;
  #isClosed = false;

  /** `append` is given the time (`Date.now()`) after which it has to give up. */
  constructor(
    append: (records: readonly NewRecord[], deadline: number) => Promise<void>,
    timeoutMs: number,
    stopping?: AbortSignal,
  ) {
    this.#append = append;
    this.#timeoutMs = timeoutMs;
    if (stopping?.aborted) this.#hurry();
    else stopping?.addEventListener('abort', () => this.#hurry(), { once: true });
  }

  /** Resolves when the records are durable. */
  async add(records: readonly NewRecord[]): Promise<void> {
    if (this.#isClosed) throw new LendingError('BUS__UNAVAILABLE', { message: 'the bus is closed' });
    const parts = splitRecords(records);
    await Promise.all(parts.map((part) => this.#enqueue(part)));
  }

  /** Refuses more, and resolves when all callers know what came of what they added. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#pending.values());
  }

  /** Who waits already, and who comes from now on, is told by the same time. */
  #hurry(): void {
    this.#stopBy = Date.now() + STOP_PATIENCE_MS;
    const calls = [...this.#pending.keys()];
    setTimeout(() => {
      for (const call of calls) this.#giveUp(call);
    }, STOP_PATIENCE_MS).unref();
  }

  /** How long is tried from now on, and how long a caller waits for what came of it. */
  #patience(): { readonly tryMs: number; readonly waitMs: number } {
    if (this.#stopBy === null) return { tryMs: this.#timeoutMs, waitMs: this.#timeoutMs + GRACE_MS };
    const leftMs = Math.max(LEAST_PATIENCE_MS, this.#stopBy - Date.now());
    const tryMs = Math.min(this.#timeoutMs, leftMs);
    return { tryMs, waitMs: tryMs };
  }

  #enqueue(records: readonly NewRecord[]): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const { tryMs, waitMs } = this.#patience();
    const deadline = Date.now() + tryMs;
    const call: Waiting = { records, bytes: sumBytes(records), deadline, resolve, reject };
    this.#waiting.push(call);
    const timer = setTimeout(() => this.#giveUp(call), waitMs);
    const told = promise.finally(() => {
      clearTimeout(timer);
      this.#pending.delete(call);
    });
    this.#pending.set(call, told);
    this.#draining ??= this.#drain();
    return told;
  }

  #giveUp(call: Waiting): void {
    const at = this.#waiting.indexOf(call);
    if (at >= 0) this.#waiting.splice(at, 1);
    const message = `the log did not take ${call.records.length} records in time`;
    call.reject(new LendingError('BUS__PUBLISH_TIMED_OUT', { message }));
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
    // In the same step that saw nothing waiting: whoever comes next starts another drain.
    this.#draining = null;
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
