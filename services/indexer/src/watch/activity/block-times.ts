import type { Slot } from '@solana/kit';

/** When blocks were made, where a transaction came without it. */
export interface BlockTimes {
  /** Unix seconds; null where the node does not know (yet). */
  of(slot: Slot): Promise<bigint | null>;
}

/** Slots whose times are kept: transactions of one slot come together. */
const KEPT = 256;

/** Asks for each slot once, and again where the node did not know. */
export function createBlockTimes(fetchBlockTime: (slot: Slot) => Promise<bigint | null>): BlockTimes {
  const times = new Map<Slot, Promise<bigint | null>>();

  function ask(slot: Slot): Promise<bigint | null> {
    const asked = fetchBlockTime(slot);
    const forget = (): void => {
      if (times.get(slot) === asked) times.delete(slot);
    };
    asked.then((time) => time === null && forget(), forget);
    times.set(slot, asked);
    const [oldest] = times.keys();
    if (times.size > KEPT && oldest !== undefined) times.delete(oldest);
    return asked;
  }

  return { of: (slot) => times.get(slot) ?? ask(slot) };
}
