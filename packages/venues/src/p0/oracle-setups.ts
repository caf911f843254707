import type { OracleSetup, ProgramErrorName } from '@lending/domain';
import { isSince, NEWEST_VERSION, type ProgramVersion } from '@lending/programs';
import { INTEGRATION_RATES } from '../integration-rates.ts';
import { marinadeRate } from '../token-rates/marinade-rate.ts';
import { principalRate } from '../token-rates/principal-rate.ts';
import { stakePoolRate } from '../token-rates/stake-pool-rate.ts';
import type { TokenRate } from '../token-rates/token-rate.ts';
import type { VenueRate } from '../venue-rate.ts';
import type { PriceUnavailableReason } from './price-reading.ts';

export type FeedKind = 'pyth' | 'switchboard' | 'scope';

/**
 * What a price is made of: a feed, a number of the bank's own or a dollar; times what a token is worth in what that prices; times the
 * rate of a venue where the bank holds its receipts.
 */
export interface PriceShape {
  readonly kind: 'price';
  readonly base: FeedKind | 'fixed' | 'dollar';
  readonly token: TokenRate | null;
  readonly venue: VenueRate | null;
}

export type OracleShape =
  | PriceShape
  | { readonly kind: 'staked' }
  | {
      readonly kind: 'unusable';
      readonly reason: PriceUnavailableReason;
      /** Null where the program aborts without an error of its own. */
      readonly programError: ProgramErrorName | null;
    };

const { kamino, drift, solend, juplend } = INTEGRATION_RATES;
const RETIRED: OracleShape = { kind: 'unusable', reason: 'oracle_setup_retired', programError: null };
/** The service does not know how the program prices it: what it does not know it values at nothing. */
const UNKNOWN: OracleShape = { kind: 'unusable', reason: 'oracle_setup_unknown', programError: null };

function price(base: PriceShape['base'], venue: VenueRate | null = null, token: TokenRate | null = null): PriceShape {
  return { kind: 'price', base, token, venue };
}

const SHAPES: Readonly<Record<OracleSetup, OracleShape>> = {
  None: { kind: 'unusable', reason: 'oracle_setup_none', programError: 'OracleNotSetup' },
  PythLegacy: RETIRED,
  SwitchboardV2: RETIRED,
  PythPushOracle: price('pyth'),
  SwitchboardPull: price('switchboard'),
  StakedWithPythPush: { kind: 'staked' },
  KaminoPythPush: price('pyth', kamino),
  KaminoSwitchboardPull: price('switchboard', kamino),
  Fixed: price('fixed'),
  DriftPythPull: price('pyth', drift),
  DriftSwitchboardPull: price('switchboard', drift),
  SolendPythPull: price('pyth', solend),
  SolendSwitchboardPull: price('switchboard', solend),
  FixedKamino: price('fixed', kamino),
  FixedDrift: price('fixed', drift),
  JuplendPythPull: price('pyth', juplend),
  JuplendSwitchboardPull: price('switchboard', juplend),
  FixedJuplend: price('fixed', juplend),
  Scope: price('scope'),
  PythMSOL: price('pyth', null, marinadeRate),
  KaminoMSOL: price('pyth', kamino, marinadeRate),
  JuplendMSOL: price('pyth', juplend, marinadeRate),
  PythLST: price('pyth', null, stakePoolRate),
  KaminoLST: price('pyth', kamino, stakePoolRate),
  JuplendLST: price('pyth', juplend, stakePoolRate),
  PTPyth: price('pyth', null, principalRate),
  PTFixed: price('dollar', null, principalRate),
  ScopeKamino: price('scope', kamino),
  ScopeJuplend: price('scope', juplend),
  Unknown: UNKNOWN,
};

/** Since when the program knows a setup, for those that it has not always known. */
const SINCE: Readonly<Partial<Record<OracleSetup, ProgramVersion>>> = {
  ...{ Scope: '0.1.11', PythMSOL: '0.1.11', KaminoMSOL: '0.1.11', JuplendMSOL: '0.1.11', PythLST: '0.1.11' },
  ...{ KaminoLST: '0.1.11', JuplendLST: '0.1.11', PTPyth: '0.1.11', PTFixed: '0.1.11' },
  ...{ ScopeKamino: '0.1.12', ScopeJuplend: '0.1.12' },
};

export function shapeOfSetup(setup: OracleSetup, version: ProgramVersion = NEWEST_VERSION): OracleShape {
  const since = SINCE[setup];
  return since === undefined || isSince(version, since) ? SHAPES[setup] : UNKNOWN;
}

/** Whether the price starts from an account, which is then the first of the bank's oracle keys. */
export function hasFeed(base: PriceShape['base']): base is FeedKind {
  return base !== 'fixed' && base !== 'dollar';
}

/** Which of the bank's oracle keys names the account of the token's rate: it is the last of the accounts, too. */
export function tokenRateKey(shape: PriceShape): number {
  return Number(hasFeed(shape.base)) + Number(shape.venue !== null);
}
