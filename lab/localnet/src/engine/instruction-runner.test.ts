import { AccountRole, type Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { DEFAULT_PROGRAMS } from '#programs/default-programs.ts';
import { findProgramAddress } from './derived-address.ts';
import type { AccountState } from './engine.ts';
import { customError } from './instruction-error.ts';
import { createModelEngine } from './model-engine.ts';
import type { InvokeContext, ProgramHandler } from './program.ts';
import { SYSTEM_PROGRAM } from './runtime-addresses.ts';
import { addressOf, CONTEXT, legacyTransaction, sourceOf, transferOf, wallet, wireOf } from './testing-transactions.ts';

const SOL = 1_000_000_000n;
const ALICE = addressOf(1);
const BOB = addressOf(2);
const PROGRAM = addressOf(40);
const OTHER = addressOf(41);
const seeds = [new TextEncoder().encode('vault')];
const vault = findProgramAddress(seeds, PROGRAM);
const OWNED: AccountState = { lamports: SOL, owner: PROGRAM, data: new Uint8Array(8), executable: false };

/** Runs one instruction of a made-up program over writable accounts, Alice signing. */
function run(
  handle: ProgramHandler,
  accounts: readonly Address[],
  options: { readonly role?: AccountRole; readonly other?: ProgramHandler } = {},
) {
  const engine = createModelEngine([
    ...DEFAULT_PROGRAMS,
    { programId: PROGRAM, handle, units: 10n },
    { programId: OTHER, handle: options.other ?? (() => {}), units: 10n },
  ]);
  const role = options.role ?? AccountRole.WRITABLE;
  const transaction = legacyTransaction(ALICE, [
    {
      programAddress: PROGRAM,
      accounts: accounts.map((address) => ({
        address,
        role: address === SYSTEM_PROGRAM || address === OTHER || address === PROGRAM ? AccountRole.READONLY : role,
      })),
      data: new Uint8Array(),
    },
  ]);
  const source = sourceOf({
    [ALICE]: wallet(SOL),
    [BOB]: wallet(SOL),
    [addressOf(3)]: OWNED,
    [vault.address]: wallet(SOL),
  });
  return engine.execute(wireOf(transaction), source, CONTEXT, { verifySignatures: false });
}

function callTransfer(context: InvokeContext, from: Address, lamports: bigint, signerSeeds?: Uint8Array[][]) {
  const instruction = transferOf(from, BOB, lamports);
  context.invoke(
    {
      programId: SYSTEM_PROGRAM,
      accounts: [
        { address: from, isSigner: true, isWritable: true },
        { address: BOB, isSigner: false, isWritable: true },
      ],
      data: new Uint8Array(instruction.data ?? []),
    },
    signerSeeds,
  );
}

function call(context: InvokeContext, programId: Address): void {
  context.invoke({ programId, accounts: [], data: new Uint8Array() });
}

describe('InstructionRunner', () => {
  it('lets a program sign for its own derived address and shows the call', () => {
    const signer = [...seeds, Uint8Array.of(vault.bump)];
    const result = run(
      (context) => callTransfer(context, vault.address, 5n * 10n ** 8n, [signer]),
      [vault.address, BOB, SYSTEM_PROGRAM],
    );
    expect(result.error).toBeNull();
    expect(result.writes.get(BOB)?.lamports).toBe(SOL + 5n * 10n ** 8n);
    const accounts = [vault.address, BOB].map((address) => result.accountKeys.indexOf(address));
    expect(result.innerInstructions).toEqual([
      { index: 0, instructions: [expect.objectContaining({ stackHeight: 2, accounts })] },
    ]);
    expect(result.logs[1]).toBe(`Program ${SYSTEM_PROGRAM} invoke [2]`);
    expect(result.logs.at(-2)).toMatch(/^Program \w+ consumed \d+ of 200000 compute units$/);
  });

  it('lends no signature that the caller does not have', () => {
    const result = run((context) => callTransfer(context, BOB, 1n), [BOB, SYSTEM_PROGRAM]);
    expect(result.error).toEqual({ InstructionError: [0, 'PrivilegeEscalation'] });
    expect(result.logs).toContain(`${BOB}'s signer privilege escalated`);
  });

  it('lends no right to write that the caller does not have', () => {
    const handle: ProgramHandler = (context) => callTransfer(context, vault.address, 1n);
    const result = run(handle, [vault.address, BOB, SYSTEM_PROGRAM], { role: AccountRole.READONLY });
    expect(result.error).toEqual({ InstructionError: [0, 'PrivilegeEscalation'] });
    expect(result.logs).toContain(`${vault.address}'s writable privilege escalated`);
  });

  it('gives every position of an account the rights of any of them', () => {
    const seen: boolean[][] = [];
    const other: ProgramHandler = ({ accounts }) => {
      seen.push(
        accounts.map(({ isSigner }) => isSigner),
        accounts.map(({ isWritable }) => isWritable),
      );
    };
    const signer = { address: ALICE, isSigner: true, isWritable: false };
    const writable = { address: ALICE, isSigner: false, isWritable: true };
    const handle: ProgramHandler = (context) => {
      context.invoke({ programId: OTHER, accounts: [signer, writable, meta(BOB)], data: new Uint8Array() });
    };
    expect(run(handle, [ALICE, BOB, OTHER], { other }).error).toBeNull();
    expect(seen).toEqual([
      [true, true, false],
      [true, true, false],
    ]);
  });

  it('calls no program the instruction does not name', () => {
    const result = run((context) => call(context, OTHER), []);
    expect(result.error).toEqual({ InstructionError: [0, 'MissingAccount'] });
  });

  it.each<[string, ProgramHandler, Address]>([
    ['ExternalAccountDataModified', ({ accounts }) => accounts[0]?.writableData().fill(1), addressOf(4)],
    ['ExternalAccountLamportSpend', ({ accounts }) => spend(accounts), BOB],
    ['UnbalancedInstruction', ({ accounts }) => spend(accounts), addressOf(3)],
    ['ModifiedProgramId', ({ accounts }) => accounts[0]?.assign(OTHER), BOB],
  ])('ends with %s what a program may not do', (reason, handle, account) => {
    const foreign = { ...OWNED, owner: OTHER };
    const engine = createModelEngine([...DEFAULT_PROGRAMS, { programId: PROGRAM, handle, units: 10n }]);
    const transaction = legacyTransaction(ALICE, [
      { programAddress: PROGRAM, accounts: [{ address: account, role: AccountRole.WRITABLE }], data: new Uint8Array() },
    ]);
    const source = sourceOf({
      [ALICE]: wallet(SOL),
      [BOB]: wallet(SOL),
      [addressOf(3)]: OWNED,
      [addressOf(4)]: foreign,
    });
    const result = engine.execute(wireOf(transaction), source, CONTEXT, { verifySignatures: false });
    expect(result.error).toEqual({ InstructionError: [0, reason] });
  });

  it('lets a program write what already stood in a read-only account, but nothing else', () => {
    const write = (value: number) =>
      run(({ accounts }) => accounts[0]?.writableData().fill(value), [addressOf(3)], { role: AccountRole.READONLY });
    expect(write(0).error).toBeNull();
    expect(write(1).error).toEqual({ InstructionError: [0, 'ReadonlyDataModified'] });
  });

  it('lets a program call itself five deep and no deeper', () => {
    let depth = 0;
    const handle: ProgramHandler = (context) => {
      depth = Math.max(depth, context.stackHeight);
      context.invoke({ programId: PROGRAM, accounts: [meta(PROGRAM)], data: new Uint8Array() });
    };
    expect(run(handle, [PROGRAM]).error).toEqual({ InstructionError: [0, 'CallDepth'] });
    expect(depth).toBe(5);
  });

  it('does not let a program be called again by another one', () => {
    const handle: ProgramHandler = (context) => {
      context.invoke({ programId: OTHER, accounts: [meta(PROGRAM)], data: new Uint8Array() });
    };
    const result = run(handle, [OTHER, PROGRAM], { other: (context) => call(context, PROGRAM) });
    expect(result.error).toEqual({ InstructionError: [0, 'ReentrancyNotAllowed'] });
  });

  it('stops a program that uses more compute units than it was given', () => {
    const result = run((context) => context.consume(300_000n), []);
    expect(result.error).toEqual({ InstructionError: [0, 'ProgramFailedToComplete'] });
    expect(result.unitsConsumed).toBe(200_000n);
    expect(result.logs.at(-1)).toMatch(/^Program \w+ failed: exceeded CUs meter at BPF instruction$/);
  });

  it('tells a program that the runtime’s help takes more than is left', () => {
    const result = run((context) => context.consume(300_000n, 'syscall'), []);
    expect(result.error).toEqual({ InstructionError: [0, 'ComputationalBudgetExceeded'] });
    expect(result.logs.at(-1)).toMatch(/^Program \w+ failed: Computational budget exceeded$/);
    const calling = run(
      (context) => {
        context.consume(199_000n);
        context.invoke({ programId: OTHER, accounts: [], data: new Uint8Array() });
      },
      [OTHER],
      { other: () => {} },
    );
    expect(calling.error).toEqual({ InstructionError: [0, 'ComputationalBudgetExceeded'] });
  });

  it('hands return data to the caller and rolls back what a failing call did', () => {
    const answered: unknown[] = [];
    const other: ProgramHandler = (context) => context.setReturnData(Uint8Array.of(7));
    const result = run(
      (context) => {
        context.invoke({ programId: OTHER, accounts: [], data: new Uint8Array() });
        answered.push(context.returnData);
        context.accounts[0]?.writableData().fill(9);
        throw customError(6_001);
      },
      [addressOf(3), OTHER],
      { other },
    );
    expect(answered).toEqual([{ programId: OTHER, data: Uint8Array.of(7) }]);
    expect(result.error).toEqual({ InstructionError: [0, { Custom: 6_001 }] });
    expect(result.logs.at(-1)).toBe(`Program ${PROGRAM} failed: custom program error: 0x1771`);
    expect([...result.writes.keys()]).toEqual([ALICE]);
  });

  it('shows a program, called or not, the instructions of the transaction and which of them runs', () => {
    const seen: unknown[] = [];
    const look = ({ transaction }: InvokeContext) => {
      const [first] = transaction.instructions;
      seen.push([transaction.currentIndex, transaction.instructions.length, first?.programId, first?.accounts]);
    };
    const handle: ProgramHandler = (context) => {
      look(context);
      context.invoke({ programId: OTHER, accounts: [], data: new Uint8Array() });
    };
    run(handle, [BOB, OTHER], { other: look });
    const accounts = [
      { address: BOB, isSigner: false, isWritable: true },
      { address: OTHER, isSigner: false, isWritable: false },
    ];
    expect(seen).toEqual([
      [0, 1, PROGRAM, accounts],
      [0, 1, PROGRAM, accounts],
    ]);
  });

  it('tells data that is still the ledger’s from data that was written to', () => {
    const seen: boolean[] = [];
    run(
      ({ accounts: [account] }) => {
        seen.push(account?.isUntouched ?? false);
        account?.writableData().fill(0);
        seen.push(account?.isUntouched ?? false);
      },
      [addressOf(3)],
    );
    expect(seen).toEqual([true, false]);
  });

  it('cuts the log where a validator does', () => {
    const result = run(({ log }) => {
      for (let line = 0; line < 100; line++) log('x'.repeat(200));
    }, []);
    expect(result.logs.at(-1)).toBe('Log truncated');
    expect(result.logs.join('').length).toBeLessThan(10_000);
  });
});

function spend(accounts: InvokeContext['accounts']): void {
  const [account] = accounts;
  if (account !== undefined) account.lamports -= 1n;
}

function meta(address: Address) {
  return { address, isSigner: false, isWritable: false };
}
