import { setTimeout as sleep } from 'node:timers/promises';

/** As often as the service lets one address ask in a minute, with room for the builders' own calls. */
const PAUSE_MS = 1_500;
const PATIENCE_MS = 60_000;

/**
 * Asks until the answer is one that `find` finds something in: the index follows the chain, it does not lead it.
 * @throws Error naming what never showed.
 */
export async function untilShown<A, T>(
  what: string,
  ask: () => Promise<A>,
  find: (answer: A) => T | undefined,
): Promise<T> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const found = find(await ask());
    if (found !== undefined) return found;
    if (Date.now() > deadline) throw new Error(`The index does not show ${what} after ${PATIENCE_MS / 1_000} s`);
    await sleep(PAUSE_MS);
  }
}
