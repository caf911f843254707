import type { ProgramErrorName } from '../program-error-name.ts';
import { BANK_FLAG } from './bank-ledger.ts';

/** What an owner does with one balance; `liquidate` is what both banks of a liquidation are asked. */
export type BankAction = 'deposit' | 'withdraw' | 'borrow' | 'repay' | 'liquidate' | 'close-balance';

/** Bits of an account's flags. */
export const ACCOUNT_FLAG = {
  disabled: 1n << 0n,
  inFlashLoan: 1n << 1n,
  inReceivership: 1n << 4n,
  inDeleverage: 1n << 5n,
  frozen: 1n << 6n,
  inOrderExecution: 1n << 7n,
  /** While a keeper fulfils a rebalance order. From 0.1.12. */
  inRebalance: 1n << 8n,
} as const;

/** Every bit of an account's flags that is known, and the two that mean nothing any more. */
export const KNOWN_ACCOUNT_FLAGS = Object.values(ACCOUNT_FLAG).reduce((all, flag) => all | flag, 12n);

const STATE = {
  paused: 0,
  operational: 1,
  reduceOnly: 2,
  killedByBankruptcy: 3,
  uninitialized: 4,
  reduceOnlyWithBorrowingPower: 5,
  circuitBroken: 6,
} as const;

/** What of a bank decides whether an action may be taken, besides its flags and its price. */
export interface GatedBank {
  /** The program's number of it. */
  readonly operationalState: number;
  /** That of before the circuit breaker broke the bank; asked where it did. */
  readonly preBreakState: number;
  /** Whether the circuit breaker has stopped the bank, for a time or for good. */
  readonly isHalted: boolean;
}

/**
 * Why a bank's state or its breaker forbids an action; null when neither does. A state this build has not heard of counts as paused.
 * Closing an empty balance asks for no state.
 * @param isHaltSafe whether the action passes in a halt: a repayment, a withdrawal from an account that owes nothing, a deposit into a
 * balance that is there.
 * @see marginfi-v2 programs/marginfi/src/utils/general.rs `validate_bank_state`
 */
export function findStateRefusal(bank: GatedBank, action: BankAction, isHaltSafe: boolean): ProgramErrorName | null {
  const { operationalState, isHalted } = bank;
  if (action === 'close-balance') return null;
  const isShutFirst = operationalState === STATE.killedByBankruptcy || operationalState === STATE.uninitialized;
  if (isHalted && !isHaltSafe && !isShutFirst) return 'BankCircuitBreakerHalted';
  switch (ruledBy(bank)) {
    case STATE.operational:
      return null;
    case STATE.reduceOnly:
    case STATE.reduceOnlyWithBorrowingPower:
      return action === 'deposit' || action === 'borrow' ? 'BankReduceOnly' : null;
    case STATE.killedByBankruptcy:
      return 'BankKilledByBankruptcy';
    case STATE.uninitialized:
      return 'BankUninitialized';
    default:
      return 'BankPaused';
  }
}

/** The number of the state whose rules hold: of a broken bank the one of before, and one that is none counts as operational there. */
export function ruledBy({ operationalState, preBreakState }: Omit<GatedBank, 'isHalted'>): number {
  if (operationalState !== STATE.circuitBroken) return operationalState;
  return preBreakState < STATE.circuitBroken ? preBreakState : STATE.operational;
}

/** A bank that is being wound up takes no deposits and gives no loans, whatever its state says. */
export function findFlagRefusal(flags: bigint, action: BankAction): ProgramErrorName | null {
  if ((flags & BANK_FLAG.tokenlessRepaymentsAllowed) === 0n) return null;
  if (action === 'deposit') return 'BankReduceOnly';
  return action === 'borrow' ? 'ForbiddenIx' : null;
}
