import type { P0Bank, ReserveVenue } from '@lending/venues';
import { juplendInstructions, juplendReserveInstructions } from './juplend.ts';
import { kaminoInstructions, kaminoReserveInstructions } from './kamino.ts';
import { solendInstructions, solendReserveInstructions } from './solend.ts';
import type { ReserveInstructions, VenueInstructions } from './venue-instructions.ts';

/** Venues of the demo market that can be acted on. Drift is suspended there as it is on mainnet. */
export type LiveVenue = Exclude<ReserveVenue, 'drift'>;

const BANK_INSTRUCTIONS: Readonly<Record<LiveVenue, VenueInstructions>> = {
  kamino: kaminoInstructions,
  solend: solendInstructions,
  juplend: juplendInstructions,
};

/** What acting on a venue takes, without P0 in between. */
export const RESERVE_INSTRUCTIONS: Readonly<Record<LiveVenue, ReserveInstructions>> = {
  kamino: kaminoReserveInstructions,
  solend: solendReserveInstructions,
  juplend: juplendReserveInstructions,
};

/** @throws TypeError for a bank whose venue cannot be acted on. */
export function venueInstructionsOf({ address, venue }: P0Bank): VenueInstructions {
  if (venue === 'p0' || venue === 'drift') throw new TypeError(`The bank ${address} is on ${venue}`);
  return BANK_INSTRUCTIONS[venue];
}
