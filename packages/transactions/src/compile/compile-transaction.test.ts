import { LendingError } from '@lending/errors';
import { COMPUTE_BUDGET_PROGRAM } from '@lending/programs';
import {
  AccountRole,
  type Address,
  address,
  decompileTransactionMessage,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  type Instruction,
} from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { compileTransaction } from './compile-transaction.ts';
import type { CompiledTransaction } from './compiled-transaction.ts';
import { ANY_BLOCKHASH, addressOf, instructionOf, OPTIONS, PAYER, PROGRAM, range } from './testing-instructions.ts';

const TABLE = addressOf(4_000);
const SECP256K1 = address('KeccakSecp256k11111111111111111111111111111');
const BUDGET = { computeUnitLimit: 300_000, blockhash: ANY_BLOCKHASH };

function compile(
  instructions: readonly Instruction[],
  options: Partial<Parameters<typeof compileTransaction>[1]> = {},
) {
  const draft = { type: 'DEPOSIT', label: 'Deposit 1 SOL', instructions } as const;
  return compileTransaction(draft, { ...OPTIONS, ...BUDGET, ...options });
}

function decode({ wire }: CompiledTransaction) {
  const { messageBytes, signatures } = getTransactionDecoder().decode(wire);
  return { signatures, message: getCompiledTransactionMessageDecoder().decode(messageBytes) };
}

function instructionsOf(message: Parameters<typeof decompileTransactionMessage>[0]): readonly Instruction[] {
  return decompileTransactionMessage(message).instructions;
}

/** The data of one instruction that makes a version 0 transaction of one account so many bytes long. */
function instructionFor(wireBytes: number, version: 0 | 1 = 0): Instruction {
  const { wire } = compile([instructionOf({ bytes: 300 })], { version });
  return instructionOf({ bytes: 300 + wireBytes - wire.length });
}

function refusalOf(run: () => unknown): LendingError {
  try {
    run();
  } catch (error) {
    if (error instanceof LendingError) return error;
    throw error;
  }
  throw new Error('It was not refused');
}

