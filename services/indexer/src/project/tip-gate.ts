import { setTimeout as sleep } from 'node:timers/promises';
import { type Bus, type LogExtent, partitionKey } from '@lending/bus';
import type { Message, Topic } from '@lending/events';
import { type ChainProgressWrite, readOffsets, type Store } from '@lending/store';

export interface TipGateOptions {
  readonly bus: Pick<Bus, 'readExtents'>;
  readonly store: Store;
  readonly group: string;
}

/** Tells how far the tables have come, of how far the topics have. */
export interface TipGate {
  /** What of these messages, and of those before them, the tables have reached; null where that is nothing new. */
  reach(messages: readonly Message<'slot.finalized.v1'>[]): Promise<ChainProgressWrite | null>;
}

/** What a tip speaks of: everything of these up to its slot was published before it. */
const TOLD_TOPICS = [
  'account.updated.v1',
  'order.updated.v1',
  'rebalance.updated.v1',
  'activity.recorded.v1',
  'fork.dropped.v1',
] as const satisfies readonly Topic[];
/** Rows are a moment behind their messages; the tip that waits for them is written with the next one otherwise. */
const MAX_WAIT_MS = 300;
const LOOK_MS = 30;
/** A tip comes every second or so. Of more than an hour's those between are forgotten. */
const MOST_WAITING = 4_000;

interface WaitingTip {
  readonly progress: ChainProgressWrite;
  /** What the topics held when it came: more than what was published before it, never less. */
  readonly extents: readonly LogExtent[];
}

/**
 * Partitions are projected side by side, and one of them may stand still: its reader was killed, and nobody knows yet. A tip that was
 * written at once would date answers by slots whose accounts are not in the tables.
 */
export function createTipGate({ bus, store, group }: TipGateOptions): TipGate {
  let waiting: readonly WaitingTip[] = [];

  /** How many of those that wait are reached, the oldest first. */
  async function countReached(): Promise<number> {
    const newest = waiting.at(-1);
    if (newest === undefined) return 0;
    const offsets = await readOffsets(store, group, newest.extents);
    const isBehind = (extent: LogExtent): boolean =>
      extent.next > extent.oldest && (offsets.get(partitionKey(extent)) ?? 0n) < extent.next;
    const index = waiting.findLastIndex(({ extents }) => !extents.some(isBehind));
    return index + 1;
  }

  return {
    async reach(messages) {
      const progress = tipOf(messages);
      if (progress === null) return null;
      // A log that does not answer is said by whoever reads it; the tip stays where it is.
      const extents = await bus.readExtents(TOLD_TOPICS).catch(() => null);
      if (extents === null) return null;
      waiting = [...waiting.slice(-MOST_WAITING), { progress, extents }];
      const untilMs = performance.now() + MAX_WAIT_MS;
      let reached = await countReached();
      while (reached < waiting.length && performance.now() < untilMs) {
        await sleep(LOOK_MS);
        reached = await countReached();
      }
      const tip = waiting[reached - 1]?.progress ?? null;
      waiting = waiting.slice(reached);
      return tip;
    },
  };
}

/** How far the topics have come by these messages; null of none. */
export function tipOf(messages: readonly Message<'slot.finalized.v1'>[]): ChainProgressWrite | null {
  const [newest] = messages.toSorted((a, b) => Number(b.slot - a.slot));
  if (newest === undefined) return null;
  const roots = messages.map(({ payload }) => BigInt(payload.root));
  const [rootSlot = 0n] = roots.toSorted((a, b) => Number(b - a));
  return { tipSlot: newest.slot, tipTime: newest.time, rootSlot, source: newest.source };
}
