import { type ErrorCode, isLendingError } from '@lending/errors';
import type { RejectionReason } from '@lending/events';

const REASON_OF_CODE: Partial<Record<ErrorCode, RejectionReason>> = {
  DECODE__ACCOUNT_MALFORMED: 'account_malformed',
  DECODE__DISCRIMINATOR_MISMATCH: 'discriminator_mismatch',
  DECODE__OWNER_MISMATCH: 'owner_mismatch',
  DECODE__VALUE_OUT_OF_RANGE: 'value_out_of_range',
};

/** The word for why a bank cannot be read. The error's own text is for the log: it never leaves the process. */
export function rejectionReasonOf(error: unknown): RejectionReason {
  return (isLendingError(error) && REASON_OF_CODE[error.code]) || 'unreadable';
}
