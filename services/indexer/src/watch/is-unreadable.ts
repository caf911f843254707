import { isLendingError } from '@lending/errors';
import { isSolanaError, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_UNSUPPORTED_TRANSACTION_VERSION } from '@solana/kit';

/** Whether a transaction is there and this build cannot read it, however often it asks: it is malformed, or of a newer version. */
export function isUnreadable(error: unknown): boolean {
  if (!isLendingError(error)) return false;
  return (
    error.code === 'DECODE__TRANSACTION_MALFORMED' ||
    isSolanaError(error.cause, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_UNSUPPORTED_TRANSACTION_VERSION)
  );
}
