import type { KlendMarket, KlendReserve } from '@lending/programs';
import { judgeStatus, type Permissions } from '../judge-status.ts';

const PROGRAM_VERSION = 1n;
const [ACTIVE, OBSOLETE, HIDDEN] = [0, 1, 2];
/** Operations that want the permissioning authority's signature, of a reserve or of its whole market (klend 1.23). */
const DEPOSIT_PERMISSIONED = 1n;
const BORROW_PERMISSIONED = 2n;

/**
 * What klend allows with a reserve now. A hidden reserve is only left out of Kamino's own pages, so it is an active one. Permissions
 * concern who may act and not how much, so the rooms stand.
 */
export function statusOf(reserve: KlendReserve, market: KlendMarket): Permissions {
  const { config } = reserve;
  const permissioned = reserve.permissionedOps | market.permissionedOps;
  const judged = judgeStatus([
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
  ]);
  const isUsable = judged.status !== 'suspended' && judged.status !== 'unknown';
  return {
    ...judged,
    mayDeposit: isUsable && config.status !== OBSOLETE,
    mayBorrow: isUsable && config.status !== OBSOLETE && market.borrowDisabled === 0,
    mayWithdraw: isUsable,
  };
}
