import { remainingDepositCapacity } from '../accounting/bank-limits.ts';
import { amountAfterFee } from '../accounting/transfer-fee.ts';
import { findEdge } from '../find-edge.ts';
import { U64_MAX } from '../integers.ts';
import type { ProgramErrorName } from '../program-error-name.ts';
import { attemptDeposit } from './attempt.ts';
import type { CapacityState } from './capacity-state.ts';
import { type Capacity, limitOfError } from './limit.ts';

/**
 * The most that a deposit without `deposit_up_to_limit` credits: it passes, and one base unit more fails.
 * `walletBase` is what the owner can send, a token's own fee included; null asks for the bank alone.
 */
export function maxDeposit(state: CapacityState, walletBase: bigint | null): Capacity {
  const judge = (amountBase: bigint): ProgramErrorName | null => {
    const outcome = attemptDeposit(state, amountBase);
    if (outcome.kind === 'refused') return outcome.error;
    return walletBase !== null && outcome.vaultFlowBase > walletBase ? 'InsufficientFunds' : null;
  };
  const refusal = judge(0n);
  if (refusal !== null) return { maxBase: 0n, limitedBy: limitOfError(refusal), error: refusal };
  const room = remainingDepositCapacity(state.bank.ledger) ?? 0n;
  // Beyond, what must be sent no longer fits a u64: nothing of the bank's.
  const ceiling = amountAfterFee(state.bank.transferFee, U64_MAX);
  const { last, error } = findEdge(judge, 0n, walletBase !== null && walletBase < room ? walletBase : room, ceiling);
  if (error === null) return { maxBase: last, limitedBy: null, error };
  // The only token account that can run short on a deposit is the owner's.
  return { maxBase: last, limitedBy: error === 'InsufficientFunds' ? 'balance' : limitOfError(error), error };
}
