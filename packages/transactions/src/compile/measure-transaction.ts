import { LendingError } from '@lending/errors';
import {
  type Address,
  getTransactionMessageSize,
  getTransactionMessageSizeLimit,
  isSolanaError,
  SOLANA_ERROR__TRANSACTION__TOO_MANY_ACCOUNT_ADDRESSES,
  SOLANA_ERROR__TRANSACTION__TOO_MANY_INSTRUCTIONS,
} from '@solana/kit';
import { NO_BLOCKHASH } from './compiled-transaction.ts';
import { createMessage } from './create-message.ts';
import { sizeAdvice } from './size-advice.ts';
import type { MessageOptions, TransactionDraft } from './transaction-draft.ts';

/** Accounts that one transaction may have, and instructions, whatever its version. */
const MAX_COUNT = 64;

/** How large a transaction is, next to what is allowed. */
export interface TransactionSize {
  /** Null where it has too many accounts or instructions to be written down at all. */
  readonly bytes: number | null;
  readonly maxBytes: number;
  readonly accounts: number;
  readonly instructions: number;
  readonly fits: boolean;
}

/** Any limit and blockhash take the same bytes. */
const ANY_BUDGET = { computeUnitLimit: 1, blockhash: NO_BLOCKHASH };

/** Compiles a draft for its size alone; one that is too large is measured too. */
export function measureTransaction(draft: TransactionDraft, options: MessageOptions): TransactionSize {
  const message = createMessage(draft, { ...options, ...ANY_BUDGET });
  const maxBytes = getTransactionMessageSizeLimit(message);
  const used = message.instructions.flatMap(({ programAddress, accounts = [] }) => [
    programAddress,
    ...accounts.map(({ address }) => address as Address),
  ]);
  const size = {
    maxBytes,
    accounts: new Set([options.payer, ...used]).size,
    instructions: message.instructions.length,
  };
  try {
    const bytes = getTransactionMessageSize(message);
    return { ...size, bytes, fits: bytes <= maxBytes };
  } catch (error) {
    if (isBeyondCounts(error)) return { ...size, bytes: null, fits: false };
    throw error;
  }
}

/** Whether kit did not compile a message because it has too much of something that is counted. */
export function isBeyondCounts(error: unknown): boolean {
  return (
    isSolanaError(error, SOLANA_ERROR__TRANSACTION__TOO_MANY_ACCOUNT_ADDRESSES) ||
    isSolanaError(error, SOLANA_ERROR__TRANSACTION__TOO_MANY_INSTRUCTIONS)
  );
}

/** The refusal of a transaction that cannot be sent, saying by how much, beside how many balances, and what would make it smaller. */
export function transactionTooLarge(
  { type, label }: Pick<TransactionDraft, 'type' | 'label'>,
  size: TransactionSize,
  { version, balances }: Pick<MessageOptions, 'version'> & { readonly balances?: number },
): LendingError {
  const { bytes, maxBytes, accounts, instructions } = size;
  const bytesOver = bytes === null ? null : Math.max(0, bytes - maxBytes);
  const excess =
    bytesOver === null
      ? `needs ${accounts} accounts and ${instructions} instructions of ${MAX_COUNT} each`
      : `is ${bytesOver} bytes over ${maxBytes}`;
  return new LendingError('ACTION__TRANSACTION_EXCEEDED', {
    message: `"${label}"${balances === undefined ? '' : ` in an account of ${balances} balances`} ${excess}. ${sizeAdvice(type, version, { isOverBytes: bytes !== null })}`,
    context: {
      bytes_over: bytesOver,
      bytes,
      max_bytes: maxBytes,
      accounts,
      max_accounts: MAX_COUNT,
      transaction_version: version,
      ...(balances !== undefined && { balances }),
    },
  });
}
