import type { Chain } from '@lending/chain';
import type { Address, PendingRpcRequest } from '@solana/kit';
import type { CompiledTransaction } from '#compile/compiled-transaction.ts';
import {
  type AnsweredAccount,
  type AnsweredTransaction,
  toAccountsAfter,
  toBase64,
  toSimulatedTransaction,
} from './node-answer.ts';
import type { SimulatedAccount, SimulateOptions, SimulationOutcome } from './simulator.ts';
import { ofInstruction, readTransactionFailure, type TransactionFailure } from './transaction-failure.ts';

/** The extension of Jito-Solana's nodes, which kit has no types for. */
interface BundleRpc {
  simulateBundle(
    bundle: { readonly encodedTransactions: readonly string[] },
    config: Readonly<Record<string, unknown>>,
  ): PendingRpcRequest<BundleAnswer>;
}

interface BundleAnswer {
  readonly context: { readonly slot: bigint | number };
  readonly value: {
    readonly summary: unknown;
    readonly transactionResults: readonly (AnsweredTransaction & {
      readonly postExecutionAccounts?: readonly (AnsweredAccount | null)[] | null;
    })[];
  };
}

/**
 * Several transactions, by `simulateBundle`.
 * @returns null where the node ran out of time or locks, or has not come to the slot: that says nothing of the transactions.
 */
export async function simulateBundle(
  { rpc }: Pick<Chain, 'rpc'>,
  transactions: readonly CompiledTransaction[],
  watch: readonly Address[],
  { signal, minContextSlot = 0n }: SimulateOptions = {},
): Promise<SimulationOutcome | null> {
  const watched = watchedByTransaction(transactions, watch);
  // Every one of the two lists has an entry for each transaction, or some nodes refuse the request.
  const { context, value } = await (rpc as unknown as BundleRpc)
    .simulateBundle(
      { encodedTransactions: transactions.map(({ wire }) => toBase64(wire)) },
      {
        transactionEncoding: 'base64',
        simulationBank: { commitment: { commitment: 'confirmed' } },
        skipSigVerify: true,
        replaceRecentBlockhash: true,
        preExecutionAccountsConfigs: transactions.map(() => ({ addresses: [], encoding: 'base64' })),
        postExecutionAccountsConfigs: watched.map((addresses) => ({ addresses, encoding: 'base64' })),
      },
    )
    .send(signal === undefined ? {} : { abortSignal: signal });
  const slot = BigInt(context.slot);
  if (slot < minContextSlot) return null;
  const results = value.transactionResults;
  const failedAt = results.findIndex(({ err }) => err !== null && err !== undefined);
  if (value.summary === 'succeeded' && failedAt < 0 && results.length === transactions.length) {
    const after = watched.flatMap((addresses, index) => [
      ...toAccountsAfter(addresses, results[index]?.postExecutionAccounts),
    ]);
    return {
      kind: 'passed',
      slot,
      transactions: results.map(toSimulatedTransaction),
      after: new Map<Address, SimulatedAccount | null>(after),
    };
  }
  const failed = failedAt < 0 ? readSummary(value.summary) : readTransactionFailure(results[failedAt]?.err);
  if (failed === null) return null;
  const index = failedAt < 0 ? Math.min(results.length, transactions.length - 1) : failedAt;
  return {
    kind: 'failed',
    slot,
    index,
    transactions: results.slice(0, index).map(toSimulatedTransaction),
    ...failed,
    logs: results[index]?.logs ?? [],
  };
}

/** Each watched account with the last transaction that names it: nothing later changes it, and nodes tell it there. */
function watchedByTransaction(
  transactions: readonly CompiledTransaction[],
  watch: readonly Address[],
): readonly (readonly Address[])[] {
  const last = new Map(
    [...new Set(watch)].map((address) => [
      address,
      transactions.findLastIndex(({ accounts }) => accounts.includes(address)),
    ]),
  );
  return transactions.map((_, index) => [...last].filter(([, at]) => at === index).map(([address]) => address));
}

/** Of a node that lists no result for what failed: `{failed: {error: {TransactionFailure: [signature, text]}}}`. Null: it is the node's own. */
function readSummary(summary: unknown): TransactionFailure | null {
  const error = (summary as { readonly failed?: { readonly error?: unknown } } | null)?.failed?.error;
  const told = (error as { readonly TransactionFailure?: readonly [string, string] } | undefined)?.TransactionFailure;
  if (told === undefined) return null;
  const [, text] = told;
  const custom = /Instruction (\d+): custom program error: 0x([0-9a-f]+)/i.exec(text);
  if (custom === null) return { error: null, reason: text };
  return ofInstruction(Number(custom[1]), { Custom: Number.parseInt(custom[2] ?? '', 16) });
}
