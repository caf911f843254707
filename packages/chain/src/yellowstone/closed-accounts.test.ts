import { type Address, getAddressDecoder } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import type { TransactionRecord } from '../transaction-record.ts';
import { findClosedAccounts } from './closed-accounts.ts';
import { loadGeyserClient } from './geyser-client.ts';
import { createYellowstoneSource } from './yellowstone-source.ts';

const [PROGRAM, PAYER, ACCOUNT, OTHER] = [1, 2, 3, 4].map((byte) =>
  getAddressDecoder().decode(new Uint8Array(32).fill(byte)),
) as [Address, Address, Address, Address];

type Change = readonly [account: Address, before: bigint, after: bigint];

function record(changes: readonly Change[], more: Partial<TransactionRecord> = {}): TransactionRecord {
  const data = new Uint8Array();
  const accounts = changes.map(([account]) => account);
  return {
    signature: '1',
    slot: 5n,
    unixTimestamp: null,
    version: 0,
    isFailed: false,
    instructions: [{ instructionIndex: 0, innerIndex: null, depth: 1, programId: PROGRAM, accounts, data }],
    logs: null,
    feePayer: PAYER,
    signers: [PAYER],
    writable: [PAYER, ...accounts],
    feeLamports: 5_000n,
    lamports: changes.map(([account, before, after]) => ({ account, before, after })),
    tokenBalances: [],
    ...more,
  };
}

describe('findClosedAccounts', () => {
  it('finds what the program was handed and left without lamports', () => {
    expect(
      findClosedAccounts(PROGRAM, [
        record([
          [ACCOUNT, 9n, 0n],
          [OTHER, 1n, 10n],
        ]),
      ]),
    ).toEqual([ACCOUNT]);
  });

  it('finds what another program had it close', () => {
    const data = new Uint8Array();
    const place = { instructionIndex: 0, accounts: [ACCOUNT], data };
    const instructions = [
      { ...place, innerIndex: null, depth: 1, programId: OTHER },
      { ...place, innerIndex: 0, depth: 2, programId: PROGRAM },
    ];
    expect(findClosedAccounts(PROGRAM, [record([[ACCOUNT, 9n, 0n]], { instructions })])).toEqual([ACCOUNT]);
    expect(
      findClosedAccounts(PROGRAM, [record([[ACCOUNT, 9n, 0n]], { instructions: instructions.slice(0, 1) })]),
    ).toEqual([]);
  });

  it.each<[string, Change, Partial<TransactionRecord>]>([
    ['never had lamports', [ACCOUNT, 0n, 0n], {}],
    ['keeps some', [ACCOUNT, 9n, 1n], {}],
    ['was in a transaction that failed', [ACCOUNT, 9n, 0n], { isFailed: true }],
    ['signed', [PAYER, 9n, 0n], {}],
    ['could not be written', [ACCOUNT, 9n, 0n], { writable: [PAYER] }],
    [
      'is a token account',
      [ACCOUNT, 9n, 0n],
      { tokenBalances: [{ account: ACCOUNT, mint: OTHER, owner: PAYER, decimals: 6, before: 1n, after: 0n }] },
    ],
  ])('leaves out what %s', (_, change, more) => {
    expect(findClosedAccounts(PROGRAM, [record([change], more)])).toEqual([]);
  });

  it('goes by how the slot ended', () => {
    const [open, close] = [record([[ACCOUNT, 0n, 9n]]), record([[ACCOUNT, 9n, 0n]])];
    expect(findClosedAccounts(PROGRAM, [close, open])).toEqual([]);
    expect(findClosedAccounts(PROGRAM, [close, open, close])).toEqual([ACCOUNT]);
    expect(findClosedAccounts(PROGRAM, [open, close])).toEqual([ACCOUNT]);
  });
});

describe('loadGeyserClient', () => {
  it('says what to do where there is no build for the machine', async () => {
    const missing = new Error('Cannot find native binding');
    await expect(loadGeyserClient(() => Promise.reject(missing))).rejects.toMatchObject({
      code: 'CHAIN__GRPC_UNSUPPORTED',
      message: expect.stringContaining(`${process.platform} ${process.arch}`),
      cause: missing,
    });
  });

  it('makes clients of the endpoint with its token, and leaves reconnection off', async () => {
    const made: unknown[][] = [];
    const published = {
      default: class {
        constructor(...options: unknown[]) {
          made.push(options);
        }
      },
    };
    const createClient = await loadGeyserClient(async () => published);
    createClient('http://127.0.0.1:1', 'token');
    expect(made).toEqual([['http://127.0.0.1:1', 'token', expect.any(Object)]]);
  });
});

describe('createYellowstoneSource', () => {
  it('refuses an endpoint that is no URL, without repeating it', async () => {
    const refused = createYellowstoneSource({ endpoint: 'mainnet key' });
    await expect(refused).rejects.toMatchObject({ code: 'CHAIN__RPC_INVALID' });
    await expect(refused).rejects.not.toThrow('key');
  });
});
