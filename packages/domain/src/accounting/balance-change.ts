import type { I80F48 } from '../i80f48.ts';
import type { BalanceShares } from './bank-ledger.ts';

/** A bank and a balance after an operation. `shares` is what the program reports in its event. */
export interface BalanceChange<Bank> {
  readonly kind: 'done';
  readonly bank: Bank;
  readonly balance: BalanceShares;
  readonly shares: I80F48;
}

/** A balance that is gone: its slot is free again. `amountBase` is what the token program moves. */
export interface BalanceClosure<Bank> extends BalanceChange<Bank> {
  readonly amountBase: bigint;
}
