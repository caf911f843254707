import { getAddressBytes } from '@lending/programs';
import { getBase58Encoder, type ReadonlyUint8Array } from '@solana/kit';
import type { TokenBalance } from '#ledger/token-balance.ts';
import { didRun, type TransactionRecord } from '#ledger/transaction-record.ts';
import { decodeWireTransaction, type WireMessage } from '#ledger/wire-transaction.ts';
import { encodeTokenAmount } from '#rpc/token-amount.ts';
import { encodeTransactionError } from './encode-transaction-error.ts';
import type { TransactionInfo, TransactionMessage, TransactionMeta } from './transaction-message.ts';

const base58 = getBase58Encoder();

/** Base58 as bytes. */
export function base58Bytes(text: string): Uint8Array {
  return bytesOf(base58.encode(text));
}

/** A landed transaction as the plugin tells it. */
export function toTransactionInfo(record: TransactionRecord): TransactionInfo {
  const { message, signatures } = decodeWireTransaction(record.wire);
  return {
    signature: base58Bytes(record.signature),
    isVote: false,
    transaction: { signatures: signatures.map(base58Bytes), message: toMessage(message) },
    meta: toMeta(record),
    index: BigInt(record.index),
  };
}

function toMessage(message: WireMessage): NonNullable<TransactionMessage['message']> {
  const { header, version, config } = message;
  return {
    header: {
      numRequiredSignatures: header.numSignerAccounts,
      numReadonlySignedAccounts: header.numReadonlySignerAccounts,
      numReadonlyUnsignedAccounts: header.numReadonlyNonSignerAccounts,
    },
    accountKeys: message.staticAccounts.map(getAddressBytes),
    recentBlockhash: base58Bytes(message.recentBlockhash),
    instructions: message.instructions.map(({ programIdIndex, accounts, data }) => ({
      programIdIndex,
      accounts: Uint8Array.from(accounts),
      data: bytesOf(data),
    })),
    versioned: version !== 'legacy',
    addressTableLookups: message.addressTableLookups.map((lookup) => ({
      accountKey: getAddressBytes(lookup.lookupTableAddress),
      writableIndexes: Uint8Array.from(lookup.writableIndexes),
      readonlyIndexes: Uint8Array.from(lookup.readonlyIndexes),
    })),
    config:
      version === 1
        ? {
            priorityFee: config?.priorityFeeLamports,
            computeUnitLimit: config?.computeUnitLimit,
            loadedAccountsDataSizeLimit: config?.loadedAccountsDataSizeLimit,
            heapSize: config?.heapSize,
          }
        : undefined,
  };
}

function toMeta({ result, preTokenBalances, postTokenBalances }: TransactionRecord): TransactionMeta {
  const { error, returnData, loadedAddresses } = result;
  return {
    err: error === null ? undefined : { err: encodeTransactionError(error) },
    fee: result.fee,
    preBalances: result.preBalances,
    postBalances: result.postBalances,
    innerInstructions: result.innerInstructions.map(({ index, instructions }) => ({
      index,
      instructions: instructions.map(({ programIdIndex, accounts, data, stackHeight }) => ({
        programIdIndex,
        accounts: Uint8Array.from(accounts),
        data,
        stackHeight,
      })),
    })),
    logMessages: result.logs,
    preTokenBalances: preTokenBalances.map(toTokenBalance),
    postTokenBalances: postTokenBalances.map(toTokenBalance),
    innerInstructionsNone: !didRun(result),
    logMessagesNone: !didRun(result),
    loadedWritableAddresses: loadedAddresses.writable.map(getAddressBytes),
    loadedReadonlyAddresses: loadedAddresses.readonly.map(getAddressBytes),
    returnData:
      returnData === null ? undefined : { programId: getAddressBytes(returnData.programId), data: returnData.data },
    returnDataNone: returnData === null,
    computeUnitsConsumed: result.unitsConsumed,
  };
}

function toTokenBalance(balance: TokenBalance): TransactionMeta['preTokenBalances'][number] {
  const { accountIndex, mint, owner, programId, amount, decimals } = balance;
  return { accountIndex, mint, owner, programId, uiTokenAmount: encodeTokenAmount(amount, decimals) };
}

/** Kit hands out its bytes read-only. */
function bytesOf(bytes: ReadonlyUint8Array): Uint8Array {
  return bytes as ReadonlyUint8Array as Uint8Array;
}
