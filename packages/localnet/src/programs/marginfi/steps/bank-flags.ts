import { BANK_FLAG } from '@lending/domain';

/** A bank that is wound up: debts may be written off by its risk administrator. */
export const TOKENLESS_REPAYMENTS_ALLOWED = BANK_FLAG.tokenlessRepaymentsAllowed;
/** All its debts are gone, and lenders are paid from what is left. */
export const TOKENLESS_REPAYMENTS_COMPLETE = BANK_FLAG.tokenlessRepaymentsComplete;
/** Anyone may have the bank's bad debts settled. */
export const PERMISSIONLESS_BAD_DEBT_SETTLEMENT = 1n << 2n;
