import { getAddressBytes } from '@lending/programs';
import { getBase58Encoder } from '@solana/kit';
import type {
  SubscribeUpdate,
  SubscribeUpdateAccount,
  SubscribeUpdateBlockMeta,
  SubscribeUpdateSlot,
  SubscribeUpdateTransaction,
  SubscribeUpdateTransactionInfo,
} from '@triton-one/yellowstone-grpc';
import { decodeWireTransaction, type WireMessage } from '#engine/wire-transaction.ts';
import type { Block } from '#ledger/block.ts';
import type { TokenBalance } from '#ledger/token-balance.ts';
import { didRun, type TransactionRecord } from '#ledger/transaction-record.ts';
import { encodeTokenAmount } from '#rpc/token-amount.ts';
import type { AccountWrite } from './ledger-feed.ts';

/** What the server writes: the names of the filters that matched, and one of the others. */
export type Update = Omit<SubscribeUpdate, 'createdAt'>;
type Transaction = NonNullable<SubscribeUpdateTransactionInfo['transaction']>;
type TransactionMeta = NonNullable<SubscribeUpdateTransactionInfo['meta']>;

/** A slot's status, as the protocol counts them. */
export const SLOT_STATUS = { processed: 0, confirmed: 1, finalized: 2 } as const;

/** What all accounts say since rent is no longer collected. */
const RENT_EPOCH = `${2n ** 64n - 1n}`;
/**
 * Every error, as bincode of an instruction's: 8, the first instruction, `GenericError`. Readers of the stream look whether there is one; what
 * it was, RPC says.
 */
const SOME_ERROR = Uint8Array.of(8, 0, 0, 0, 0, 0, 0, 0, 0);
const base58 = getBase58Encoder();

export function toAccountUpdate({ address, state, writeVersion }: AccountWrite, block: Block): SubscribeUpdateAccount {
  const { lamports, owner, executable, data } = state;
  return {
    account: {
      pubkey: getAddressBytes(address),
      lamports: `${lamports}`,
      owner: getAddressBytes(owner),
      executable,
      rentEpoch: RENT_EPOCH,
      data,
      writeVersion: `${writeVersion}`,
    },
    slot: `${block.slot}`,
    isStartup: false,
  };
}

export function toSlotUpdate({ slot, parentSlot }: Block, status: number): SubscribeUpdateSlot {
  return { slot: `${slot}`, parent: `${parentSlot}`, status };
}

export function toBlockMeta(block: Block): SubscribeUpdateBlockMeta {
  return {
    slot: `${block.slot}`,
    blockhash: block.blockhash,
    rewards: undefined,
    blockTime: { timestamp: `${block.unixTimestamp}` },
    blockHeight: { blockHeight: `${block.height}` },
    parentSlot: `${block.parentSlot}`,
    parentBlockhash: block.previousBlockhash,
    executedTransactionCount: `${block.transactions.length}`,
    entriesCount: '0',
  };
}

/** A landed transaction as the plugin sends it. */
export function toTransactionUpdate(record: TransactionRecord): SubscribeUpdateTransaction {
  const { message, signatures } = decodeWireTransaction(record.wire);
  return {
    transaction: {
      signature: bytesOf(base58.encode(record.signature)),
      isVote: false,
      transaction: { signatures: signatures.map((text) => bytesOf(base58.encode(text))), message: toMessage(message) },
      meta: toMeta(record),
      index: `${record.index}`,
    },
    slot: `${record.slot}`,
  };
}

function toMessage(message: WireMessage): NonNullable<Transaction['message']> {
  const { header, version, config } = message;
  const priorityFee = config?.priorityFeeLamports;
  return {
    header: {
      numRequiredSignatures: header.numSignerAccounts,
      numReadonlySignedAccounts: header.numReadonlySignerAccounts,
      numReadonlyUnsignedAccounts: header.numReadonlyNonSignerAccounts,
    },
    accountKeys: message.staticAccounts.map(getAddressBytes),
    recentBlockhash: bytesOf(base58.encode(message.recentBlockhash)),
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
    ...(version === 1
      ? { config: { ...config, priorityFee: priorityFee === undefined ? undefined : `${priorityFee}` } }
      : {}),
  };
}

function toMeta({ result, preTokenBalances, postTokenBalances }: TransactionRecord): TransactionMeta {
  const { error, returnData, loadedAddresses } = result;
  return {
    err: error === null ? undefined : { err: SOME_ERROR },
    fee: `${result.fee}`,
    preBalances: result.preBalances.map(String),
    postBalances: result.postBalances.map(String),
    innerInstructions: result.innerInstructions.map(({ index, instructions }) => ({
      index,
      instructions: instructions.map(({ programIdIndex, accounts, data, stackHeight }) => ({
        programIdIndex,
        accounts: Uint8Array.from(accounts),
        data,
        stackHeight,
      })),
    })),
    innerInstructionsNone: !didRun(result),
    logMessages: [...result.logs],
    logMessagesNone: !didRun(result),
    preTokenBalances: preTokenBalances.map(toTokenBalance),
    postTokenBalances: postTokenBalances.map(toTokenBalance),
    rewards: [],
    loadedWritableAddresses: loadedAddresses.writable.map(getAddressBytes),
    loadedReadonlyAddresses: loadedAddresses.readonly.map(getAddressBytes),
    returnData:
      returnData === null ? undefined : { programId: getAddressBytes(returnData.programId), data: returnData.data },
    returnDataNone: returnData === null,
    computeUnitsConsumed: `${result.unitsConsumed}`,
  };
}

function toTokenBalance(balance: TokenBalance): TransactionMeta['preTokenBalances'][number] {
  const { accountIndex, mint, owner, programId, amount, decimals } = balance;
  return { accountIndex, mint, owner, programId, uiTokenAmount: encodeTokenAmount(amount, decimals) };
}

/** Kit hands out its bytes read-only. */
function bytesOf(bytes: ArrayLike<number>): Uint8Array {
  return Uint8Array.from(bytes);
}
