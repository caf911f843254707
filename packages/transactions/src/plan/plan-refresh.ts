import type { Venue } from '@lending/domain';
import type { P0Bank } from '@lending/venues';
import type { Instruction } from '@solana/kit';
import type { LendingActionKind } from '#action.ts';
import { instructionsOfVenue } from '#instructions/bank-instructions.ts';
import type { ReadAccount } from '#live/live-accounts.ts';

/**
 * The venues' accounts of this slot: those that the action itself runs through, last, and before them those behind other banks that a
 * health check will value.
 */
export async function planRefresh(
  kind: LendingActionKind,
  bank: P0Bank,
  others: readonly P0Bank[],
  read: ReadAccount,
): Promise<readonly Instruction[]> {
  const byVenue = Map.groupBy(others, ({ venue }): Venue => venue);
  const own = byVenue.get(bank.venue) ?? [];
  byVenue.delete(bank.venue);
  const elsewhere = [...byVenue].map(([venue, banks]) => instructionsOfVenue(venue).refresh(banks, read));
  const here = instructionsOfVenue(bank.venue);
  const acting =
    kind === 'deposit' || kind === 'withdraw' ? here.refreshToAct(kind, bank, own, read) : here.refresh(own, read);
  return (await Promise.all([...elsewhere, acting])).flat();
}
