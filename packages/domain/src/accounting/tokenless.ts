import { BANK_FLAG, type BankLedger } from './bank-ledger.ts';
import { CLEARED_DEBT_SHARES } from './thresholds.ts';

/**
 * A bank after a repayment: once one that is wound up has no debt left, its lenders are paid from what the vault holds.
 * @see marginfi-v2 programs/marginfi/src/instructions/marginfi_account/repay.rs
 */
export function markClearedDebt<Bank extends Pick<BankLedger, 'flags' | 'totalLiabilityShares'>>(bank: Bank): Bank {
  const isWoundUp = (bank.flags & BANK_FLAG.tokenlessRepaymentsAllowed) !== 0n;
  const owed = bank.totalLiabilityShares < 0n ? -bank.totalLiabilityShares : bank.totalLiabilityShares;
  if (!isWoundUp || owed >= CLEARED_DEBT_SHARES) return bank;
  return { ...bank, flags: bank.flags | BANK_FLAG.tokenlessRepaymentsComplete };
}

/** What a withdrawal pays out: as booked, but from a bank that was wound up no more than its vault holds. */
export function payableFromVault(bank: Pick<BankLedger, 'flags'>, amountBase: bigint, vaultBase: bigint): bigint {
  const isComplete = (bank.flags & BANK_FLAG.tokenlessRepaymentsComplete) !== 0n;
  return isComplete && vaultBase < amountBase ? vaultBase : amountBase;
}
