import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  AccountRole,
  type Address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  compressTransactionMessageUsingAddressLookupTables,
  createTransactionMessage,
  getAddressDecoder,
  getBase58Decoder,
  getBase64EncodedWireTransaction,
  type Instruction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { type RpcTransaction, toTransactionRecord } from './to-transaction-record.ts';
import { didRun } from './transaction-record.ts';

const FIXTURES_DIR = process.env.FIXTURES_DIR ?? join(import.meta.dirname, '../../../../shared/fixtures');
const DEVNET_WITHDRAW = join(FIXTURES_DIR, 'transactions/marginfi-devnet-withdraw');

const [PAYER, SIGNER, TARGET, LOOKED_UP, READ_ONLY, PROGRAM, INNER_PROGRAM, TABLE, MINT, OWNER] = [
  1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
].map((index) => getAddressDecoder().decode(new Uint8Array(32).fill(index))) as [
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
];
const LIFETIME = {
  blockhash: '5GuTCNWxZKAxBG6PTrvoaVfN1EpoBv1pBtGwTJ59tSZR' as Blockhash,
  lastValidBlockHeight: 1n,
};
const INSTRUCTION: Instruction = {
  programAddress: PROGRAM,
  accounts: [
    { address: SIGNER, role: AccountRole.READONLY_SIGNER },
    { address: TARGET, role: AccountRole.WRITABLE },
    { address: LOOKED_UP, role: AccountRole.WRITABLE },
    { address: READ_ONLY, role: AccountRole.READONLY },
  ],
  data: new Uint8Array([9, 8, 7]),
};
/** Names the program that is only called from inside, as its transaction has to. */
const NAMES_INNER: Instruction = { programAddress: INNER_PROGRAM, data: new Uint8Array([1]) };

function wireOf(version: 'legacy' | 0 | 1): string {
  const message = pipe(
    createTransactionMessage({ version: version as 0 }),
    (one) => setTransactionMessageFeePayer(PAYER, one),
    (one) => setTransactionMessageLifetimeUsingBlockhash(LIFETIME, one),
    (one) => appendTransactionMessageInstructions([INSTRUCTION, NAMES_INNER], one),
    (one) =>
      version === 0
        ? compressTransactionMessageUsingAddressLookupTables(one, { [TABLE]: [LOOKED_UP, READ_ONLY] })
        : one,
  );
  return getBase64EncodedWireTransaction(compileTransaction(message as never));
}

/** The accounts in the order of a transaction's indexes. */
const ORDER: Readonly<Record<string, readonly Address[]>> = {
  legacy: [PAYER, SIGNER, TARGET, LOOKED_UP, READ_ONLY, PROGRAM, INNER_PROGRAM],
  '0': [PAYER, SIGNER, TARGET, PROGRAM, INNER_PROGRAM, LOOKED_UP, READ_ONLY],
  '1': [PAYER, SIGNER, TARGET, LOOKED_UP, READ_ONLY, PROGRAM, INNER_PROGRAM],
};

function tokenBalance(accountIndex: number, amount: string, mint: Address = MINT, owner: Address | undefined = OWNER) {
  const uiTokenAmount = { amount, decimals: 6, uiAmount: null, uiAmountString: '' };
  return { accountIndex, mint, ...(owner && { owner }), uiTokenAmount };
}

function answerOf(version: 'legacy' | 0 | 1, meta: object = {}): RpcTransaction {
  const order = ORDER[version] ?? [];
  const index = (account: Address) => order.indexOf(account);
  const inner = (program: Address, accounts: readonly Address[], byte: number, stackHeight?: number) => ({
    programIdIndex: index(program),
    accounts: accounts.map(index),
    data: getBase58Decoder().decode(new Uint8Array([byte])),
    ...(stackHeight !== undefined && { stackHeight }),
  });
  return {
    slot: 77n,
    blockTime: 1_700_000_000n,
    version,
    transaction: [wireOf(version), 'base64'],
    meta: {
      err: null,
      fee: 5_000n,
      innerInstructions: [
        { index: 0, instructions: [inner(INNER_PROGRAM, [TARGET, LOOKED_UP], 1, 2), inner(PROGRAM, [PAYER], 2, 3)] },
      ],
      loadedAddresses:
        version === 0 ? { writable: [LOOKED_UP], readonly: [READ_ONLY] } : { writable: [], readonly: [] },
      logMessages: ['Program log: a', 'Log truncated'],
      preBalances: order.map((_, at) => BigInt(at * 10)),
      postBalances: order.map((_, at) => BigInt(at * 10 + 1)),
      preTokenBalances: [tokenBalance(index(TARGET), '100')],
      postTokenBalances: [tokenBalance(index(TARGET), '40'), tokenBalance(index(LOOKED_UP), '60')],
      rewards: null,
      status: { Ok: null },
      ...meta,
    },
  } as unknown as RpcTransaction;
}

