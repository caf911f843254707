import type { Chain } from '@lending/chain';
import { retryWithJitter, runBeat } from '@lending/runtime';
import type { Slot } from '@solana/kit';

/** What the chain's clock says at slots: notifications come without it. */
export interface SlotClock {
  /** Told of every clock that was read anyway. Unix seconds. */
  observe(slot: Slot, unixTimestamp: bigint): void;
  /** Resolves when the clock was read once. */
  readonly ready: Promise<void>;
  /**
   * Unix seconds of a slot: of the newest reading that is not later, else of the oldest one kept. Exact to the beat and the
   * clock's own whole seconds.
   * @throws when nothing was read yet: wait for `ready`.
   */
  timeOf(slot: Slot): bigint;
  /** Reads the clock on a beat until the signal aborts. A node that does not answer is somebody else's news. */
  run(signal: AbortSignal): Promise<void>;
}

const BEAT_MS = 1_000;
/** A quarter of an hour of readings. */
const KEPT = 900;

interface Reading {
  readonly slot: Slot;
  readonly unixTimestamp: bigint;
}

export function createSlotClock(chain: Pick<Chain, 'fetchAccountGroups'>): SlotClock {
  /** By slot, oldest first. */
  const readings: Reading[] = [];
  const { promise: ready, resolve } = Promise.withResolvers<void>();

  function observe(slot: Slot, unixTimestamp: bigint): void {
    const at = readings.findLastIndex((reading) => reading.slot <= slot);
    if (readings[at]?.slot === slot) return;
    readings.splice(at + 1, 0, { slot, unixTimestamp });
    if (readings.length > KEPT) readings.shift();
    resolve();
  }

  async function read(signal: AbortSignal): Promise<void> {
    const [answer] = await chain.fetchAccountGroups([[]], { signal, minContextSlot: 'highest-seen' });
    if (answer !== undefined) observe(answer.slot, answer.unixTimestamp);
  }

  return {
    observe,
    ready,
    timeOf(slot) {
      const reading = readings.findLast((one) => one.slot <= slot) ?? readings[0];
      if (reading === undefined) throw new Error('the clock was not read yet');
      return reading.unixTimestamp;
    },
    async run(signal) {
      await retryWithJitter(() => read(signal), {
        signal,
        maxDelayMs: 1_000,
        isRetryable: () => !signal.aborted,
      }).catch(() => undefined);
      await runBeat(BEAT_MS, signal, read, { maxDelayMs: 5_000 });
    },
  };
}
