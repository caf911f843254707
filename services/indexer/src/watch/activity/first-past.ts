import type { Chain } from '@lending/chain';
import { type Logger, retryWithJitter } from '@lending/runtime';
import type { Slot } from '@solana/kit';
import type { SlotClock } from '#watch/slot-clock.ts';
import { untilAborted } from '#watch/until-aborted.ts';

const SECONDS_PER_DAY = 86_400n;
const MICROS_PER_SECOND = 1_000_000n;

/** Not every node says how long slots take; so long it is asked. */
const WAIT_MS = 5_000;
/** The shortest that is planned (SIMD-0525): longer slots only end at the time instead of at the slot. */
const SHORTEST_SLOT_MICROS = 200_000n;

export interface FirstPastOptions {
  readonly chain: Pick<Chain, 'fetchSlotTime'>;
  readonly clock: Pick<SlotClock, 'ready' | 'timeOf'>;
  readonly pastDays: number | null;
  readonly logger: Logger;
  readonly waitMs?: number;
}

/**
 * How far down the past is read where nothing was read before: so many days, or all there is (null). The time decides; the slot, which
 * alone is kept over a restart, lies a quarter deeper than the slots of these days should, because their length varies.
 * Where the node does not say that length, it is the shortest.
 */
export async function firstPastOf(
  { chain, clock, pastDays, logger, waitMs = WAIT_MS }: FirstPastOptions,
  toSlot: Slot,
  signal: AbortSignal,
): Promise<{ readonly untilSlot: Slot; readonly sinceTime?: bigint } | null> {
  if (pastDays === null) return { untilSlot: 0n };
  if (pastDays === 0) return null;
  await clock.ready;
  const waiting = AbortSignal.any([signal, AbortSignal.timeout(waitMs)]);
  const answer = retryWithJitter(() => chain.fetchSlotTime({ signal: waiting }), {
    signal: waiting,
    isRetryable: () => !waiting.aborted,
  });
  const slotMicros = await Promise.race([answer, untilAborted(waiting).then(() => null)]).catch((error: unknown) => {
    if (!waiting.aborted) throw error;
    return null;
  });
  if (signal.aborted) throw signal.reason;
  if (slotMicros === null) logger.info('activity.past.guess', { slotMicros: SHORTEST_SLOT_MICROS });
  const seconds = BigInt(pastDays) * SECONDS_PER_DAY;
  const slots = (seconds * MICROS_PER_SECOND * 5n) / ((slotMicros ?? SHORTEST_SLOT_MICROS) * 4n);
  return { untilSlot: toSlot > slots ? toSlot - slots : 0n, sinceTime: clock.timeOf(toSlot) - seconds };
}
