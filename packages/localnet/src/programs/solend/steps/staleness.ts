import { subtractWads } from '@lending/venues';
import type { InvokeContext } from '#engine/program.ts';

/** Whether a reserve or an obligation was touched since its refresh, or refreshed in another slot. A slot to come is an overflow. */
export function isStale(
  { slot }: InvokeContext,
  { lastUpdate }: { readonly lastUpdate: { readonly slot: bigint; readonly stale: number } },
): boolean {
  return lastUpdate.stale !== 0 || subtractWads(slot.slot, lastUpdate.slot) > 0n;
}
