import { SECP256K1_PROGRAM } from '@lending/programs';
import type { Address } from '@solana/kit';
import { type ComputeBudget, readComputeBudget } from './compute-budget.ts';
import { type DecodedTransaction, decodeTransaction } from './decode-transaction.ts';
import type { AccountSource, ExecuteOptions, ExecutionResult, SlotContext } from './engine.ts';
import { resolveLookups } from './lookup-tables.ts';
import { assertAccountLocks, assertTransactionSane } from './sanitize-transaction.ts';
import { assertSignatures } from './verify-signatures.ts';

/** What is known of a transaction before it runs, as far as it could be read: a refusal reports that much. */
export class IncomingTransaction {
  accountKeys: readonly Address[] = [];
  loadedAddresses: ExecutionResult['loadedAddresses'] = { writable: [], readonly: [] };
  fee = 0n;

  /**
   * Reads the wire bytes and makes every check that needs no account but lookup tables.
   * @throws TransactionFailure as a node refuses it: such a transaction leaves no trace.
   */
  read(
    wire: Uint8Array,
    accounts: AccountSource,
    context: SlotContext,
    options: ExecuteOptions,
  ): { readonly transaction: DecodedTransaction; readonly budget: ComputeBudget } {
    const transaction = decodeTransaction(wire);
    this.accountKeys = transaction.staticKeys;
    assertTransactionSane(transaction);
    this.loadedAddresses = resolveLookups(transaction.lookups, accounts, context);
    this.accountKeys = [...transaction.staticKeys, ...this.loadedAddresses.writable, ...this.loadedAddresses.readonly];
    assertAccountLocks(this.accountKeys);
    if (options.verifySignatures) assertSignatures(transaction);
    const budget = readComputeBudget(transaction);
    this.fee = countSignatures(transaction) * context.lamportsPerSignature + budget.priorityFeeLamports;
    return { transaction, budget };
  }
}

/** Those of the transaction itself, and those that the runtime checks for programs: the first byte of such an instruction counts them. */
function countSignatures({ header, instructions, staticKeys }: DecodedTransaction): bigint {
  const checked = instructions
    .filter(({ programIndex }) => staticKeys[programIndex] === SECP256K1_PROGRAM)
    .map(({ data }) => data[0] ?? 0);
  return BigInt(checked.reduce((sum, count) => sum + count, header.numSignerAccounts));
}
