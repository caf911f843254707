import type { Chain } from '@lending/chain';
import type { Logger } from '@lending/runtime';

/** How long a measured pace stands. */
const KEEP_MS = 60_000;
/** The fastest pace that was announced: where none was measured, a blockhash lives at least as long as this makes it. */
const FASTEST_SLOT_MICROS = 250_000n;

/** The measured length of a slot, microseconds. Never fails and never makes a build wait twice. */
export type SlotTime = () => Promise<bigint>;

/** Measures when it is asked and the last measurement is old; a node that does not say keeps the last pace. */
export function createSlotTime(chain: Pick<Chain, 'fetchSlotTime'>, now: () => number, logger: Logger): SlotTime {
  let pace = FASTEST_SLOT_MICROS;
  let measuredAt = Number.NEGATIVE_INFINITY;
  let pending: Promise<void> | null = null;

  async function measure(): Promise<void> {
    try {
      pace = await chain.fetchSlotTime();
    } catch (error) {
      logger.debug('build.slot_time.fail', { error });
    } finally {
      measuredAt = now();
      pending = null;
    }
  }

  return async () => {
    if (now() - measuredAt > KEEP_MS) {
      pending ??= measure();
      // Only who asks first waits: later a pace of a minute ago serves while it is measured anew.
      if (measuredAt === Number.NEGATIVE_INFINITY) await pending;
    }
    return pace;
  };
}
