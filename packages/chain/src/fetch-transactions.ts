import type { GetTransactionApi, Rpc, Signature } from '@solana/kit';
import { type AccountReader, fetchInParallel } from './account-reader.ts';
import { toSendOptions } from './read-config.ts';
import { type RpcTransaction, toTransactionRecord } from './to-transaction-record.ts';
import type { TransactionRecord } from './transaction-record.ts';

/** Reads of what happened: below `confirmed` a node keeps no history. */
export interface HistoryReadOptions {
  readonly signal?: AbortSignal;
  /** Default `confirmed`. */
  readonly commitment?: 'confirmed' | 'finalized';
}

/**
 * Reads one transaction. Null: no node that answers has it, because it is not there yet, was dropped with its fork, or is older than
 * what the nodes keep. A node that was told of it by another one may need a moment: ask again.
 * @throws DECODE__TRANSACTION_MALFORMED when it cannot be read; CHAIN__RPC_INVALID when it is of a version newer than 1.
 */
export async function fetchTransaction(
  { rpc }: { readonly rpc: Rpc<GetTransactionApi> },
  signature: string,
  options: HistoryReadOptions = {},
): Promise<TransactionRecord | null> {
  const answer = await rpc
    .getTransaction(signature as Signature, {
      commitment: options.commitment ?? 'confirmed',
      encoding: 'base64',
      maxSupportedTransactionVersion: 1,
    })
    .send(toSendOptions(options));
  return answer === null ? null : toTransactionRecord(signature, answer as RpcTransaction);
}

/**
 * Reads transactions in parallel, in the order of the signatures; null as above. The first one that cannot be read fails all: read
 * them one by one to know which.
 */
export async function fetchTransactions(
  reader: Pick<AccountReader, 'maxParallelReads'> & { readonly rpc: Rpc<GetTransactionApi> },
  signatures: readonly string[],
  options: HistoryReadOptions = {},
): Promise<readonly (TransactionRecord | null)[]> {
  return fetchInParallel(reader, signatures, (signature) => fetchTransaction(reader, signature, options));
}
