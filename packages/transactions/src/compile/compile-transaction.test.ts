import { LendingError } from '@lending/errors';
import {
  COMPUTE_BUDGET_PROGRAM,
  decodeArguments,
  encodeInstruction,
  JITO_TIP_ACCOUNTS,
  lendingAccountEndFlashloan,
  lendingAccountStartFlashloan,
} from '@lending/programs';
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
import { linkFlashLoan } from './link-flash-loan.ts';
import { priceFromSamples } from './priority-price.ts';
import { replaceBlockhash } from './replace-blockhash.ts';
import { sizeAdvice } from './size-advice.ts';
import { ANY_BLOCKHASH, addressOf, instructionOf, OPTIONS, PAYER, PROGRAM, range } from './testing-instructions.ts';
import { tipInstruction } from './tip.ts';
import type { MessageOptions } from './transaction-draft.ts';
import { useLookupTables } from './use-lookup-tables.ts';

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

const [A, B, C] = [addressOf(5_001), addressOf(5_002), addressOf(5_003)] as const;

function lookedUp(instructions: readonly Instruction[]): Record<Address, readonly Address[]> {
  const found: Record<Address, readonly Address[]> = {};
  for (const account of instructions.flatMap(({ accounts = [] }) => accounts)) {
    if (!('lookupTableAddress' in account)) continue;
    const table = account.lookupTableAddress;
    found[table] = [...(found[table] ?? []), account.address];
  }
  return found;
}

describe('useLookupTables', () => {
  it('leaves out a table that costs more bytes than it saves', () => {
    const instructions = [instructionOf({ accounts: [1, 2, 3] })];
    expect(useLookupTables(instructions, PAYER, { [A]: [addressOf(1)] })).toBe(instructions);
    expect(lookedUp(useLookupTables(instructions, PAYER, { [A]: [addressOf(2), addressOf(1)] }))).toEqual({
      [A]: [addressOf(1), addressOf(2)],
    });
  });

  it('takes the fullest tables first, and no more of them than save bytes', () => {
    const used = useLookupTables([instructionOf({ accounts: range(1, 8) })], PAYER, {
      [A]: [1, 2, 3].map(addressOf),
      [B]: [1, 2, 3, 4].map(addressOf),
      [C]: [5, 6, 4].map(addressOf),
    });
    expect(lookedUp(used)).toEqual({ [B]: [1, 2, 3, 4].map(addressOf), [C]: [5, 6].map(addressOf) });
  });

  it('never takes payer, signers, programs or tip accounts through a table', () => {
    const signer = addressOf(8);
    const inner = addressOf(9);
    const [tip] = JITO_TIP_ACCOUNTS as [Address];
    const writable = (address: Address) => ({ address, role: AccountRole.WRITABLE });
    const instructions: Instruction[] = [
      { programAddress: PROGRAM, accounts: [PAYER, signer, tip, inner, addressOf(1), addressOf(2)].map(writable) },
      { programAddress: inner, accounts: [{ address: signer, role: AccountRole.READONLY_SIGNER }] },
    ];
    const table = [PAYER, signer, tip, PROGRAM, inner, addressOf(1), addressOf(2)];
    expect(lookedUp(useLookupTables(instructions, PAYER, { [A]: table }))).toEqual({
      [A]: [addressOf(1), addressOf(2)],
    });
  });

  it('keeps what each instruction may do with an account', () => {
    const [used] = useLookupTables(
      [
        {
          programAddress: PROGRAM,
          accounts: [
            { address: addressOf(1), role: AccountRole.READONLY },
            { address: addressOf(2), role: AccountRole.WRITABLE },
          ],
        },
      ],
      PAYER,
      { [A]: [addressOf(2), addressOf(1)] },
    );
    expect(used?.accounts).toEqual([
      { address: addressOf(1), role: AccountRole.READONLY, lookupTableAddress: A, addressIndex: 1 },
      { address: addressOf(2), role: AccountRole.WRITABLE, lookupTableAddress: A, addressIndex: 0 },
    ]);
  });
});

