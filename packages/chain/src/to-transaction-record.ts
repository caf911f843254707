import { LendingError } from '@lending/errors';
import {
  type AccountMeta,
  type Address,
  decodeTransactionFromRpcResponse,
  type GetTransactionApiResponseBase64,
  getAccountMetasFromCompiledTransactionMessage,
  isSignerRole,
  isWritableRole,
  type TracedInstruction,
  type TransactionVersion,
  walkInstructions,
} from '@solana/kit';
import { tokenBalanceChanges } from './token-balance-changes.ts';
import { didRun, type RecordedInstruction, type TransactionRecord } from './transaction-record.ts';

/** A transaction as a node sends it with `encoding: "base64"`. Its version is read from its bytes. */
export type RpcTransaction = GetTransactionApiResponseBase64<TransactionVersion>;

/**
 * A node's answer to the question for a signature, in the one shape that every source gives.
 * @throws DECODE__TRANSACTION_MALFORMED when its bytes cannot be read, or the node kept nothing of what it did.
 */
export function toTransactionRecord(signature: string, answer: RpcTransaction): TransactionRecord {
  try {
    return decode(signature, answer);
  } catch (cause) {
    throw new LendingError('DECODE__TRANSACTION_MALFORMED', {
      message: `The transaction ${signature} of slot ${answer.slot} cannot be read`,
      context: { signature, slot: answer.slot },
      cause,
    });
  }
}

function decode(signature: string, answer: RpcTransaction): TransactionRecord {
  const { meta } = answer;
  if (meta === null) throw new Error('The node kept no status of it');
  const { compiledMessage, loadedAddresses } = decodeTransactionFromRpcResponse(answer);
  const accounts = getAccountMetasFromCompiledTransactionMessage(compiledMessage, loadedAddresses);
  const [feePayer] = accounts;
  if (feePayer === undefined) throw new Error('It names no account');
  const outcome = { isFailed: meta.err !== null, feeLamports: BigInt(meta.fee), logs: meta.logMessages };
  return Object.freeze({
    signature,
    slot: BigInt(answer.slot),
    unixTimestamp: answer.blockTime === null ? null : BigInt(answer.blockTime),
    version: compiledMessage.version,
    ...outcome,
    instructions: walkInstructions({ compiledMessage, loadedAddresses, meta }).map(toRecordedInstruction),
    feePayer: feePayer.address,
    signers: addressesWith(accounts, isSignerRole),
    writable: addressesWith(accounts, isWritableRole),
    lamports: (didRun(outcome) ? accounts : []).map(({ address }, index) => ({
      account: address,
      before: BigInt(at(meta.preBalances, index)),
      after: BigInt(at(meta.postBalances, index)),
    })),
    tokenBalances: tokenBalanceChanges(
      accounts.map(({ address }) => address),
      meta.preTokenBalances ?? [],
      meta.postTokenBalances ?? [],
    ),
  });
}

function toRecordedInstruction({ trace, programAddress, accounts, data }: TracedInstruction): RecordedInstruction {
  const place =
    trace.kind === 'outer'
      ? { instructionIndex: trace.index, innerIndex: null, depth: 1 }
      : { instructionIndex: trace.outerIndex, innerIndex: trace.innerIndex, depth: trace.stackHeight ?? null };
  return {
    ...place,
    programId: programAddress,
    accounts: (accounts ?? []).map(({ address }) => address),
    data: new Uint8Array(data ?? []),
  };
}

function addressesWith(
  accounts: readonly AccountMeta[],
  isMeant: (role: AccountMeta['role']) => boolean,
): readonly Address[] {
  return accounts.filter(({ role }) => isMeant(role)).map(({ address }) => address);
}

function at<T>(items: readonly T[], index: number): T {
  const item = items[index];
  if (item === undefined) throw new Error(`The status has ${items.length} entries, and none for account ${index}`);
  return item;
}
