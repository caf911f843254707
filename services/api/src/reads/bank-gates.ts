import type { BankRow } from '@lending/store';
import { SHOWN_STATES, type ShownState } from '#records/bank-fields.ts';
import type { BankGates } from './bank-actions.ts';
import { readBankBreaker } from './bank-breaker.ts';
import { describeOracle } from './bank-oracle.ts';
import { describeRooms } from './rooms.ts';
import { shownNumber } from './shown-numbers.ts';

/** What of a bank's row decides which actions the bank accepts; the price is aged against the chain's time, ms since 1970. */
export function gatesOf(row: BankRow, chainTimeMs: number): BankGates {
  return {
    venue: row.venue,
    state: row.reserve_status === 'suspended' ? 'Suspended' : operationalState(row.operational_state),
    breaker: readBankBreaker(row, chainTimeMs),
    flags: BigInt(row.flags),
    isCollateral: row.risk_tier === 'Collateral' && Number(row.asset_weight_init) > 0,
    rooms: describeRooms(row),
    hasDepositLimitOfZero: row.deposit_limit_base === '0' || row.reserve_deposit_limit_base === '0',
    reserveStatus: row.reserve_status,
    reserveReasons: row.reserve_status_reasons ?? [],
    hasFreshPrice: shownNumber(row.price_usd) !== null && describeOracle(row, chainTimeMs).stale === false,
  };
}

function operationalState(text: string): ShownState {
  return SHOWN_STATES.find((state) => state === text) ?? 'Unknown';
}