const [ACCOUNT, SYSVAR, GROUP] = [addressOf(50), addressOf(51), addressOf(52)];
const start = encodeInstruction(
  lendingAccountStartFlashloan,
  PROGRAM,
  { marginfiAccount: ACCOUNT, authority: PAYER, ixsSysvar: SYSVAR },
  { endIndex: 0n },
);
const endOf = (program: Address) =>
  encodeInstruction(
    lendingAccountEndFlashloan,
    program,
    { marginfiAccount: ACCOUNT, group: GROUP, authority: PAYER },
    {},
  );
const end = endOf(PROGRAM);
const other = instructionOf({ accounts: [1, 2] });

/** Position of the end as the start of a compiled message names it, and where it stands. */
function compiled(options: Partial<MessageOptions>) {
  const draft = { type: 'LOOP', label: 'Loop', instructions: [other, other, start, other, end, other] } as const;
  const { wire } = compileTransaction(draft, {
    ...OPTIONS,
    ...options,
    computeUnitLimit: 1,
    blockhash: ANY_BLOCKHASH,
  });
  const message = getCompiledTransactionMessageDecoder().decode(getTransactionDecoder().decode(wire).messageBytes);
  const datas =
    message.version === 1
      ? message.instructionPayloads.map(({ instructionData }) => instructionData)
      : message.instructions.map(({ data }) => data);
  const startsWith = (discriminator: Uint8Array) => (data: ArrayLike<number> | undefined) =>
    discriminator.every((byte, index) => data?.[index] === byte);
  const found = datas.find(startsWith(lendingAccountStartFlashloan.discriminator));
  const { endIndex } = decodeArguments(lendingAccountStartFlashloan, Uint8Array.from(found ?? []));
  return {
    named: Number(endIndex),
    stands: datas.findIndex(startsWith(lendingAccountEndFlashloan.discriminator)),
  };
}

describe('linkFlashLoan', () => {
  it('counts the compute budget and what stands before the loan', () => {
    expect(compiled({})).toEqual({ named: 6, stands: 6 });
  });

  it('counts no price where none is paid', () => {
    expect(compiled({ microLamportsPerUnit: 0n })).toEqual({ named: 5, stands: 5 });
  });

  it('counts no budget in version 1, where it is none of the instructions', () => {
    expect(compiled({ version: 1 })).toEqual({ named: 4, stands: 4 });
  });

  it('leaves all other instructions, and messages without a loan, as they are', () => {
    const without = { instructions: [other, end] };
    expect(linkFlashLoan(without)).toBe(without);
    const linked = linkFlashLoan({ instructions: [start, other, end] }).instructions;
    expect(linked.slice(1)).toEqual([other, end]);
    expect(linked[0]).toMatchObject({ programAddress: PROGRAM, accounts: start.accounts });
  });

  it('takes no end of another program for the loan’s', () => {
    const linked = linkFlashLoan({ instructions: [start, end, endOf(addressOf(60))] }).instructions[0];
    expect(decodeArguments(lendingAccountStartFlashloan, linked?.data as Uint8Array)).toEqual({ endIndex: 1n });
    expect(() => linkFlashLoan({ instructions: [start, other] })).toThrow(RangeError);
  });
});

const NEXT = { value: addressOf(77), lastValidBlockHeight: 300n };
const signer = { address: addressOf(50), role: AccountRole.READONLY_SIGNER } as const;

