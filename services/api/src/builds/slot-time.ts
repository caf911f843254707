import type { Chain } from '@lending/chain';
import type { Logger } from '@lending/runtime';

/** How long a measured pace stands. */
const KEEP_MS = 60_000;
/** How long after a failure it is measured again while there is no measured pace. */
const RETRY_MS = 1_000;
/** No chain is expected to be faster: until a pace is measured, a blockhash lives at least as long as this makes it. */
const FASTEST_SLOT_MICROS = 200_000n;

/** The measured length of a slot, microseconds. Never fails. */
export type SlotTime = () => Promise<bigint>;

/**
 * Measures when it is read and the last measurement is old; meanwhile, and where the node does not answer, the last pace serves. Before the
 * first measurement there is none: then each reading waits for one, at most one a second.
 */
export function createSlotTime(chain: Pick<Chain, 'fetchSlotTime'>, now: () => number, logger: Logger): SlotTime {
  let measured: bigint | null = null;
  let triedAt = Number.NEGATIVE_INFINITY;
  let pending: Promise<void> | null = null;

  async function measure(): Promise<void> {
    try {
      measured = await chain.fetchSlotTime();
    } catch (error) {
      logger.debug('build.slot_time.fail', { error });
    } finally {
      triedAt = now();
      pending = null;
    }
  }

  return async () => {
    if (now() - triedAt >= (measured === null ? RETRY_MS : KEEP_MS)) pending ??= measure();
    if (measured === null) await pending;
    return measured ?? FASTEST_SLOT_MICROS;
  };
}
