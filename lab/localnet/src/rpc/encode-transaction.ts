import { getBase58Decoder, type ReadonlyUint8Array } from '@solana/kit';
import type { ExecutedInstruction, ExecutionResult } from '#engine/engine.ts';
import { decodeWireTransaction, type TransactionVersion, type WireMessage } from '#engine/wire-transaction.ts';
import type { TokenBalance } from '#ledger/token-balance.ts';
import { didRun, type TransactionRecord } from '#ledger/transaction-record.ts';
import { base64 } from './encode-account.ts';
import { rpcErrors } from './json-rpc-error.ts';
import type { TransactionConfig } from './parameters.ts';
import { encodeTokenAmount } from './token-amount.ts';

/**
 * `{transaction, meta, version?}` of a landed transaction.
 * Refuses with -32015 a version the client did not say it can read.
 */
export function encodeTransaction(record: TransactionRecord, config: TransactionConfig): object {
  const { message, signatures } = decodeWireTransaction(record.wire);
  const version = checkVersion(message.version, config.maxSupportedTransactionVersion);
  const transaction =
    config.encoding === 'base64' ? [base64(record.wire), 'base64'] : { signatures, message: encodeMessage(message) };
  return { transaction, meta: encodeMeta(record, message.version), ...version };
}

function checkVersion(version: TransactionVersion, max: number | undefined): { readonly version?: TransactionVersion } {
  if (max === undefined && version === 'legacy') return {};
  if (version !== 'legacy' && (max === undefined || version > max))
    throw rpcErrors.unsupportedTransactionVersion(version);
  return { version };
}

function encodeMessage(message: WireMessage): object {
  const { header, staticAccounts, recentBlockhash, addressTableLookups, config, version } = message;
  return {
    accountKeys: staticAccounts,
    header: {
      numRequiredSignatures: header.numSignerAccounts,
      numReadonlySignedAccounts: header.numReadonlySignerAccounts,
      numReadonlyUnsignedAccounts: header.numReadonlyNonSignerAccounts,
    },
    instructions: message.instructions.map(({ programIdIndex, accounts, data }) => ({
      programIdIndex,
      accounts,
      data: base58(data),
      stackHeight: 1,
    })),
    recentBlockhash,
    ...(version === 0 ? { addressTableLookups: addressTableLookups.map(encodeLookup) } : {}),
    ...(version === 1
      ? {
          transactionConfig: {
            computeUnitLimit: config?.computeUnitLimit ?? null,
            heapSize: config?.heapSize ?? null,
            loadedAccountsDataSizeLimit: config?.loadedAccountsDataSizeLimit ?? null,
            priorityFee: config?.priorityFeeLamports ?? null,
          },
        }
      : {}),
  };
}

function encodeLookup(lookup: WireMessage['addressTableLookups'][number]): object {
  const { lookupTableAddress, writableIndexes, readonlyIndexes } = lookup;
  return { accountKey: lookupTableAddress, writableIndexes, readonlyIndexes };
}

function encodeMeta(record: TransactionRecord, version: TransactionVersion) {
  const { result } = record;
  return {
    err: result.error,
    status: encodeStatus(result.error),
    fee: result.fee,
    preBalances: result.preBalances,
    postBalances: result.postBalances,
    innerInstructions: didRun(result)
      ? result.innerInstructions.map(({ index, instructions }) => ({
          index,
          instructions: instructions.map(encodeInner),
        }))
      : null,
    logMessages: didRun(result) ? result.logs : null,
    preTokenBalances: record.preTokenBalances.map(encodeTokenBalance),
    postTokenBalances: record.postTokenBalances.map(encodeTokenBalance),
    rewards: [],
    ...(version === 'legacy' ? {} : { loadedAddresses: result.loadedAddresses }),
    ...(result.returnData === null ? {} : { returnData: encodeReturnData(result) }),
    computeUnitsConsumed: result.unitsConsumed,
  };
}

function encodeInner({ programIdIndex, accounts, data, stackHeight }: ExecutedInstruction): object {
  return { programIdIndex, accounts, data: base58(data), stackHeight };
}

/** `{Ok: null}` or `{Err}`, the old way to say `err`. */
export function encodeStatus(error: ExecutionResult['error']): object {
  return error === null ? { Ok: null } : { Err: error };
}

export function encodeReturnData({ returnData }: Pick<ExecutionResult, 'returnData'>): object | null {
  if (returnData === null) return null;
  return { programId: returnData.programId, data: [base64(returnData.data), 'base64'] };
}

export function encodeTokenBalance(balance: TokenBalance): object {
  const { accountIndex, mint, owner, programId, amount, decimals } = balance;
  return { accountIndex, mint, owner, programId, uiTokenAmount: encodeTokenAmount(amount, decimals) };
}

export function base58(data: ReadonlyUint8Array): string {
  return getBase58Decoder().decode(data);
}
