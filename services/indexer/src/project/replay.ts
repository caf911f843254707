import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Batch, type LogExtent, partitionKey } from '@lending/bus';
import {
  addReplayedRows,
  beginReplayedRows,
  forgetFinalSlots,
  lockProjection,
  readOffsets,
  removeReplayedRows,
  resetOffsets,
  type Transaction,
} from '@lending/store';
import { PROJECTED_TOPICS, PROJECTION_GROUP, type ProjectorOptions, runProjector } from './projector.ts';
import { replayedRowsOf } from './replayed-rows-of.ts';
import { rollUpAll } from './roll-up.ts';

/** How often it is looked how far reading and projecting have come. */
const LOOK_MS = 250;
const BATCH_SIZE = 3_000;

export interface ReplayOptions extends ProjectorOptions {
  /** Tells a person what is going on while it takes time. */
  readonly say: (line: string) => void;
}

/**
 * Rebuilds what the retained messages wrote: takes their rows away, moves the projection back to the oldest message, and projects up to
 * the newest. Rows of messages that are not retained any more stay, and so does everything that no message writes: callers, tokens,
 * conversations, plans, and who asked to follow what.
 *
 * Taking away and moving back are one transaction. Before it nothing happened; after it whoever projects, this or the next start of
 * an indexer, ends with the same rows. On Kafka indexers may run meanwhile: this one joins them, and all look anew where they stand.
 *
 * The store's statements and transactions have to be allowed to take as long as reading all of the topics.
 * @throws the signal's reason when it aborts.
 */
export async function replay(options: ReplayOptions, signal: AbortSignal): Promise<void> {
  const { bus, store, logger, say } = options;
  const extents = await bus.readExtents(PROJECTED_TOPICS);
  const offsets = await readOffsets(store, PROJECTION_GROUP, extents);
  // What is beyond was not projected yet, and has no rows.
  const projected = extents.flatMap((extent): LogExtent[] => {
    const offset = offsets.get(partitionKey(extent));
    if (offset === undefined) return [];
    return [offset < extent.next ? { ...extent, next: offset } : extent];
  });
  say('Reading what the topics retain …');
  const count = await store.db.transaction().execute(async (transaction) => {
    await beginReplayedRows(transaction);
    const messages = await listRows(options, transaction, projected, signal);
    say(`Taking away what ${messages} messages wrote …`);
    await lockProjection(transaction);
    await removeReplayedRows(transaction);
    await moveBack(transaction, extents);
    signal.throwIfAborted();
    return messages;
  });
  logger.info('project.replay.begin', { messages: count });
  say('Projecting them again …');
  await projectUntil(options, extents, signal);
  await rollUpAll(options, signal);
  await forgetFinalSlots(store.db);
  signal.throwIfAborted();
  logger.info('project.replay.end', { messages: count });
  say(`Done: ${count} messages.`);
}

/** Wherever anything was projected by now, also what came meanwhile: its rows may be on the list, too. */
async function moveBack(transaction: Transaction, extents: readonly LogExtent[]): Promise<void> {
  const offsets = await readOffsets({ db: transaction }, PROJECTION_GROUP, extents);
  const places = extents
    .filter((extent) => offsets.has(partitionKey(extent)))
    .map(({ topic, partition, oldest }) => ({ topic, partition, nextOffset: oldest }));
  await resetOffsets(transaction, PROJECTION_GROUP, places);
}

/** Reads each partition up to its `next`, as a group of its own, and lists which rows the messages wrote. Returns how many there were. */
async function listRows(
  { bus }: ReplayOptions,
  transaction: Transaction,
  extents: readonly LogExtent[],
  signal: AbortSignal,
): Promise<number> {
  const positions = new Map(extents.map((extent) => [partitionKey(extent), extent.oldest]));
  const isLeft = (extent: LogExtent): boolean => (positions.get(partitionKey(extent)) ?? 0n) < extent.next;
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined);
  let count = 0;
  let isOver = false;
  let writing: Promise<unknown> = Promise.resolve();

  async function handle(batch: Batch): Promise<void> {
    // One connection: batches of several partitions take turns.
    const written = writing.then(async () => {
      if (isOver) return;
      await addReplayedRows(
        transaction,
        batch.messages.flatMap(({ message }) => replayedRowsOf(message)),
      );
      count += batch.messages.length;
      positions.set(partitionKey(batch), batch.nextOffset);
    });
    writing = written.catch(failed.reject);
    await written;
  }

  if (!extents.some(isLeft)) return 0;
  const consumer = await bus.consume({
    group: `replay-${randomUUID()}`,
    topics: [...new Set(extents.map(({ topic }) => topic))],
    startFrom: async () => positions,
    handle,
    maxBatchSize: BATCH_SIZE,
    skipMalformed: true,
  });
  try {
    while (extents.some(isLeft)) {
      await Promise.race([sleep(LOOK_MS, undefined, { signal }), failed.promise]);
      skipExpired(positions, await bus.readExtents(PROJECTED_TOPICS));
    }
  } finally {
    isOver = true;
    await writing;
    await consumer.stop();
  }
  return count;
}

/** What is removed from the log before it was read does not come any more. */
function skipExpired(positions: Map<string, bigint>, extents: readonly LogExtent[]): void {
  for (const extent of extents) {
    const position = positions.get(partitionKey(extent));
    if (position !== undefined && position < extent.oldest) positions.set(partitionKey(extent), extent.oldest);
  }
}

/** Projects until everything that these extents held is in the tables. */
async function projectUntil(options: ReplayOptions, extents: readonly LogExtent[], signal: AbortSignal): Promise<void> {
  const { bus, store } = options;
  const stopping = new AbortController();
  const running = runProjector({ ...options, tipsAtOnce: true }, AbortSignal.any([signal, stopping.signal]));
  const ended = running.then(() => signal.throwIfAborted());
  try {
    for (let left = extents; left.length > 0; ) {
      await Promise.race([sleep(LOOK_MS), ended]);
      signal.throwIfAborted();
      const positions = new Map(left.map((extent) => [partitionKey(extent), 0n]));
      for (const [key, offset] of await readOffsets(store, PROJECTION_GROUP, left)) positions.set(key, offset);
      skipExpired(positions, await bus.readExtents(PROJECTED_TOPICS));
      left = left.filter((extent) => (positions.get(partitionKey(extent)) ?? 0n) < extent.next);
    }
  } finally {
    stopping.abort();
    await running;
  }
}