describe('compileTransaction', () => {
  it('writes what kit reads back: budget first, then the instructions, with zero signatures', () => {
    const instruction = { ...instructionOf({ accounts: [1, 2] }), data: Uint8Array.of(1, 2, 3) };
    const compiled = compile([instruction]);
    const { message, signatures } = decode(compiled);
    expect(signatures).toEqual({ [PAYER]: null });
    expect(message.version).toBe(0);
    expect(message).toMatchObject({ lifetimeToken: ANY_BLOCKHASH.value });
    const { feePayer } = decompileTransactionMessage(message);
    const instructions = instructionsOf(message);
    expect(feePayer.address).toBe(PAYER);
    expect(instructions.map(({ programAddress }) => programAddress)).toEqual([
      COMPUTE_BUDGET_PROGRAM,
      COMPUTE_BUDGET_PROGRAM,
      PROGRAM,
    ]);
    expect([...(instructions[0]?.data ?? [])]).toEqual([2, 0xe0, 0x93, 0x04, 0]);
    expect([...(instructions[1]?.data ?? [])]).toEqual([3, 0xe8, 0x03, 0, 0, 0, 0, 0, 0]);
    expect([...(instructions[2]?.data ?? [])]).toEqual([1, 2, 3]);
    expect(compiled).toMatchObject({
      type: 'DEPOSIT',
      label: 'Deposit 1 SOL',
      version: 0,
      signers: [PAYER],
      writableCount: 3,
      programs: [COMPUTE_BUDGET_PROGRAM, PROGRAM],
      computeUnitLimit: 300_000,
      priorityFeeLamports: 300n,
    });
    expect(new Set(compiled.accounts)).toEqual(
      new Set([PAYER, addressOf(1), addressOf(2), PROGRAM, COMPUTE_BUDGET_PROGRAM]),
    );
  });

  it('rounds the priority fee up and leaves a price of nothing out', () => {
    expect(compile([instructionOf({})], { microLamportsPerUnit: 1n, computeUnitLimit: 1 }).priorityFeeLamports).toBe(
      1n,
    );
    const free = compile([instructionOf({})], { microLamportsPerUnit: 0n });
    expect(free.priorityFeeLamports).toBe(0n);
    expect(instructionsOf(decode(free).message)).toHaveLength(2);
  });

  it('leaves the check of signatures the place that its data names', () => {
    const check = { programAddress: SECP256K1, data: Uint8Array.of(1, 0, 0) };
    const { message } = decode(compile([check, instructionOf({})]));
    const programs = instructionsOf(message).map(({ programAddress }) => programAddress);
    expect(programs).toEqual([SECP256K1, PROGRAM, COMPUTE_BUDGET_PROGRAM, COMPUTE_BUDGET_PROGRAM]);
  });

  it('counts the signatures that a crank has checked into the fee', () => {
    const check = { programAddress: SECP256K1, data: Uint8Array.of(3, 0, 0) };
    expect(compile([check, instructionOf({})]).signatureFeeLamports).toBe(20_000n);
    expect(compile([instructionOf({})]).signatureFeeLamports).toBe(5_000n);
  });

  it('takes accounts through lookup tables, and lists them in message order', () => {
    const readonly = { address: addressOf(3), role: AccountRole.READONLY };
    const instruction = instructionOf({ accounts: [1, 2] });
    const compiled = compile([{ ...instruction, accounts: [readonly, ...(instruction.accounts ?? [])] }], {
      lookupTables: { [TABLE]: [addressOf(3), addressOf(9), addressOf(1), addressOf(2)] },
    });
    expect(decode(compiled).message).toMatchObject({
      addressTableLookups: [{ lookupTableAddress: TABLE, writableIndexes: [2, 3], readonlyIndexes: [0] }],
    });
    expect(compiled.accounts.slice(-3)).toEqual([addressOf(1), addressOf(2), addressOf(3)]);
    expect(compiled.accounts[0]).toBe(PAYER);
    expect(compiled.accounts).toHaveLength(6);
    expect(compiled.writableCount).toBe(3);
  });

  it('uses the tables of the draft besides those of the build', () => {
    const draft = {
      type: 'CRANK',
      label: 'Update an oracle price',
      instructions: [instructionOf({ accounts: range(0, 4) })],
      lookupTables: { [TABLE]: [addressOf(0), addressOf(1), addressOf(2)] },
    } as const;
    const compiled = compileTransaction(draft, { ...OPTIONS, ...BUDGET });
    expect(compiled.accounts).toHaveLength(7);
    expect(decode(compiled).message).toMatchObject({ addressTableLookups: [{ writableIndexes: [0, 1, 2] }] });
  });

  it('takes 1,232 bytes and refuses 1,233, saying by how much', () => {
    expect(compile([instructionFor(1_232)]).wire).toHaveLength(1_232);
    const refusal = refusalOf(() => compile([instructionFor(1_233)]));
    expect(refusal.code).toBe('ACTION__TRANSACTION_EXCEEDED');
    expect(refusal.context).toMatchObject({ bytes_over: 1, bytes: 1_233, max_bytes: 1_232, accounts: 3 });
    expect(refusal.message).toContain('1 bytes over 1232');
    expect(refusal.message).toContain('`transaction_version` 1');
  });

  it('says no bytes where there are too many accounts to write down', () => {
    const lookupTables = { [TABLE]: range(0, 62).map(addressOf) };
    expect(compile([instructionOf({ accounts: range(0, 61) })], { lookupTables }).accounts).toHaveLength(64);
    const refusal = refusalOf(() => compile([instructionOf({ accounts: range(0, 62) })], { lookupTables }));
    expect(refusal.context).toMatchObject({ bytes_over: null, accounts: 65, max_accounts: 64 });
  });

  it('writes a draft down again only where something of it is another', () => {
    const draft = {
      type: 'DEPOSIT',
      label: 'Deposit 1 SOL',
      instructions: [instructionOf({ accounts: [1] })],
    } as const;
    const options = { ...OPTIONS, ...BUDGET };
    const first = compileTransaction(draft, options);
    expect(compileTransaction(draft, { ...options })).toBe(first);
    const others = [
      { computeUnitLimit: 300_001 },
      { microLamportsPerUnit: options.microLamportsPerUnit + 1n },
      { payer: addressOf(9) },
      { version: 1 as const },
      { blockhash: { ...ANY_BLOCKHASH, value: '2'.repeat(32) } },
      { lookupTables: { [TABLE]: [addressOf(1), addressOf(2)] } },
    ];
    for (const other of others) {
      compileTransaction(draft, options);
      const written = compileTransaction(draft, { ...options, ...other });
      const anew = compileTransaction({ ...draft }, { ...options, ...other });
      expect(written).not.toBe(first);
      expect(written).toEqual(anew);
    }
  });

  describe('version 1', () => {
    it('puts limits and the whole fee into the header, and addresses into the message', () => {
      const compiled = compile([instructionOf({ accounts: [1, 2] })], {
        version: 1,
        lookupTables: { [TABLE]: [addressOf(1), addressOf(2)] },
      });
      expect(compiled.wire[0]).toBe(0x81);
      expect(decompileTransactionMessage(decode(compiled).message)).toMatchObject({
        version: 1,
        config: { computeUnitLimit: 300_000, loadedAccountsDataSizeLimit: 67_108_864, priorityFeeLamports: 300n },
        instructions: [{ programAddress: PROGRAM }],
      });
      expect(compiled).toMatchObject({ version: 1, programs: [PROGRAM], signers: [PAYER], writableCount: 3 });
      expect(compiled.accounts).toHaveLength(4);
    });

    it('takes 4,096 bytes and refuses 4,097', () => {
      expect(compile([instructionFor(4_096, 1)], { version: 1 }).wire).toHaveLength(4_096);
      const refusal = refusalOf(() => compile([instructionFor(4_097, 1)], { version: 1 }));
      expect(refusal.context).toMatchObject({ bytes_over: 1, max_bytes: 4_096, transaction_version: 1 });
      expect(refusal.message).not.toContain('transaction_version');
    });

    it('takes 64 accounts and refuses 65', () => {
      const whole = compile([instructionOf({ accounts: range(0, 62) })], { version: 1 });
      expect(whole.accounts).toHaveLength(64);
      const refusal = refusalOf(() => compile([instructionOf({ accounts: range(0, 63) })], { version: 1 }));
      expect(refusal.context).toMatchObject({ bytes_over: null, accounts: 65 });
    });
  });

  it('names each account once, also one that signs', () => {
    const signer: Address = addressOf(7);
    const compiled = compile([
      { programAddress: PROGRAM, accounts: [{ address: signer, role: AccountRole.READONLY_SIGNER }] },
      { programAddress: PROGRAM, accounts: [{ address: signer, role: AccountRole.WRITABLE }] },
    ]);
    expect(compiled.signers).toEqual([PAYER, signer]);
    expect(compiled.accounts.filter((each) => each === signer)).toHaveLength(1);
    expect(compiled.writableCount).toBe(2);
    expect(compiled.wire[0]).toBe(2);
  });
});
