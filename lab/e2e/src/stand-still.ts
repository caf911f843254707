import { setTimeout as sleep } from 'node:timers/promises';
import type { OpenedLocalnet } from '@lending/localnet';

/** Whoever listens hears of one slot before the next. */
const PAUSE_MS = 10;
/** Slots after the last that is final, in which everybody hears that it is. */
const MORE_SLOTS = 14n;

/** Nobody acts any more; resolves when all that was done is final. Slots are not waited for, they are made. */
export async function standStill(localnet: OpenedLocalnet): Promise<void> {
  const { ledger } = localnet;
  localnet.rest();
  const last = ledger.slot('processed');
  while (ledger.slot('finalized') < last + MORE_SLOTS) {
    ledger.advanceSlot();
    await sleep(PAUSE_MS);
  }
}
