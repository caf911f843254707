import { runBeat } from '@lending/runtime';
import type { Address, Slot } from '@solana/kit';
import { untilAborted } from '#watch/until-aborted.ts';
import type { PastActivity } from './past-activity.ts';
import type { UnfinalSlots } from './unfinal-slots.ts';

export interface ReconcileActivityOptions {
  readonly past: Pick<PastActivity, 'begin'>;
  readonly program: Address;
  readonly unfinal: Pick<UnfinalSlots, 'root'>;
  readonly newestSlot: () => Slot;
  readonly everyMs: number;
}

/**
 * Lists the program's transactions again, on a beat, down to the root of the time before: notifications are best effort even on a
 * healthy socket, and a fork without transactions can be left without a word. What was told is seen and not read twice, so it costs a
 * page or two. What is missing when the process is killed before the next round is not made up for. Resolves when the signal aborts.
 */
export async function runActivityReconcile(options: ReconcileActivityOptions, signal: AbortSignal): Promise<void> {
  const { past, program, unfinal, newestSlot, everyMs } = options;
  const aborted = untilAborted(signal);
  let listedTo: Slot | null = null;
  await runBeat(everyMs, signal, async () => {
    const { root } = unfinal;
    if (root === 0n) return;
    const range = { address: program, fromSlot: newestSlot(), untilSlot: listedTo ?? root, isSilent: true };
    const segment = past.begin(range);
    if (segment !== null) await Promise.race([segment.completed.promise, aborted]);
    listedTo = root;
  });
}
