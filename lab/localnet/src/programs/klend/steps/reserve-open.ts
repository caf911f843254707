import type { KlendReserve } from '@lending/programs';
import { check } from '../klend-error.ts';
import type { MarketLoader, ReserveLoader } from '../state/kinds.ts';

const PROGRAM_VERSION = 1n;
const OBSOLETE = 1;
const DEPOSIT_PERMISSIONED = 1n;

/** @throws AnchorError GlobalEmergencyMode */
export function assertNoEmergency(market: MarketLoader): void {
  check(market.load().read().emergencyMode === 0, 'GlobalEmergencyMode');
}

/**
 * Whether anything may leave a reserve: obsolete ones are left, too.
 * @throws AnchorError ReserveDeprecated, ReserveEmergencyMode
 */
export function assertMayLeave({ version, config }: KlendReserve): void {
  check(version === PROGRAM_VERSION, 'ReserveDeprecated');
  check(config.emergencyMode === 0, 'ReserveEmergencyMode');
}

/**
 * Whether anybody may deposit. Where an authority must sign for it, nobody can: the instructions of this model have no place for its
 * signature.
 * @throws AnchorError ReserveObsolete, ReserveDeprecated, ReserveEmergencyMode, MissingPermissioner
 */
export function assertMayEnter(reserve: ReserveLoader, market: MarketLoader): void {
  const state = reserve.load().read();
  check(state.config.status !== OBSOLETE, 'ReserveObsolete');
  assertMayLeave(state);
  const permissioned = state.permissionedOps | market.load().read().permissionedOps;
  check((permissioned & DEPOSIT_PERMISSIONED) === 0n, 'MissingPermissioner');
}
