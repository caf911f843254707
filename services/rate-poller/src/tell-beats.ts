import type { Venue } from '@lending/domain';
import { type Logger, runBeat } from '@lending/runtime';
import type { Leadership } from './leadership.ts';
import type { SlotTime } from './slot-time.ts';

/** Keeps how often each venue is to be sampled, and how many microseconds a slot lasts, where the api finds it. */
export type TellBeats = (beats: {
  readonly beatMs: Readonly<Partial<Record<Venue, number>>>;
  readonly slotUs: number | null;
}) => Promise<void>;

export interface TellBeatsOptions {
  readonly tellBeats?: TellBeats;
  readonly beatMs: Readonly<Partial<Record<Venue, number>>>;
  readonly slotTime: Pick<SlotTime, 'get'>;
  readonly leadership: Leadership;
  readonly logger: Logger;
  /** Default: a minute. */
  readonly everyMs?: number;
}

const EVERY_MS = 60_000;

/** Whoever leads says how late a sample is: how often it samples. Resolves when the signal aborts. */
export async function tellBeatsWhileLeading(
  { tellBeats, beatMs, slotTime, leadership, logger, everyMs = EVERY_MS }: TellBeatsOptions,
  signal: AbortSignal,
): Promise<void> {
  if (tellBeats === undefined) return;
  await runBeat(
    everyMs,
    signal,
    async () => {
      await leadership.untilLeading(signal);
      await tellBeats({ beatMs, slotUs: Number(await slotTime.get()) });
    },
    { onError: (error) => logger.debug('rate.beat.wait', { error }), maxDelayMs: 5_000 },
  );
}
