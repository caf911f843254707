import type { Address } from '@solana/kit';
import type { DemoTokenName } from '../tokens.ts';
import type { LiveVenue } from '../venue-instructions/of-bank.ts';

/** A live reserve of the demo market, as those who act on it know it. */
export interface DemoReserve {
  readonly venue: LiveVenue;
  /** Kamino's and Save's reserve, JupLend's lending account. */
  readonly address: Address;
  readonly token: DemoTokenName;
}
