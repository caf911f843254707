import type { Chain } from '@lending/chain';
import { retryWithJitter } from '@lending/runtime';
import type { Slot } from '@solana/kit';
import type { SlotClock } from './slot-clock.ts';

const SECONDS_PER_DAY = 86_400n;
const MICROS_PER_SECOND = 1_000_000n;

/**
 * How far down the past is read where nothing was read before: so many days, or all there is (null). The time decides; the slot, which
 * alone is kept over a restart, lies a quarter deeper than the slots of these days should, because their length varies.
 */
export async function firstPastOf(
  {
    chain,
    clock,
    pastDays,
  }: {
    readonly chain: Pick<Chain, 'fetchSlotTime'>;
    readonly clock: Pick<SlotClock, 'ready' | 'timeOf'>;
    readonly pastDays: number | null;
  },
  toSlot: Slot,
  signal: AbortSignal,
): Promise<{ readonly untilSlot: Slot; readonly sinceTime?: bigint } | null> {
  if (pastDays === null) return { untilSlot: 0n };
  if (pastDays === 0) return null;
  await clock.ready;
  const slotMicros = await retryWithJitter(() => chain.fetchSlotTime({ signal }), {
    signal,
    maxDelayMs: 5_000,
    isRetryable: () => !signal.aborted,
  });
  const seconds = BigInt(pastDays) * SECONDS_PER_DAY;
  const slots = (seconds * MICROS_PER_SECOND * 5n) / (slotMicros * 4n);
  return { untilSlot: toSlot > slots ? toSlot - slots : 0n, sinceTime: clock.timeOf(toSlot) - seconds };
}
