import { ACCOUNT_FLAG, findFlagRefusal } from '../accounting/action-gates.ts';
import { deposit, withdraw, withdrawAll } from '../accounting/balance-operations.ts';
import type { BalanceShares, BankLedger } from '../accounting/bank-ledger.ts';
import { borrow } from '../accounting/borrow.ts';
import { isLimiterEnabled, recordInflow, skipsRateLimits } from '../accounting/rate-limiter.ts';
import { payableFromVault } from '../accounting/tokenless.ts';
import { amountBeforeFee } from '../accounting/transfer-fee.ts';
import { isIntegrationTag } from '../asset-tag.ts';
import { integerToI80F48 } from '../i80f48.ts';
import type { ProgramErrorName } from '../program-error-name.ts';
import { orMathError, type Refusal, refused } from '../refusal.ts';
import { findAssetTagViolation } from '../risk/account-rules.ts';
import { hasLiability } from '../risk/balance-side.ts';
import { balancesWith, type CapacityState, findHeld, heldShares } from './capacity-state.ts';
import {
  type BankOutflow,
  findBankRefusal,
  findGateRefusal,
  findOwnerRefusal,
  findSlotRefusal,
  hasFlag,
  heldSlots,
  outflowPriceOf,
  recordBankOutflow,
} from './checks.ts';
import { checkHealthOnce, checkOfBorrow, type HealthCheck } from './health-check.ts';

/** A bank and the owner's balance after an instruction that passed; `balance` is null once its slot is free. */
export interface Passed {
  readonly kind: 'done';
  readonly bank: BankLedger;
  readonly balance: BalanceShares | null;
  /** Tokens that the vault, or the venue, got or gave, a token's own fee included. */
  readonly vaultFlowBase: bigint;
}

/**
 * A deposit by the owner, from the program's checks to the bank it leaves; `amountBase` is what is credited, tokens on every venue. Banks
 * of other venues answer to their venue's own deposit, which lacks two of the checks.
 * @see marginfi-v2 programs/marginfi/src/instructions/marginfi_account/deposit.rs
 */
export function attemptDeposit(state: CapacityState, amountBase: bigint): Passed | Refusal {
  return orMathError(() => {
    const { ledger, transferFee, units } = state.bank;
    const isStandard = !isIntegrationTag(ledger.config.assetTag);
    const error =
      findOwnerRefusal(state) ??
      (isStandard ? findFlagRefusal(ledger.flags, 'deposit') : null) ??
      findAssetTagViolation(heldSlots(state), ledger.config.assetTag) ??
      findBankRefusal(state, 'deposit', findHeld(state) !== null) ??
      (isDisabled(state, isStandard) ? 'AccountDisabled' : null);
    if (error !== null) return refused(error);
    if (amountBase === 0n) return { kind: 'done', bank: ledger, balance: heldOrNull(state), vaultFlowBase: 0n };
    const slotError = findSlotRefusal(state);
    if (slotError !== null) return refused(slotError);
    const booked = units === null ? amountBase : units.deposited(amountBase);
    const change = deposit(ledger, heldShares(state), integerToI80F48(booked));
    if (change.kind === 'refused') return change;
    const sent = amountBeforeFee(transferFee, amountBase);
    if (sent === null) return refused('ProgramFailedToComplete');
    const rateLimiter = skipsRateLimits(state.account.flags)
      ? ledger.rateLimiter
      : recordInflow(ledger.rateLimiter, amountBase, state.unixTimestamp);
    return { kind: 'done', bank: { ...change.bank, rateLimiter }, balance: change.balance, vaultFlowBase: sent };
  });
}

/**
 * A borrow by the owner with every check of the instruction; `amountBase` is what the receiver gets.
 * @see marginfi-v2 programs/marginfi/src/instructions/marginfi_account/borrow.rs
 */
export function attemptBorrow(
  state: CapacityState,
  amountBase: bigint,
  checkHealth: HealthCheck = checkOfBorrow(state, checkHealthOnce(state)),
): Passed | Refusal {
  return orMathError(() => {
    const { ledger, vaultBase, transferFee } = state.bank;
    const error =
      findOwnerRefusal(state) ??
      (isIntegrationTag(ledger.config.assetTag) ? 'WrongAssetTagForStandardInstructions' : null) ??
      findFlagRefusal(ledger.flags, 'borrow') ??
      (isDisabled(state, true) ? 'AccountDisabled' : null) ??
      findAssetTagViolation(heldSlots(state), ledger.config.assetTag) ??
      findBankRefusal(state, 'borrow', false) ??
      findSlotRefusal(state);
    if (error !== null) return refused(error);
    const sent = amountBeforeFee(transferFee, amountBase);
    if (sent === null) return refused('ProgramFailedToComplete');
    const change = borrow(ledger, heldShares(state), sent, state.group.programFeeRate);
    if (change.kind === 'refused') return change;
    if (sent > vaultBase) return refused('InsufficientFunds');
    const riskError = checkHealth(change.bank, change.balance) ?? checkGate(state, change.bank, change.balance);
    if (riskError !== null) return refused(riskError);
    const priced = outflowPriceOf(state, 'spot');
    const outflow = { tokensBase: sent, bookedBase: sent };
    const recorded = recordBankOutflow(state, change.bank, outflow, priced.kind === 'price' ? priced.price : 0n);
    if (recorded.kind === 'refused') return recorded;
    return { kind: 'done', bank: recorded.bank, balance: change.balance, vaultFlowBase: sent };
  });
}

