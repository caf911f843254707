import { findStateRefusal } from '@lending/domain';
import type { InvokeContext } from '#engine/program.ts';
import { err } from '../error-sites.ts';
import { fail } from '../marginfi-error.ts';

const FILE = 'utils/general.rs';

/**
 * Fails where the bank's operational state forbids an action.
 * @see marginfi-v2 programs/marginfi/src/utils/general.rs `validate_bank_state`
 */
export function requireBankOpen(
  context: InvokeContext,
  operationalState: number,
  action: Parameters<typeof findStateRefusal>[1],
): void {
  const refusal = findStateRefusal(operationalState, action);
  if (refusal === null) return;
  const grows = action === 'deposit' || action === 'borrow';
  // Errors that only one line raises are known by their name.
  if (refusal === 'BankPaused') fail(context, refusal, err(FILE, grows ? 297 : 284));
  fail(context, refusal, refusal === 'BankReduceOnly' ? err(FILE, grows ? 300 : 278) : undefined);
}
