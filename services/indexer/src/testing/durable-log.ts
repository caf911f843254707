import type { Bus } from '@lending/bus';
import { LendingError } from '@lending/errors';
import type { Message, Topic } from '@lending/events';
import type { Address, Slot } from '@solana/kit';
import type { SegmentProgress } from '#publish/index-progressed.ts';
import type { ActivityMemory } from '#watch/activity/activity-indexing.ts';

/** A log that outlives those who publish to it, and what its tables would hold. */
export interface DurableLog {
  readonly messages: Message[];
  isDown: boolean;
  /** Of a call that fails, a part is in the log all the same. Called for each call. */
  onPublish: () => Promise<{ readonly failsAfter: number } | null>;
  /** What one process publishes with; nothing gets through any more once it is killed. */
  connect(): { readonly bus: Pick<Bus, 'publish'>; kill(): void };
  /** What the tables know when they are so many messages behind. */
  memory(behind: () => number): ActivityMemory;
}

export function createDurableLog(): DurableLog {
  const log: DurableLog = {
    messages: [],
    isDown: false,
    onPublish: async () => null,
    connect() {
      let isKilled = false;
      let turn: Promise<void> = Promise.resolve();
      const append = async (messages: readonly Message[]): Promise<void> => {
        const failure = await log.onPublish();
        if (isKilled) return new Promise(() => undefined);
        if (log.isDown) throw new LendingError('BUS__UNAVAILABLE');
        log.messages.push(...messages.slice(0, failure?.failsAfter));
        if (failure !== null) throw new LendingError('BUS__PUBLISH_TIMED_OUT');
      };
      return {
        bus: {
          publish(messages) {
            const mine = turn.then(() => append(messages));
            turn = mine.catch(() => undefined);
            return mine;
          },
        },
        kill: () => {
          isKilled = true;
        },
      };
    },
    memory: (behind) => ({
      listUnfinished: async () => unfinishedOf(prefix(log.messages, behind())),
      readProgress: async () => progressOf(prefix(log.messages, behind())),
      listUnfinalSlots: async () => projectActivity(prefix(log.messages, behind())).unfinal,
    }),
  };
  return log;
}

function prefix(messages: readonly Message[], behind: number): readonly Message[] {
  return messages.slice(0, Math.max(0, messages.length - behind));
}

function of<T extends Topic>(messages: readonly Message[], topic: T): readonly Message<T>[] {
  return messages.filter((message): message is Message<T> => message.type === topic);
}

export function unfinishedOf(messages: readonly Message[]): readonly SegmentProgress[] {
  const tasks = new Map<string, Message<'index.progressed.v1'>>();
  for (const message of of(messages, 'index.progressed.v1')) {
    const known = tasks.get(message.payload.task);
    const isOlder =
      known !== undefined &&
      (message.slot < known.slot ||
        (message.slot === known.slot &&
          (Number(message.payload.isComplete) < Number(known.payload.isComplete) ||
            (message.payload.isComplete === known.payload.isComplete && message.payload.done < known.payload.done))));
    if (!isOlder) tasks.set(message.payload.task, message);
  }
  return [...tasks.values()]
    .filter(({ payload }) => !payload.isComplete)
    .map(({ payload: { task, address, fromSlot, untilSlot, cursor, done, isComplete } }) => ({
      task,
      address: address as Address,
      fromSlot: BigInt(fromSlot),
      untilSlot: BigInt(untilSlot),
      cursor: cursor && { signature: cursor.signature, slot: BigInt(cursor.slot) },
      done,
      isComplete,
    }));
}

export function progressOf(messages: readonly Message[]): { readonly tipSlot: Slot; readonly rootSlot: Slot } | null {
  let progress: { tipSlot: Slot; rootSlot: Slot } | null = null;
  for (const { slot, payload } of of(messages, 'slot.finalized.v1')) {
    const root = BigInt(payload.root);
    progress = {
      tipSlot: progress === null || slot > progress.tipSlot ? slot : progress.tipSlot,
      rootSlot: progress === null || root > progress.rootSlot ? root : progress.rootSlot,
    };
  }
  return progress;
}

/** What the tables hold in the end: a row for each activity and slot, but those of dropped slots; and the slots nobody judged yet. */
export function projectActivity(messages: readonly Message[]): {
  readonly rows: ReadonlySet<string>;
  readonly unfinal: readonly Slot[];
} {
  const dropped = new Set(of(messages, 'fork.dropped.v1').flatMap(({ payload }) => payload.slots));
  const final = new Set(of(messages, 'slot.finalized.v1').flatMap(({ payload }) => payload.slots));
  const recorded = of(messages, 'activity.recorded.v1').filter(({ slot }) => !dropped.has(slot.toString()));
  const finalRows = new Set(recorded.filter(({ payload }) => payload.finality === 'finalized').map(({ id }) => id));
  const unfinal = recorded.filter(({ id, slot }) => !final.has(slot.toString()) && !finalRows.has(id));
  return {
    rows: new Set(recorded.map(({ payload, slot }) => `${payload.signature}@${slot}`)),
    unfinal: [...new Set(unfinal.map(({ slot }) => slot))],
  };
}
