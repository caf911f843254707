import type { OracleSetup, ProgramErrorName } from '@lending/domain';
import { INTEGRATION_RATES } from '../integration-rates.ts';
import type { VenueRate } from '../venue-rate.ts';
import type { PriceUnavailableReason } from './price-reading.ts';

/** What a setup's price is made of: a feed or a number, and the rate of a venue where the bank holds its receipts. */
export type OracleShape =
  | { readonly kind: 'feed'; readonly feed: 'pyth' | 'switchboard'; readonly rate: VenueRate | null }
  | { readonly kind: 'staked' }
  | { readonly kind: 'fixed'; readonly rate: VenueRate | null }
  | {
      readonly kind: 'unusable';
      readonly reason: PriceUnavailableReason;
      /** Null where the program aborts without an error of its own. */
      readonly programError: ProgramErrorName | null;
      /** How many of the bank's oracle keys the program is given all the same: with another number it refuses the whole account. */
      readonly keys: number;
    };

const { kamino, drift, solend, juplend } = INTEGRATION_RATES;
const RETIRED: OracleShape = { kind: 'unusable', reason: 'oracle_setup_retired', programError: null, keys: 0 };
/** The service does not know how the program prices it: what it does not know it values at nothing. */
const unpriced = (keys: number): OracleShape => ({
  kind: 'unusable',
  reason: 'oracle_setup_unknown',
  programError: null,
  keys,
});

const SHAPES: Readonly<Record<OracleSetup, OracleShape>> = {
  None: { kind: 'unusable', reason: 'oracle_setup_none', programError: 'OracleNotSetup', keys: 0 },
  PythLegacy: RETIRED,
  SwitchboardV2: RETIRED,
  PythPushOracle: { kind: 'feed', feed: 'pyth', rate: null },
  SwitchboardPull: { kind: 'feed', feed: 'switchboard', rate: null },
  StakedWithPythPush: { kind: 'staked' },
  KaminoPythPush: { kind: 'feed', feed: 'pyth', rate: kamino },
  KaminoSwitchboardPull: { kind: 'feed', feed: 'switchboard', rate: kamino },
  Fixed: { kind: 'fixed', rate: null },
  DriftPythPull: { kind: 'feed', feed: 'pyth', rate: drift },
  DriftSwitchboardPull: { kind: 'feed', feed: 'switchboard', rate: drift },
  SolendPythPull: { kind: 'feed', feed: 'pyth', rate: solend },
  SolendSwitchboardPull: { kind: 'feed', feed: 'switchboard', rate: solend },
  FixedKamino: { kind: 'fixed', rate: kamino },
  FixedDrift: { kind: 'fixed', rate: drift },
  JuplendPythPull: { kind: 'feed', feed: 'pyth', rate: juplend },
  JuplendSwitchboardPull: { kind: 'feed', feed: 'switchboard', rate: juplend },
  FixedJuplend: { kind: 'fixed', rate: juplend },
  Scope: unpriced(1),
  PythMSOL: unpriced(2),
  KaminoMSOL: unpriced(3),
  JuplendMSOL: unpriced(3),
  PythLST: unpriced(2),
  KaminoLST: unpriced(3),
  JuplendLST: unpriced(3),
  PTPyth: unpriced(2),
  PTFixed: unpriced(1),
  ScopeKamino: unpriced(2),
  ScopeJuplend: unpriced(2),
  Unknown: unpriced(0),
};

export function shapeOfSetup(setup: OracleSetup): OracleShape {
  return SHAPES[setup];
}
