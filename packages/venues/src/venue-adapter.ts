import type { Address } from '@solana/kit';
import type { AccountBytes } from './account.ts';
import type { Moment } from './moment.ts';
import type { ContentFilter } from './p0/discovery.ts';
import type { ReserveKeys, ReserveReading, ReserveVenue } from './reserve.ts';

/** One listing of a program's accounts. */
export interface AccountSearch {
  readonly program: Address;
  readonly filters: readonly (ContentFilter | { readonly kind: 'size'; readonly bytes: number })[];
  /** Only these bytes of each account are wanted: nodes meter whole reads. */
  readonly slice?: { readonly offset: number; readonly length: number };
}

/** Answers a search. Whoever asks a venue to look around brings the wire. */
export type ListAccounts = (search: AccountSearch) => Promise<readonly AccountBytes[]>;

/** What programs that count slots take one for, microseconds: half a second, 63,072,000 a year. */
export const ASSUMED_SLOT_MICROS = 500_000n;

/** The moment of a reading, with the chain's measured pace. */
export interface VenueMoment extends Moment {
  /** Measured length of a slot, microseconds: slot-based rates are brought to the wall clock with it. */
  readonly slotMicros: bigint;
}

/** All this service knows of one venue behind P0. A new venue is a new folder with one of these. */
export interface VenueAdapter {
  readonly venue: ReserveVenue;
  /**
   * Every reserve of the venue, with the accounts a reading of it asks for. A reserve whose bytes cannot be read is told to `onReject`
   * and left out; its neighbours are not.
   */
  discover(list: ListAccounts, onReject: (reserve: Address, error: unknown) => void): Promise<readonly ReserveKeys[]>;
  /**
   * Reads a reserve from the accounts its keys name, in their order; null is an account that does not exist.
   * @throws DECODE__OWNER_MISMATCH, DECODE__DISCRIMINATOR_MISMATCH, DECODE__ACCOUNT_MALFORMED, DECODE__VALUE_OUT_OF_RANGE
   */
  readReserve(keys: ReserveKeys, accounts: readonly (AccountBytes | null)[], moment: VenueMoment): ReserveReading;
}
