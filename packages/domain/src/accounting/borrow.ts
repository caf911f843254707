import { addI80F48, floorI80F48, type I80F48, integerToI80F48, multiplyI80F48 } from '../i80f48.ts';
import { U64_MAX } from '../integers.ts';
import { orMathError, type Refusal, refused } from '../refusal.ts';
import type { BalanceChange } from './balance-change.ts';
import { addDebt } from './balance-operations.ts';
import type { BalanceShares, BankLedger } from './bank-ledger.ts';
import { EMPTY_BALANCE_SHARES } from './thresholds.ts';

/** A borrow as it stands in the books and in the event. */
export interface BorrowChange<Bank> extends BalanceChange<Bank> {
  /** Owed on top of what leaves the vault, raw I80F48 base units. */
  readonly originationFee: I80F48;
  /** What the event calls `amount`: what leaves the vault, and whole units of the fee. */
  readonly eventAmountBase: bigint;
}

/**
 * A borrow with its origination fee, which the group's and the program's outstanding fees share.
 * `amountBase` is what leaves the vault: what the receiver gets, and a token's own transfer fee on top. `programFeeRate` is the group's
 * cached one, a fraction of one. Split apart from the debt, the fees do not change what later checks of the same instruction see.
 * @see marginfi-v2 programs/marginfi/src/instructions/marginfi_account/borrow.rs
 */
export function borrow<Bank extends BankLedger>(
  bank: Bank,
  balance: BalanceShares,
  amountBase: bigint,
  programFeeRate: I80F48,
): BorrowChange<Bank> | Refusal {
  return orMathError(() => {
    const amount = integerToI80F48(amountBase);
    const originationFee = multiplyI80F48(amount, bank.config.interestRateConfig.protocolOriginationFee);
    const wholeFee = floorI80F48(originationFee);
    if (wholeFee < 0n || wholeFee > U64_MAX) return refused('MathError');
    const change = addDebt(bank, balance, addI80F48(amount, originationFee));
    if (change.kind === 'refused') return change;
    const owedShares = change.balance.liabilityShares;
    if (owedShares > 0n && owedShares < EMPTY_BALANCE_SHARES) return refused('IllegalBalanceState');
    const toProgram = multiplyI80F48(originationFee, programFeeRate);
    return {
      ...change,
      bank: {
        ...change.bank,
        collectedProgramFeesOutstanding: addI80F48(bank.collectedProgramFeesOutstanding, toProgram),
        collectedGroupFeesOutstanding: addI80F48(bank.collectedGroupFeesOutstanding, originationFee - toProgram),
      },
      originationFee,
      eventAmountBase: amountBase + wholeFee,
    };
  });
}
