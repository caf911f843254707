import { AnchorError } from '#programs/anchor/anchor-error.ts';

/**
 * Errors of the crates with which the program reads other venues. Each counts from Anchor's first custom number, so that the numbers
 * are also the program's own first ones.
 */
const VENUE_ERRORS = {
  MathError: 6000,
  InvalidAccountData: 6001,
  InvalidObligationCollateral: 6002,
  InvalidObligationLiquidity: 6003,
} as const;

/** @see marginfi-v2 programs/{kamino,solend}-mocks/src/lib.rs */
export function venueError(name: keyof typeof VENUE_ERRORS): AnchorError {
  return new AnchorError(name, VENUE_ERRORS[name]);
}
