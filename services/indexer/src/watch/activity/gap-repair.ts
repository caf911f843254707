import { setTimeout as sleep } from 'node:timers/promises';
import { smallerOf } from '@lending/domain';
import type { Address, Slot } from '@solana/kit';
import type { PastActivity } from './past-activity.ts';
import type { Segment } from './segment.ts';
import { forkFloor } from './unfinal-slots.ts';

/** How far everything was published that an earlier process was told; null when there was none. */
export interface EarlierProgress {
  readonly tipSlot: Slot;
  readonly rootSlot: Slot;
}

export interface GapRepairOptions {
  readonly past: Pick<PastActivity, 'open' | 'publish' | 'recalled'>;
  readonly program: Address;
  readonly readProgress: () => Promise<EarlierProgress | null>;
  /** What is read of the past where nothing was ever read, down to a slot, or a time before it; null: nothing. */
  readonly firstPast: (toSlot: Slot) => Promise<{ readonly untilSlot: Slot; readonly sinceTime?: bigint } | null>;
  /** The newest root that was told; 0 before the first. */
  readonly root: () => Slot;
  readonly holdMs?: number;
}

/** Has the past read where the stream may have missed something. */
export interface GapRepair {
  /**
   * Resolves when a restart would know of the gap, of the program or of one address alone. Null: nobody knows what was told before.
   */
  repair(fromSlot: Slot | null, toSlot: Slot, address?: Address): Promise<void>;
  /** Above this slot a gap is being read that a restart would know of only because of this; null: none is. */
  held(): Slot | null;
  /** How far down that gap is read: a restart must not take what is above for read. Null: none is. */
  heldRoot(): Slot | null;
}

interface HeldGap {
  readonly fromSlot: Slot;
  readonly untilSlot: Slot;
}

/** Longer gaps take their time: the tip does not wait for them. */
const MAX_HELD_SLOTS = 200n;
const HOLD_MS = 3_000;

/**
 * A gap becomes a segment of the past, and that is durable before the stream goes on, in one of two ways. A short one, as polling has
 * with every beat, is read at once and without a word, while the tip stays below it: a restart reads everything above the tip anyway.
 * A long one is published, and so is a short one that takes too long; then the tip goes on.
 *
 * It is read down to the root, not only to where the gap begins: the fork on which things were told may have been left during the gap,
 * for one that has transactions in slots before it. What is seen already is not read twice. Meanwhile the root that is told stays there.
 *
 * The first gap goes down to where an earlier process had published everything and everything was final: its root, or its tip where
 * that stood lower. What it had published above that may have been dropped since; the tables' unfinal slots tell.
 */
export function createGapRepair(options: GapRepairOptions, signal: AbortSignal): GapRepair {
  const { past, program, readProgress, firstPast, root, holdMs = HOLD_MS } = options;
  const held = new Set<HeldGap>();

  async function hold(segment: Segment, gap: HeldGap): Promise<void> {
    const inTime = await Promise.race([
      segment.completed.promise.then(() => true),
      sleep(holdMs, false, { signal }).catch(() => false),
    ]);
    if (!inTime) await past.publish(segment);
    held.delete(gap);
  }

  async function openFirst(toSlot: Slot): Promise<void> {
    const progress = await readProgress();
    if (progress === null) {
      const floor = await firstPast(toSlot);
      if (floor !== null) await past.open({ address: program, fromSlot: toSlot, ...floor });
      return;
    }
    const untilSlot = forkFloor(progress.tipSlot, progress.rootSlot);
    await past.open({ address: program, fromSlot: toSlot, untilSlot });
  }

  return {
    async repair(fromSlot, toSlot, address = program) {
      await past.recalled;
      if (fromSlot === null) return openFirst(toSlot);
      if (fromSlot >= toSlot) return;
      const range = { address, fromSlot: toSlot, untilSlot: forkFloor(fromSlot, root()) };
      if (toSlot - fromSlot > MAX_HELD_SLOTS) {
        await past.open(range);
        return;
      }
      const gap = { fromSlot, untilSlot: range.untilSlot };
      held.add(gap);
      const segment = await past.open({ ...range, isSilent: true });
      // When a stop ends the wait, the gap stays held: the tip must not pass what a restart would not know of.
      if (segment !== null) hold(segment, gap).catch(() => undefined);
    },
    held: () => lowestOf([...held].map(({ fromSlot }) => fromSlot)),
    heldRoot: () => lowestOf([...held].map(({ untilSlot }) => untilSlot)),
  };
}

function lowestOf(slots: readonly Slot[]): Slot | null {
  return slots.length === 0 ? null : slots.reduce(smallerOf);
}
