import { accrueSolendReserve } from '@lending/venues';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import type { InvokeContext } from '#engine/program.ts';
import { check } from '../solend-error.ts';
import { ACCRUAL_UNITS } from '../solend-units.ts';
import { loadReserve, storeReserve } from '../state/reserve-state.ts';

/** Brings a reserve's interest to this slot and leaves its prices. The reserve counts as refreshed then, whatever its prices are. */
export function refreshInterest(context: InvokeContext, account: InstructionAccount): void {
  const reserve = loadReserve(account);
  check(context, account.owner === context.programId, 'InvalidAccountOwner');
  const { slot } = context.slot;
  context.consume(slot > reserve.lastUpdate.slot ? ACCRUAL_UNITS : 0n);
  storeReserve(account, { ...accrueSolendReserve(reserve, slot), lastUpdate: { slot, stale: 0 } });
}
