import type { DecodedTransaction } from './decode-transaction.ts';
import { TransactionFailure } from './transaction-failure.ts';

/** Accounts one transaction may lock. */
const MAX_ACCOUNT_LOCKS = 128;
/** Version 1 carries every account inline and has limits of its own. */
const V1_LIMITS = { accounts: 64, instructions: 64, signatures: 12 } as const;

/**
 * Checks that counts and indices fit together.
 * @throws TransactionFailure `SanitizeFailure`
 */
export function assertTransactionSane(transaction: DecodedTransaction): void {
  const { header, staticKeys, signatures } = transaction;
  const looked = transaction.lookups.reduce(
    (sum, { writable, readonly }) => sum + writable.length + readonly.length,
    0,
  );
  const keyCount = staticKeys.length + looked;
  const isSane =
    signatures.length === header.numSignerAccounts &&
    header.numReadonlySignerAccounts < header.numSignerAccounts &&
    header.numSignerAccounts + header.numReadonlyNonSignerAccounts <= staticKeys.length &&
    keyCount <= 256 &&
    transaction.lookups.every(({ writable, readonly }) => writable.length + readonly.length > 0) &&
    transaction.instructions.every(
      ({ programIndex, accounts }) =>
        programIndex > 0 && programIndex < staticKeys.length && accounts.every((index) => index < keyCount),
    ) &&
    (transaction.version !== 1 || isV1Sane(transaction));
  if (!isSane) throw new TransactionFailure('SanitizeFailure');
}

/** @throws TransactionFailure when a key stands twice or there are too many. */
export function assertAccountLocks(keys: readonly string[]): void {
  if (keys.length > MAX_ACCOUNT_LOCKS) throw new TransactionFailure('TooManyAccountLocks');
  if (new Set(keys).size !== keys.length) throw new TransactionFailure('AccountLoadedTwice');
}

function isV1Sane({ staticKeys, instructions, signatures }: DecodedTransaction): boolean {
  return (
    staticKeys.length <= V1_LIMITS.accounts &&
    instructions.length <= V1_LIMITS.instructions &&
    signatures.length <= V1_LIMITS.signatures
  );
}
