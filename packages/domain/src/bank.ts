import { columnByIntegration, INTEGRATIONS, type IntegrationVenue, integrationOfTag } from './integrations.ts';

export type Venue = 'p0' | IntegrationVenue;
/** Where a bank's tokens earn: P0's own pool, or a venue behind it. */
export const VENUES: readonly [Venue, ...Venue[]] = ['p0', ...INTEGRATIONS.map(({ venue }) => venue)];

const VENUE_ON_WIRE = { p0: 'P0', ...columnByIntegration('word') } as const satisfies Record<Venue, string>;
export type VenueOnWire = (typeof VENUE_ON_WIRE)[Venue];

/** All of them, P0 first. */
export const VENUES_ON_WIRE: readonly [VenueOnWire, ...VenueOnWire[]] = [
  VENUE_ON_WIRE.p0,
  ...INTEGRATIONS.map(({ word }) => word),
];

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

/** The last asset tag of P0's own pools: default, SOL and staked. */
const LAST_OWN_TAG = 2;

/** Null for a tag this build has not heard of. */
export function venueOfAssetTag(assetTag: number): Venue | null {
  if (assetTag >= 0 && assetTag <= LAST_OWN_TAG) return 'p0';
  return integrationOfTag(assetTag)?.venue ?? null;
}

/** What may be done with a bank, in the order of the program's numbers. */
export const OPERATIONAL_STATES = [
  'Paused',
  'Operational',
  'ReduceOnly',
  'KilledByBankruptcy',
  'Uninitialized',
  'ReduceOnlyWithBorrowingPower',
  'CircuitBroken',
] as const;

/** `Unknown` is a number that is not known here, and never usable. */
export type OperationalState = (typeof OPERATIONAL_STATES)[number] | 'Unknown';

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
  | 'Scope'
  | 'PythMSOL'
  | 'KaminoMSOL'
  | 'JuplendMSOL'
  | 'PythLST'
  | 'KaminoLST'
  | 'JuplendLST'
  | 'PTPyth'
  | 'PTFixed'
  | 'ScopeKamino'
  | 'ScopeJuplend'
  | 'Unknown';