describe('replaceBlockhash', () => {
  it.each([
    ['version 0', 0, [instructionOf({ accounts: range(0, 5) })]],
    ['version 0 through a table', 0, [instructionOf({ accounts: range(10, 40) })]],
    ['version 0 with two signers', 0, [{ programAddress: PROGRAM, accounts: [signer] }]],
    ['version 1', 1, [instructionOf({ accounts: range(0, 60) })]],
    ['version 1 with two signers', 1, [{ programAddress: PROGRAM, accounts: [signer] }]],
  ] as const)('gives the bytes of a compilation with that blockhash: %s', (_, version, instructions) => {
    const draft = { type: 'DEPOSIT', label: 'Deposit 1 SOL', instructions } as const;
    const lookupTables = { [TABLE]: range(10, 40).map(addressOf) };
    const options = { ...OPTIONS, version, lookupTables, computeUnitLimit: 1_000 };
    const before = compileTransaction(draft, { ...options, blockhash: ANY_BLOCKHASH });
    const wire = before.wire.slice();
    const after = replaceBlockhash(before, NEXT);
    expect(after).toEqual(compileTransaction(draft, { ...options, blockhash: NEXT }));
    expect(before.wire).toEqual(wire);
    expect(after.wire).not.toEqual(wire);
  });
});

it.each([
  ['DEPOSIT', 0, true, /^Pass `transaction_version` 1 .*, or use an `account` with fewer balances\.$/],
  ['DEPOSIT', 1, true, /^Use an `account` with fewer balances, or close balances/],
  [
    'LOOP',
    0,
    true,
    /^Pass `transaction_version` 1 .*, or lower `amount`, choose a more liquid pair, .*`create_new_account`\.$/,
  ],
  ['LOOP', 0, false, /^Lower `amount`, choose a more liquid pair, or loop in an account of its own/],
  ['CLOSE_POSITION', 1, true, /^Repay less at a time with `amount`, or choose a more liquid pair/],
] as const)('says of a %s in version %s what makes it smaller', (type, version, isOverBytes, advice) => {
  expect(sizeAdvice(type, version, { isOverBytes })).toMatch(advice);
});

describe('tipInstruction', () => {
  it('pays one of the tip accounts, each of them at some time', () => {
    const paid = JITO_TIP_ACCOUNTS.map((_, index) => tipInstruction(PAYER, 1_000n, () => (index + 0.5) / 8));
    expect(paid.map(({ accounts }) => accounts?.[1]?.address)).toEqual(JITO_TIP_ACCOUNTS);
    expect(paid[0]?.accounts).toMatchObject([
      { address: PAYER, role: AccountRole.WRITABLE_SIGNER },
      { role: AccountRole.WRITABLE },
    ]);
  });
});

const CEILING = { ceiling: 1_000_000n };

describe('priceFromSamples', () => {
  it('takes the 25th, 50th and 75th of a hundred that paid, whatever did not', () => {
    const samples = [...Array.from({ length: 100 }, (_, index) => BigInt(100 - index)), ...Array(500).fill(0n)];
    expect(priceFromSamples(samples, 'low', CEILING)).toBe(25n);
    expect(priceFromSamples(samples, 'medium', CEILING)).toBe(50n);
    expect(priceFromSamples(samples, 'high', CEILING)).toBe(75n);
  });

  it('takes the only one at every level', () => {
    expect(priceFromSamples([0n, 9n], 'low', CEILING)).toBe(9n);
    expect(priceFromSamples([9n, 0n], 'high', CEILING)).toBe(9n);
  });

  it('sorts by value, not by digits', () => {
    expect(priceFromSamples([100n, 20n, 3n], 'medium', CEILING)).toBe(20n);
  });

  it('asks for nothing where nobody paid', () => {
    expect(priceFromSamples([0n, 0n], 'high', CEILING)).toBe(0n);
    expect(priceFromSamples([], 'medium', CEILING)).toBe(0n);
  });

  it('never goes above the ceiling, but for the caller', () => {
    expect(priceFromSamples([5_000_000n], 'medium', CEILING)).toBe(1_000_000n);
    expect(priceFromSamples([1n], 5_000_000n, CEILING)).toBe(5_000_000n);
    expect(priceFromSamples([1n], 0n, CEILING)).toBe(0n);
  });
});
