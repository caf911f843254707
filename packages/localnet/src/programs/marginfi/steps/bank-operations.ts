import { type BankAction, findStateRefusal, type GatedBank } from '@lending/domain';
import type { InvokeContext } from '#engine/program.ts';
import { err } from '../error-sites.ts';
import { fail } from '../marginfi-error.ts';
import { type BankState, isHalted } from '../state/bank-state.ts';

const FILE = 'utils/general.rs';

/**
 * Fails where the bank's operational state, or its breaker, forbids an action.
 * @param isHaltSafe what may be done while the breaker halts the bank.
 * @see marginfi-v2 programs/marginfi/src/utils/general.rs `validate_bank_state`
 */
export function requireBankOpen(
  context: InvokeContext,
  bank: BankState,
  action: BankAction,
  isHaltSafe: boolean,
): void {
  const refusal = findStateRefusal(gatedBankOf(context, bank), action, isHaltSafe);
  if (refusal === null) return;
  const grows = action === 'deposit' || action === 'borrow';
  // Errors that only one line raises are known by their name.
  if (refusal === 'BankPaused') fail(context, refusal, err(FILE, grows ? 297 : 284));
  fail(context, refusal, refusal === 'BankReduceOnly' ? err(FILE, grows ? 300 : 278) : undefined);
}

export function gatedBankOf({ slot }: InvokeContext, bank: BankState): GatedBank {
  const { operationalState, cbPreBreakState: preBreakState } = bank;
  return { operationalState, preBreakState, isHalted: isHalted(bank, slot.unixTimestamp) };
}
