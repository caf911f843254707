import type { Chain } from '@lending/chain';
import { inSpan } from '@lending/tracing';
import type { Address, Slot } from '@solana/kit';
import type { SeenState } from '#publish/seen-state.ts';
import type { SlotClock } from '#watch/slot-clock.ts';

export interface ReadAccounts {
  /** All of this slot. */
  readonly slot: Slot;
  readonly seen: readonly SeenState[];
}

/** Accounts of one call at most; the clock is the hundredth. */
export const READ_SIZE = 99;

/** Reads at most 99 accounts by one call that is answered no earlier than a slot, nor than anything seen before. */
export async function readAccounts(
  { chain, clock, program }: { readonly chain: Chain; readonly clock: SlotClock; readonly program: Address },
  accounts: readonly Address[],
  minSlot: Slot,
  signal: AbortSignal,
): Promise<ReadAccounts> {
  const highest = chain.getHighestSlot('confirmed') ?? 0n;
  const minContextSlot = highest > minSlot ? highest : minSlot;
  const [answer] = await inSpan('lending.indexer', { name: 'read accounts' }, () =>
    chain.fetchAccountGroups([accounts], { signal, minContextSlot }),
  );
  if (answer === undefined) return { slot: minSlot, seen: [] };
  const { slot, unixTimestamp } = answer;
  clock.observe(slot, unixTimestamp);
  const seen = accounts.map((address, index) => {
    const account = answer.accounts[index] ?? null;
    // The address of a closed account can be anything afterwards.
    const bytes = account?.owner === program ? account : null;
    return { kind: 'account', address, slot, writeVersion: null, bytes, isAsked: false } as const;
  });
  return { slot, seen };
}
