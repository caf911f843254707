import type { KlendMarket, KlendReserve } from '@lending/programs';
import type { ReserveStatus } from '../reserve.ts';

/** What may be done with a reserve, and why not more. */
export interface Permissions {
  readonly status: ReserveStatus;
  readonly reasons: readonly string[];
  readonly mayDeposit: boolean;
  readonly mayBorrow: boolean;
  readonly mayWithdraw: boolean;
}

const PROGRAM_VERSION = 1n;
const [ACTIVE, OBSOLETE, HIDDEN] = [0, 1, 2];
/** Operations that want the permissioning authority's signature, of a reserve or of its whole market (klend 1.23). */
const DEPOSIT_PERMISSIONED = 1n;
const BORROW_PERMISSIONED = 2n;

/** What a reason takes away. */
type Effect = Exclude<ReserveStatus, 'active'>;

/** The gravest effect that any reason has. */
const GRAVEST_FIRST: readonly Effect[] = ['unknown', 'suspended', 'closed', 'restricted'];

/**
 * What klend allows with a reserve now. A hidden reserve is only left out of Kamino's own pages, so it is an active one. Permissions
 * concern who may act and not how much, so the rooms stand.
 */
export function permissionsOf(reserve: KlendReserve, market: KlendMarket): Permissions {
  const { config } = reserve;
  const permissioned = reserve.permissionedOps | market.permissionedOps;
  const found = (
    [
      ['version_deprecated', 'suspended', reserve.version !== PROGRAM_VERSION],
      ['status_unknown', 'unknown', ![ACTIVE, OBSOLETE, HIDDEN].includes(config.status)],
      ['market_emergency', 'suspended', market.emergencyMode !== 0],
      ['reserve_emergency', 'suspended', config.emergencyMode !== 0],
      ['obsolete', 'closed', config.status === OBSOLETE],
      ['deposit_limit_zero', 'closed', config.depositLimit === 0n],
      ['borrow_limit_zero', 'restricted', config.borrowLimit === 0n],
      ['borrows_disabled', 'restricted', market.borrowDisabled !== 0],
      ['deposits_permissioned', 'restricted', (permissioned & DEPOSIT_PERMISSIONED) !== 0n],
      ['borrows_permissioned', 'restricted', (permissioned & BORROW_PERMISSIONED) !== 0n],
    ] as const
  ).filter(([, , holds]) => holds);
  const effects = found.map(([, effect]) => effect);
  const reasons = found.map(([reason]) => reason);
  const isSuspended = effects.includes('suspended') || effects.includes('unknown');
  return {
    status: GRAVEST_FIRST.find((effect) => effects.some((each) => each === effect)) ?? 'active',
    reasons,
    mayDeposit: !isSuspended && config.status !== OBSOLETE,
    mayBorrow: !isSuspended && config.status !== OBSOLETE && market.borrowDisabled === 0,
    mayWithdraw: !isSuspended,
  };
}
