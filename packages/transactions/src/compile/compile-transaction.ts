import {
  type Address,
  type CompiledTransactionMessage,
  compileTransactionMessage,
  getCompiledTransactionMessageEncoder,
  getTransactionEncoder,
  isTransactionWithinSizeLimit,
  type Transaction,
} from '@solana/kit';
import type { LookupTables } from '#live/action-state.ts';
import type { CompiledTransaction } from './compiled-transaction.ts';
import { type BudgetOptions, createMessage, priorityFeeOf } from './create-message.ts';
import { isBeyondCounts, measureTransaction, transactionTooLarge } from './measure-transaction.ts';
import { signatureFeeOf } from './signature-fee.ts';
import type { MessageOptions, TransactionDraft } from './transaction-draft.ts';

export type CompileOptions = MessageOptions & BudgetOptions;

const messageEncoder = getCompiledTransactionMessageEncoder();
const encoder = getTransactionEncoder();

interface Written {
  readonly options: CompileOptions;
  /** Null: it is too large. */
  readonly transaction: CompiledTransaction | null;
}

/** How each draft was written down last: what is packed is measured, and then simulated, with the same limit. */
const written = new WeakMap<TransactionDraft, Written>();

/**
 * Writes a draft down as the bytes that go over the wire, its signatures zeros.
 * @throws ACTION__TRANSACTION_EXCEEDED where it is larger than its version allows.
 */
export function compileTransaction(draft: TransactionDraft, options: CompileOptions): CompiledTransaction {
  const transaction = compileIfItFits(draft, options);
  if (transaction !== null) return transaction;
  throw transactionTooLarge(draft, measureTransaction(draft, options), options);
}

/** The same, with null for one that is too large. Asked again, it is not written down again. */
export function compileIfItFits(draft: TransactionDraft, options: CompileOptions): CompiledTransaction | null {
  const known = written.get(draft);
  if (known !== undefined && isSame(known.options, options)) return known.transaction;
  const compiled = compileWithinLimits(draft, options);
  const transaction = compiled === null ? null : describe(draft, options, compiled);
  written.set(draft, { options, transaction });
  return transaction;
}

function isSame(one: CompileOptions, other: CompileOptions): boolean {
  return (
    one.computeUnitLimit === other.computeUnitLimit &&
    one.microLamportsPerUnit === other.microLamportsPerUnit &&
    one.lookupTables === other.lookupTables &&
    one.payer === other.payer &&
    one.version === other.version &&
    one.blockhash.value === other.blockhash.value
  );
}

function describe(draft: TransactionDraft, options: CompileOptions, compiled: CompiledMessage): CompiledTransaction {
  const { message, transaction } = compiled;
  const { header, staticAccounts } = message;
  const looked = resolveLookups(message, { ...options.lookupTables, ...draft.lookupTables });
  return Object.freeze({
    type: draft.type,
    label: draft.label,
    version: options.version,
    wire: new Uint8Array(encoder.encode(transaction)),
    accounts: [...staticAccounts, ...looked.writable, ...looked.readonly],
    writableCount:
      staticAccounts.length -
      header.numReadonlySignerAccounts -
      header.numReadonlyNonSignerAccounts +
      looked.writable.length,
    signers: staticAccounts.slice(0, header.numSignerAccounts),
    programs: [...new Set(programsOf(message))],
    computeUnitLimit: options.computeUnitLimit,
    signatureFeeLamports: signatureFeeOf(header.numSignerAccounts, draft.instructions),
    priorityFeeLamports: priorityFeeOf(options.microLamportsPerUnit, options.computeUnitLimit),
  });
}

interface CompiledMessage {
  readonly message: CompiledTransactionMessage;
  readonly transaction: Pick<Transaction, 'messageBytes' | 'signatures'>;
}

/** What kit's `compileTransaction` does, which keeps to itself the message whose accounts are asked for here. */
function compileMessage(draft: TransactionDraft, options: CompileOptions): CompiledMessage {
  const message = compileTransactionMessage(createMessage(draft, options));
  const signers = message.staticAccounts.slice(0, message.header.numSignerAccounts);
  const messageBytes = messageEncoder.encode(message) as Transaction['messageBytes'];
  return {
    message,
    transaction: { messageBytes, signatures: Object.fromEntries(signers.map((each) => [each, null])) },
  };
}

function compileWithinLimits(draft: TransactionDraft, options: CompileOptions): CompiledMessage | null {
  try {
    const compiled = compileMessage(draft, options);
    return isTransactionWithinSizeLimit(compiled.transaction) ? compiled : null;
  } catch (error) {
    if (isBeyondCounts(error)) return null;
    throw error;
  }
}

interface LookedUp {
  readonly writable: readonly Address[];
  readonly readonly: readonly Address[];
}

/** In message order: what all tables make writable, then what they do not. */
function resolveLookups(message: CompiledTransactionMessage, tables: LookupTables): LookedUp {
  const lookups = message.version === 0 ? (message.addressTableLookups ?? []) : [];
  const resolve = (table: Address, indexes: readonly number[]) =>
    indexes.flatMap((index) => tables[table]?.[index] ?? []);
  return {
    writable: lookups.flatMap((lookup) => resolve(lookup.lookupTableAddress, lookup.writableIndexes)),
    readonly: lookups.flatMap((lookup) => resolve(lookup.lookupTableAddress, lookup.readonlyIndexes)),
  };
}

function programsOf(message: CompiledTransactionMessage): readonly Address[] {
  const indexes =
    message.version === 1
      ? message.instructionHeaders.map(({ programAccountIndex }) => programAccountIndex)
      : message.instructions.map(({ programAddressIndex }) => programAddressIndex);
  return indexes.flatMap((index) => message.staticAccounts[index] ?? []);
}
