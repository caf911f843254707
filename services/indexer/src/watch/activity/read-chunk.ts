import type { Chain, SignatureEntry, TransactionRecord } from '@lending/chain';
import type { Message } from '@lending/events';
import { inSpan } from '@lending/tracing';
import type { Address, Slot } from '@solana/kit';
import { isUnreadable } from '#watch/is-unreadable.ts';
import type { Places } from '#watch/places.ts';
import type { ReadBudget } from '#watch/read-budget.ts';
import type { ActivityRecorder } from './activity-recorder.ts';
import type { RejectTransaction } from './reject-transaction.ts';
import type { SeenTransactions } from './seen-transactions.ts';
import { forgetPage, type Segment } from './segment.ts';
import type { UnfinalSlots } from './unfinal-slots.ts';

export interface ChunkReaderOptions {
  readonly chain: Pick<Chain, 'fetchSignatures' | 'fetchTransaction'>;
  readonly recorder: ActivityRecorder;
  readonly seen: SeenTransactions;
  readonly unfinal: Pick<UnfinalSlots, 'note'>;
  readonly budget: ReadBudget;
  /** Shared by all segments. */
  readonly places: Places;
  /** Resolves when the messages are durable. */
  readonly publish: (messages: readonly Message[]) => Promise<void>;
  readonly onTouched: (accounts: readonly Address[], slot: Slot) => void;
  /** Told of a transaction that is there and cannot be read. */
  readonly reject: RejectTransaction;
  /** Transactions in one turn at most, and in a first turn that somebody waits for. */
  readonly chunkSize: number;
  readonly urgentSize: number;
}

/**
 * `read`     something was read, and is durable; the segment stands below it.
 * `end`      nothing is left to read.
 * `missing`  the node lists a transaction that it does not have, or not when it was made: ask again.
 * `unknown`  the node does not know where the segment stands.
 */
export type ChunkOutcome = 'read' | 'end' | 'missing' | 'unknown';

interface ReadEntry {
  readonly entry: SignatureEntry;
  readonly record: TransactionRecord | null;
  readonly messages: readonly Message[];
  readonly accounts: readonly Address[];
  readonly isWhole: boolean;
}

const NOTHING = { record: null, messages: [], accounts: [], isWhole: false } as const;

/** Reads the next transactions of a segment; when it resolves, what it moved past is durable in the topics. */
export function readChunk(segment: Segment, options: ChunkReaderOptions, signal: AbortSignal): Promise<ChunkOutcome> {
  return inSpan('lending.indexer', { name: 'read past activity' }, () => read(segment, options, signal));
}

async function read(segment: Segment, options: ChunkReaderOptions, signal: AbortSignal): Promise<ChunkOutcome> {
  const { seen, unfinal, publish, onTouched } = options;
  const size = segment.isUrgent ? options.urgentSize : options.chunkSize;
  if (segment.page.length === 0) {
    if (segment.isLastPage) return 'end';
    if (!(await list(segment, options, signal))) return 'unknown';
    if (segment.page.length === 0) return segment.isLastPage ? 'end' : 'read';
  }
  const entries = segment.page.slice(0, size);
  const answers = await Promise.all(entries.map((entry) => readEntry(entry, segment, options, signal)));
  const missing = answers.indexOf(null);
  const known = (missing < 0 ? answers : answers.slice(0, missing)) as readonly ReadEntry[];
  if (known.length === 0) {
    forgetPage(segment);
    return 'missing';
  }
  // Oldest first, so that what happened to an account stands in its order inside a chunk.
  await publish(known.toReversed().flatMap(({ messages }) => messages));
  for (const { entry, record, accounts, isWhole } of known) {
    if (entry.finality === 'confirmed') unfinal.note(entry.slot, false);
    if (record === null) continue;
    if (isWhole) seen.add(entry.signature, record.slot);
    onTouched(accounts, record.slot);
  }
  moveBelow(segment, known.length);
  if (missing >= 0) forgetPage(segment);
  return 'read';
}

/** @returns false when the node does not know where to begin. */
async function list(segment: Segment, options: ChunkReaderOptions, signal: AbortSignal): Promise<boolean> {
  const { address, before, untilSlot, minContextSlot, isUrgent, sinceTime } = segment;
  await take(segment, options.budget, signal);
  const page = await options.chain.fetchSignatures(address, {
    signal,
    untilSlot,
    ...(before === null ? { minContextSlot } : { before: before.signature }),
    ...(isUrgent && { limit: options.urgentSize }),
  });
  if (page.kind === 'unknown') return false;
  const tooOld = page.signatures.findIndex(
    ({ unixTimestamp }) => sinceTime !== null && unixTimestamp !== null && unixTimestamp < sinceTime,
  );
  segment.page = tooOld < 0 ? page.signatures : page.signatures.slice(0, tooOld);
  segment.isLastPage = page.next === null || tooOld >= 0;
  return true;
}

/** Null: to be asked again. */
async function readEntry(
  entry: SignatureEntry,
  segment: Segment,
  { chain, recorder, seen, budget, places, reject }: ChunkReaderOptions,
  signal: AbortSignal,
): Promise<ReadEntry | null> {
  const { signature, slot, isFailed } = entry;
  if (isFailed || seen.has(signature, slot)) return { entry, ...NOTHING };
  return places.run(async () => {
    await take(segment, budget, signal);
    const record = await chain.fetchTransaction(signature, { signal }).catch((error) => {
      if (!isUnreadable(error)) throw error;
      reject(signature, error);
      return 'unreadable' as const;
    });
    if (record === 'unreadable') return { entry, ...NOTHING };
    if (record === null) return null;
    const isFinal = entry.finality === 'finalized' && record.slot === slot;
    const recorded = await recorder(
      { ...record, unixTimestamp: record.unixTimestamp ?? entry.unixTimestamp },
      { isFinal, address: segment.address },
    );
    return recorded === null ? null : { entry, record, ...recorded };
  });
}

async function take(segment: Segment, budget: ReadBudget, signal: AbortSignal): Promise<void> {
  if (segment.isUrgent) budget.spend(1);
  else await budget.take(signal);
}

function moveBelow(segment: Segment, count: number): void {
  const read = segment.page.slice(0, count);
  const last = read.at(-1);
  if (last === undefined) return;
  segment.before = { signature: last.signature, slot: last.slot };
  if (last.finality === 'finalized') segment.cursor = segment.before;
  segment.page = segment.page.slice(count);
  segment.done += count;
}
