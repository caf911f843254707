import type { OracleSetup, ProgramErrorName } from '@lending/domain';
import { driftRate } from '../drift/read-multiplier.ts';
import { juplendRate } from '../juplend/read-multiplier.ts';
import { kaminoRate } from '../kamino/read-multiplier.ts';
import { solendRate } from '../solend/read-multiplier.ts';
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
    };

const RETIRED: OracleShape = { kind: 'unusable', reason: 'oracle_setup_retired', programError: null };

const SHAPES: Readonly<Record<OracleSetup, OracleShape>> = {
  None: { kind: 'unusable', reason: 'oracle_setup_none', programError: 'OracleNotSetup' },
  PythLegacy: RETIRED,
  SwitchboardV2: RETIRED,
  PythPushOracle: { kind: 'feed', feed: 'pyth', rate: null },
  SwitchboardPull: { kind: 'feed', feed: 'switchboard', rate: null },
  StakedWithPythPush: { kind: 'staked' },
  KaminoPythPush: { kind: 'feed', feed: 'pyth', rate: kaminoRate },
  KaminoSwitchboardPull: { kind: 'feed', feed: 'switchboard', rate: kaminoRate },
  Fixed: { kind: 'fixed', rate: null },
  DriftPythPull: { kind: 'feed', feed: 'pyth', rate: driftRate },
  DriftSwitchboardPull: { kind: 'feed', feed: 'switchboard', rate: driftRate },
  SolendPythPull: { kind: 'feed', feed: 'pyth', rate: solendRate },
  SolendSwitchboardPull: { kind: 'feed', feed: 'switchboard', rate: solendRate },
  FixedKamino: { kind: 'fixed', rate: kaminoRate },
  FixedDrift: { kind: 'fixed', rate: driftRate },
  JuplendPythPull: { kind: 'feed', feed: 'pyth', rate: juplendRate },
  JuplendSwitchboardPull: { kind: 'feed', feed: 'switchboard', rate: juplendRate },
  FixedJuplend: { kind: 'fixed', rate: juplendRate },
  Unknown: { kind: 'unusable', reason: 'oracle_setup_unknown', programError: null },
};

export function shapeOfSetup(setup: OracleSetup): OracleShape {
  return SHAPES[setup];
}