/**
 * A withdrawal by the owner with every check of the instruction; `amountBase` is what the receiver gets, tokens on every venue, and `all`
 * the whole deposit, which also frees the slot.
 * @see marginfi-v2 programs/marginfi/src/instructions/marginfi_account/withdraw.rs
 */
export function attemptWithdraw(
  state: CapacityState,
  amountBase: bigint | 'all',
  checkHealth: HealthCheck = checkHealthOnce(state),
): Passed | Refusal {
  return orMathError(() => {
    const { ledger, vaultBase } = state.bank;
    const error =
      (state.group.isPaused ? 'ProtocolPaused' : null) ??
      (hasFlag(state, ACCOUNT_FLAG.disabled) ? 'AccountDisabled' : null) ??
      findOwnerRefusal(state) ??
      findBankRefusal(state, 'withdraw', !state.account.balances.some(hasLiability));
    if (error !== null) return refused(error);
    // With the group's windows on, the price is asked for even where no window will be asked.
    const priced = outflowPriceOf(state, 'low');
    if (isLimiterEnabled(state.group.rateLimiter) && priced.kind === 'none') return refused(priced.error);
    if (findHeld(state) === null) return refused('BankAccountNotFound');
    const taken = takeOut(state, amountBase);
    if (taken.kind === 'refused') return taken;
    const sent = payableFromVault(ledger, taken.vaultFlowBase, vaultBase);
    const outflow = outflowOf(taken.bookedBase, sent);
    const recorded = recordBankOutflow(state, taken.bank, outflow, priced.kind === 'price' ? priced.price : 0n);
    if (recorded.kind === 'refused') return recorded;
    if (sent > vaultBase) return refused('InsufficientFunds');
    const riskError = checkHealth(recorded.bank, taken.balance) ?? checkGate(state, recorded.bank, taken.balance);
    if (riskError !== null) return refused(riskError);
    return { kind: 'done', bank: recorded.bank, balance: taken.balance, vaultFlowBase: sent };
  });

  function takeOut(from: CapacityState, amount: bigint | 'all') {
    const { ledger, units } = from.bank;
    if (amount === 'all') {
      const closure = withdrawAll(ledger, heldShares(from));
      if (closure.kind === 'refused') return closure;
      const bookedBase = closure.amountBase;
      const vaultFlowBase = units === null ? bookedBase : units.worth(bookedBase);
      return { kind: 'done', bank: closure.bank, balance: null, bookedBase, vaultFlowBase } as const;
    }
    const bookedBase = bookedWithdrawal(from.bank, amount);
    if (bookedBase === null) return refused('ProgramFailedToComplete');
    const change = withdraw(ledger, heldShares(from), integerToI80F48(bookedBase));
    if (change.kind === 'refused') return change;
    const vaultFlowBase = units === null ? bookedBase : amount;
    return { kind: 'done', bank: change.bank, balance: change.balance, bookedBase, vaultFlowBase } as const;
  }

  function outflowOf(bookedBase: bigint, sent: bigint): BankOutflow {
    const { units } = state.bank;
    if (units === null) return { tokensBase: sent, bookedBase: sent };
    return { tokensBase: units.counted(bookedBase, sent), bookedBase };
  }
}

/** What a withdrawal takes off the books so that the receiver gets so much; null beyond a u64. */
export function bookedWithdrawal(
  { transferFee, units }: Pick<CapacityState['bank'], 'transferFee' | 'units'>,
  amountBase: bigint,
): bigint | null {
  return units === null ? amountBeforeFee(transferFee, amountBase) : units.withdrawn(amountBase);
}

function isDisabled(state: CapacityState, asksForReceivership: boolean): boolean {
  return hasFlag(state, ACCOUNT_FLAG.disabled) || (asksForReceivership && hasFlag(state, ACCOUNT_FLAG.inReceivership));
}

/** What the breakers say of the account with its balance become `shares`. */
function checkGate(state: CapacityState, ledger: BankLedger, shares: BalanceShares | null): ProgramErrorName | null {
  return findGateRefusal(balancesWith(state, ledger, shares), state.unixTimestamp);
}

function heldOrNull(state: CapacityState): BalanceShares | null {
  return findHeld(state) === null ? null : heldShares(state);
}
