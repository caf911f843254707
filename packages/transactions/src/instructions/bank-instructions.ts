import type { Venue } from '@lending/domain';
import type { P0Bank } from '@lending/venues';
import type { Address } from '@solana/kit';
import type { ReadAccount } from '#live/live-accounts.ts';
import { driftInstructions } from './drift.ts';
import { juplendInstructions } from './juplend.ts';
import { kaminoInstructions } from './kamino.ts';
import { p0Instructions } from './p0.ts';
import { solendInstructions } from './solend.ts';
import type { VenueInstructions } from './venue-instructions.ts';

const INSTRUCTIONS: Readonly<Record<Venue, VenueInstructions>> = {
  p0: p0Instructions,
  kamino: kaminoInstructions,
  drift: driftInstructions,
  juplend: juplendInstructions,
  solend: solendInstructions,
};

/** What acting on a bank of a venue takes. */
export function instructionsOfVenue(venue: Venue): VenueInstructions {
  return INSTRUCTIONS[venue];
}

/**
 * Accounts that acting on a bank is built from, besides the bank, its mint, its vault and its oracle accounts, which are read anyway:
 * the venue's reserve, what that names, and what may have to be created first. Asked again with more read until it names nothing new.
 */
export function accountsToAct(bank: P0Bank, read: ReadAccount): Promise<readonly Address[]> {
  return INSTRUCTIONS[bank.venue].accountsToAct(bank, read);
}

/** The same for bringing what the bank's receipts are worth up to date, where the account merely holds a balance in it. */
export function accountsToRefresh(bank: P0Bank, read: ReadAccount): Promise<readonly Address[]> {
  return INSTRUCTIONS[bank.venue].accountsToRefresh(bank, read);
}
