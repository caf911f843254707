import {
  encodeSubscribeUpdate,
  encodeTransactionError,
  type SubscribeUpdate,
  subscribeRequest,
} from '@lending/localnet/geyser';
import { describe, expect, it } from 'vitest';
import { CLIENT_IS_BUILT, NEEDS_CLIENT, publishedClient } from './published-client.ts';

const { SubscribeUpdate: ClientUpdate, SubscribeRequest, txErrDecode } = publishedClient;

const MAX_U64 = 2n ** 64n - 1n;
const MAX_U32 = 2 ** 32 - 1;
const bytes = (length: number, value: number) => new Uint8Array(length).fill(value);

/** What the client reads of an update of ours, without the branches that are not there. */
function read(update: SubscribeUpdate): unknown {
  const decoded = ClientUpdate.decode(encodeSubscribeUpdate(update));
  return plain(Object.fromEntries(Object.entries(decoded).filter(([, value]) => value !== undefined)));
}

/** Buffers as bytes, so that they compare. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return new Uint8Array(value);
  if (value instanceof Date || typeof value !== 'object' || value === null) return value;
  if (value instanceof Map) return new Map([...value].map(([key, one]) => [key, plain(one)]));
  if (Array.isArray(value)) return value.map(plain);
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, plain(one)]));
}

/** It does not know the banks of a slot yet. */
describe.skipIf(!CLIENT_IS_BUILT)(`what the published client reads of our updates (${NEEDS_CLIENT})`, () => {
  it('reads an account, with numbers as large as they get', () => {
    const account = { pubkey: bytes(32, 1), owner: bytes(32, 2), executable: true, data: bytes(300, 3) };
    const txnSignature = bytes(64, 4);
    const numbers = { lamports: MAX_U64, rentEpoch: MAX_U64, writeVersion: MAX_U64 };
    const texts = { lamports: `${MAX_U64}`, rentEpoch: `${MAX_U64}`, writeVersion: `${MAX_U64}` };
    expect(
      read({
        filters: ['a', 'b'],
        account: { account: { ...account, ...numbers, txnSignature }, slot: MAX_U64, isStartup: true, bankId: MAX_U64 },
      }),
    ).toEqual({
      filters: ['a', 'b'],
      account: { account: { ...account, ...texts, txnSignature }, slot: `${MAX_U64}`, isStartup: true },
    });
  });

  it('reads an account of nothing, and none that wrote it', () => {
    const empty = { pubkey: bytes(0, 0), owner: bytes(0, 0), executable: false, data: bytes(0, 0) };
    const info = { ...empty, lamports: 0n, rentEpoch: 0n, writeVersion: 0n, txnSignature: undefined };
    expect(read({ filters: [], account: { account: info, slot: 0n, isStartup: false, bankId: undefined } })).toEqual({
      filters: [],
      account: { account: { ...info, lamports: '0', rentEpoch: '0', writeVersion: '0' }, slot: '0', isStartup: false },
    });
  });

  it('reads slots, block metas, statuses, pings and when they came', () => {
    expect(read({ filters: ['s'], slot: { slot: MAX_U64, parent: MAX_U64 - 1n, status: 2, bankId: MAX_U64 } })).toEqual(
      {
        filters: ['s'],
        slot: { slot: `${MAX_U64}`, parent: `${MAX_U64 - 1n}`, status: 2, deadError: undefined },
      },
    );
    const meta = { blockhash: 'hash', parentBlockhash: 'parent' };
    expect(
      read({
        filters: ['m'],
        blockMeta: {
          ...meta,
          slot: MAX_U64,
          blockTime: { timestamp: -(2n ** 63n) },
          blockHeight: { blockHeight: MAX_U64 },
          parentSlot: MAX_U64 - 1n,
          executedTransactionCount: MAX_U64 - 2n,
          entriesCount: MAX_U64 - 3n,
          bankId: MAX_U64,
        },
      }),
    ).toEqual({
      filters: ['m'],
      blockMeta: {
        ...meta,
        rewards: undefined,
        slot: `${MAX_U64}`,
        blockTime: { timestamp: `${-(2n ** 63n)}` },
        blockHeight: { blockHeight: `${MAX_U64}` },
        parentSlot: `${MAX_U64 - 1n}`,
        executedTransactionCount: `${MAX_U64 - 2n}`,
        entriesCount: `${MAX_U64 - 3n}`,
      },
    });
    const status = { signature: bytes(64, 5), isVote: true, err: { err: bytes(4, 6) } };
    expect(read({ filters: [], transactionStatus: { ...status, slot: 7n, index: MAX_U64, bankId: MAX_U64 } })).toEqual({
      filters: [],
      transactionStatus: { ...status, slot: '7', index: `${MAX_U64}` },
    });
    expect(read({ filters: [], ping: {} })).toEqual({ filters: [], ping: {} });
    expect(read({ filters: [], pong: { id: -(2 ** 31) } })).toEqual({ filters: [], pong: { id: -(2 ** 31) } });
    expect(read({ filters: [], createdAt: { seconds: 1_795_289_125n, nanos: 500_000_000 } })).toEqual({
      filters: [],
      createdAt: new Date(1_795_289_125_500),
    });
  });

  it('reads a transaction with everything in it', () => {
    const instruction = { programIdIndex: MAX_U32, accounts: bytes(3, 255), data: bytes(9, 8) };
    const balance = { accountIndex: 3, mint: 'mint', owner: 'owner', programId: 'program' };
    const uiTokenAmount = { uiAmount: 0.000001, decimals: 6, amount: `${MAX_U64}`, uiAmountString: '0.000001' };
    const transaction = {
      signatures: [bytes(64, 1), bytes(64, 2)],
      message: {
        header: { numRequiredSignatures: 2, numReadonlySignedAccounts: 1, numReadonlyUnsignedAccounts: 3 },
        accountKeys: [bytes(32, 1), bytes(32, 2)],
        recentBlockhash: bytes(32, 9),
        instructions: [instruction, { ...instruction, programIdIndex: 0 }],
        versioned: true,
        addressTableLookups: [{ accountKey: bytes(32, 4), writableIndexes: bytes(2, 5), readonlyIndexes: bytes(1, 6) }],
      },
    };
    const config = { computeUnitLimit: MAX_U32, loadedAccountsDataSizeLimit: 0, heapSize: undefined };
    const meta = {
      err: { err: bytes(13, 7) },
      innerInstructions: [
        {
          index: 1,
          instructions: [
            { ...instruction, stackHeight: 2 },
            { ...instruction, stackHeight: undefined },
          ],
        },
      ],
      innerInstructionsNone: true,
      logMessages: ['one', '', 'three'],
      logMessagesNone: true,
      preTokenBalances: [{ ...balance, uiTokenAmount }],
      postTokenBalances: [{ ...balance, uiTokenAmount: undefined }],
      loadedWritableAddresses: [bytes(32, 10)],
      loadedReadonlyAddresses: [bytes(32, 11)],
      returnData: { programId: bytes(32, 12), data: bytes(5, 13) },
      returnDataNone: true,
    };
    const info = { signature: bytes(64, 3), isVote: true };
    expect(
      read({
        filters: ['t'],
        transaction: {
          slot: MAX_U64,
          bankId: MAX_U64,
          transaction: {
            ...info,
            index: MAX_U64,
            transaction: {
              ...transaction,
              message: { ...transaction.message, config: { ...config, priorityFee: MAX_U64 } },
            },
            meta: {
              ...meta,
              fee: MAX_U64,
              preBalances: [0n, 1n, MAX_U64],
              postBalances: [MAX_U64, 0n, 2n ** 53n + 1n],
              computeUnitsConsumed: MAX_U64,
            },
          },
        },
      }),
    ).toEqual({
      filters: ['t'],
      transaction: {
        slot: `${MAX_U64}`,
        transaction: {
          ...info,
          index: `${MAX_U64}`,
          transaction: {
            ...transaction,
            message: { ...transaction.message, config: { ...config, priorityFee: `${MAX_U64}` } },
          },
          meta: {
            ...meta,
            rewards: [],
            costUnits: undefined,
            fee: `${MAX_U64}`,
            preBalances: ['0', '1', `${MAX_U64}`],
            postBalances: [`${MAX_U64}`, '0', `${2n ** 53n + 1n}`],
            computeUnitsConsumed: `${MAX_U64}`,
          },
        },
      },
    });
  });

  it.each([
    ['AlreadyProcessed'],
    ['CommitCancelled'],
    [{ InstructionError: [3, 'MaxInstructionTraceLengthExceeded'] }],
    [{ InstructionError: [255, { Custom: MAX_U32 }] }],
    [{ InsufficientFundsForRent: { account_index: 4 } }],
    [{ DuplicateInstruction: 9 }],
  ])('reads the error %j', (error) => {
    expect(txErrDecode.decode(encodeTransactionError(error))).toEqual(error);
  });
});

