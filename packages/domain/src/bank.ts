/** Where a bank's tokens earn: P0's own pool, or a venue behind it. */
export const VENUES = ['p0', 'kamino', 'drift', 'solend', 'juplend'] as const;
export type Venue = (typeof VENUES)[number];

/** Venues whose accounts this build can read. Of the others rates, sizes and prices are unknown, and answered as null. */
const DECODED_VENUES: ReadonlySet<Venue> = new Set<Venue>(['p0']);

/** Whether rates, sizes and prices of a venue's banks can be known here. */
export function isVenueDecoded(venue: Venue): boolean {
  return DECODED_VENUES.has(venue);
}

const VENUE_ON_WIRE = {
  p0: 'P0',
  kamino: 'Kamino',
  drift: 'Drift',
  solend: 'Solend',
  juplend: 'JupLend',
} as const satisfies Record<Venue, string>;
export type VenueOnWire = (typeof VENUE_ON_WIRE)[Venue];

/** The spelling every door uses. */
export function formatVenue(venue: Venue): VenueOnWire {
  return VENUE_ON_WIRE[venue];
}

/** What a caller may write for a venue: case does not matter, and Save is Solend's newer name. Null when it is none. */
export function parseVenue(text: string): Venue | null {
  const word = text.trim().toLowerCase();
  const known = word === 'save' ? 'solend' : word;
  return VENUES.find((venue) => venue === known) ?? null;
}

/** The venue of each asset tag. 0 to 2 (default, SOL, staked) are P0's own pools. */
const VENUE_OF_ASSET_TAG: readonly Venue[] = ['p0', 'p0', 'p0', 'kamino', 'drift', 'solend', 'juplend'];

/** Null for a tag this build has not heard of. */
export function venueOfAssetTag(assetTag: number): Venue | null {
  return VENUE_OF_ASSET_TAG[assetTag] ?? null;
}

/** What may be done with a bank. `Unknown` is a number this build has not heard of, and never usable. */
export type OperationalState =
  | 'Paused'
  | 'Operational'
  | 'ReduceOnly'
  | 'KilledByBankruptcy'
  | 'Uninitialized'
  | 'ReduceOnlyWithBorrowingPower'
  | 'Unknown';

/** Isolated collateral is worth nothing, and an isolated debt must be the only one. */
export type RiskTier = 'Collateral' | 'Isolated';

/** How a bank reads its price. */
export type OracleSetup =
  | 'None'
  | 'PythLegacy'
  | 'SwitchboardV2'
  | 'PythPushOracle'
  | 'SwitchboardPull'
  | 'StakedWithPythPush'
  | 'KaminoPythPush'
  | 'KaminoSwitchboardPull'
  | 'Fixed'
  | 'DriftPythPull'
  | 'DriftSwitchboardPull'
  | 'SolendPythPull'
  | 'SolendSwitchboardPull'
  | 'FixedKamino'
  | 'FixedDrift'
  | 'JuplendPythPull'
  | 'JuplendSwitchboardPull'
  | 'FixedJuplend'
  | 'Unknown';