describe('toTransactionRecord', () => {
  it.each(['legacy', 0, 1] as const)('reads a transaction of version %s', (version) => {
    const record = toTransactionRecord('signature', answerOf(version));
    expect(record).toMatchObject({
      signature: 'signature',
      slot: 77n,
      unixTimestamp: 1_700_000_000n,
      version,
      isFailed: false,
      logs: ['Program log: a', 'Log truncated'],
      feePayer: PAYER,
      signers: [PAYER, SIGNER],
      feeLamports: 5_000n,
    });
    expect(new Set(record.writable)).toEqual(new Set([PAYER, TARGET, LOOKED_UP]));
    const own = { instructionIndex: 0, innerIndex: null, depth: 1 };
    expect(record.instructions).toEqual([
      { ...own, programId: PROGRAM, accounts: [SIGNER, TARGET, LOOKED_UP, READ_ONLY], data: new Uint8Array([9, 8, 7]) },
      {
        instructionIndex: 0,
        innerIndex: 0,
        depth: 2,
        programId: INNER_PROGRAM,
        accounts: [TARGET, LOOKED_UP],
        data: new Uint8Array([1]),
      },
      {
        instructionIndex: 0,
        innerIndex: 1,
        depth: 3,
        programId: PROGRAM,
        accounts: [PAYER],
        data: new Uint8Array([2]),
      },
      { ...own, instructionIndex: 1, programId: INNER_PROGRAM, accounts: [], data: new Uint8Array([1]) },
    ]);
    expect(record.lamports).toEqual(
      (ORDER[version] ?? []).map((account, at) => ({ account, before: BigInt(at * 10), after: BigInt(at * 10 + 1) })),
    );
    const held = { mint: MINT, owner: OWNER, decimals: 6 };
    expect(new Set(record.tokenBalances)).toEqual(
      new Set([
        { ...held, account: TARGET, before: 100n, after: 40n },
        { ...held, account: LOOKED_UP, before: 0n, after: 60n },
      ]),
    );
  });

  it('says that it failed, and what it did not get to know', () => {
    const record = toTransactionRecord('signature', {
      ...answerOf(0, {
        err: { InstructionError: [0n, { Custom: 6009n }] },
        logMessages: null,
        innerInstructions: null,
      }),
      blockTime: null,
    });
    expect(record).toMatchObject({ isFailed: true, logs: null, unixTimestamp: null });
    expect(record.instructions.map(({ instructionIndex }) => instructionIndex)).toEqual([0, 1]);
  });

  it('tells one that did not run from one that failed, and takes no balances for its effect', () => {
    const unpaid = { err: 'AccountNotFound', fee: 0n, logMessages: null, innerInstructions: null } as const;
    const [failed, ran] = [
      { ...unpaid, fee: 5_000n },
      { ...unpaid, logMessages: ['log'] },
    ].map((meta) => toTransactionRecord('signature', answerOf(0, meta)));
    expect([failed, ran].map((one) => one !== undefined && didRun(one))).toEqual([true, true]);
    const record = toTransactionRecord('signature', answerOf(0, { ...unpaid, preBalances: [], postBalances: [] }));
    expect(record).toMatchObject({ isFailed: true, lamports: [] });
    expect(didRun(record)).toBe(false);
  });

  it('counts a token account that was closed as empty, and one opened anew for another mint as two', () => {
    const { tokenBalances } = toTransactionRecord(
      'signature',
      answerOf('legacy', {
        preTokenBalances: [tokenBalance(2, '7'), tokenBalance(3, '8')],
        postTokenBalances: [tokenBalance(3, '9', TABLE)],
      }),
    );
    expect(tokenBalances.map(({ account, mint, before, after }) => [account, mint, before, after])).toEqual([
      [TARGET, MINT, 7n, 0n],
      [LOOKED_UP, MINT, 8n, 0n],
      [LOOKED_UP, TABLE, 0n, 9n],
    ]);
  });

  it.each([
    ['bytes that are no transaction', { transaction: ['AAAA', 'base64'] }],
    ['no status', { meta: null }],
    ['fewer balances than accounts', { meta: { ...answerOf(0).meta, postBalances: [] } }],
    [
      'an inner instruction of an account it does not name',
      { meta: { ...answerOf(0).meta, loadedAddresses: { writable: [], readonly: [] } } },
    ],
  ])('refuses an answer with %s', (_, broken) => {
    const answer = { ...answerOf(0), ...broken } as unknown as RpcTransaction;
    expect(() => toTransactionRecord('signature', answer)).toThrow(
      expect.objectContaining({
        code: 'DECODE__TRANSACTION_MALFORMED',
        context: { signature: 'signature', slot: 77n },
      }),
    );
  });
});

describe.skipIf(!existsSync(FIXTURES_DIR))('toTransactionRecord on real bytes (FIXTURES_DIR)', () => {
  it('reads the devnet withdrawal as others decoded it', () => {
    const { raw, meta } = JSON.parse(readFileSync(`${DEVNET_WITHDRAW}.json`, 'utf8'));
    const expected = JSON.parse(readFileSync(`${DEVNET_WITHDRAW}.expected.json`, 'utf8'));
    // The recording has the message alone: one signature goes before it.
    const wire = Buffer.concat([Buffer.from([1]), Buffer.alloc(64), Buffer.from(raw[0], 'base64')]);
    const balances = Array.from({ length: expected.accountKeyCount }, () => 0n);
    const record = toTransactionRecord('signature', {
      slot: 1n,
      blockTime: null,
      version: 0,
      transaction: [wire.toString('base64'), 'base64'],
      meta: { fee: 5_000n, preBalances: balances, postBalances: balances, ...meta },
    } as unknown as RpcTransaction);
    const [, withdraw] = expected.instructions;
    expect(record.feePayer).toBe(expected.feePayer);
    expect(record.logs).toEqual(meta.logMessages);
    expect(record.instructions.map(({ programId }) => programId)).toEqual(
      expected.instructions.map(({ programId }: { readonly programId: string }) => programId),
    );
    expect(Buffer.from(record.instructions[1]?.data ?? []).toString('hex')).toBe(withdraw.dataHex);
    expect(record.instructions[1]?.accounts).toEqual(
      withdraw.accounts.map(({ pubkey }: { readonly pubkey: string }) => pubkey),
    );
  });
});