describe.skipIf(!CLIENT_IS_BUILT)(`what we read of the published client’s requests (${NEEDS_CLIENT})`, () => {
  it('reads every filter', () => {
    const accounts = {
      account: ['one', 'two'],
      owner: ['three'],
      filters: [
        { memcmp: { offset: `${MAX_U64}`, bytes: bytes(2, 1) } },
        { memcmp: { offset: '0', base58: '2' } },
        { memcmp: { offset: '8', base64: 'AQ==' } },
        { datasize: `${MAX_U64}` },
        { tokenAccountState: true },
        { lamports: { ne: `${MAX_U64}` } },
      ],
      nonemptyTxnSignature: false,
    };
    const transactions = {
      vote: false,
      failed: true,
      signature: 'signature',
      accountInclude: ['a'],
      accountExclude: ['b'],
      accountRequired: ['c', 'd'],
    };
    const request = {
      accounts: { x: accounts, y: { account: [], owner: [], filters: [] } },
      slots: { s: { filterByCommitment: true, interslotUpdates: false } },
      transactions: { t: transactions },
      transactionsStatus: { u: { accountInclude: [], accountExclude: [], accountRequired: [] } },
      blocks: { b: { accountInclude: ['z'], includeTransactions: true } },
      blocksMeta: { m: {} },
      entry: { e: {} },
      commitment: 2,
      accountsDataSlice: [{ offset: '8', length: `${MAX_U64}` }],
      ping: { id: -7 },
      fromSlot: `${MAX_U64}`,
    };
    const decoded = subscribeRequest.decode(SubscribeRequest.encode(SubscribeRequest.fromPartial(request)).finish());
    const nothing = { vote: undefined, failed: undefined, signature: undefined };
    const noFilter = { memcmp: undefined, datasize: undefined, tokenAccountState: undefined, lamports: undefined };
    const noBytes = { bytes: undefined, base58: undefined, base64: undefined };
    expect(plain(decoded)).toEqual(
      plain({
        accounts: new Map([
          [
            'x',
            {
              ...accounts,
              filters: [
                { ...noFilter, memcmp: { ...noBytes, offset: MAX_U64, bytes: bytes(2, 1) } },
                { ...noFilter, memcmp: { ...noBytes, offset: undefined, base58: '2' } },
                { ...noFilter, memcmp: { ...noBytes, offset: 8n, base64: 'AQ==' } },
                { ...noFilter, datasize: MAX_U64 },
                { ...noFilter, tokenAccountState: true },
                { ...noFilter, lamports: { eq: undefined, ne: MAX_U64, lt: undefined, gt: undefined } },
              ],
            },
          ],
          ['y', { account: [], owner: [], filters: [], nonemptyTxnSignature: undefined }],
        ]),
        slots: new Map([['s', { filterByCommitment: true, interslotUpdates: false }]]),
        transactions: new Map([['t', transactions]]),
        transactionsStatus: new Map([
          ['u', { ...nothing, accountInclude: [], accountExclude: [], accountRequired: [] }],
        ]),
        blocks: new Map([['b', {}]]),
        blocksMeta: new Map([['m', {}]]),
        entry: new Map([['e', {}]]),
        commitment: 2,
        accountsDataSlice: [{ offset: 8n, length: MAX_U64 }],
        ping: { id: -7 },
        fromSlot: MAX_U64,
      }),
    );
  });
});
