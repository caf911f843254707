import type { Address } from '@solana/kit';
import { DEFAULT_PROGRAMS } from '#programs/default-programs.ts';
import type { AccountPosition } from './account-position.ts';
import { deploymentOf } from './deployment.ts';
import type {
  AccountSource,
  AccountState,
  Engine,
  ExecuteOptions,
  ExecutionResult,
  SlotContext,
  TransactionError,
} from './engine.ts';
import { assertCanPay, feeWrite, isRentChangeAllowed, rentFailure, rentStateOf } from './fee-payer.ts';
import { IncomingTransaction } from './incoming-transaction.ts';
import { InstructionError, TransactionFailure } from './instruction-error.ts';
import { InstructionRunner } from './instruction-runner.ts';
import { LoadedAccount } from './loaded-account.ts';
import type { CalledInstruction, Program } from './program.ts';
import {
  BPF_LOADER,
  BUILTIN_PROGRAMS,
  INSTRUCTIONS_SYSVAR,
  NATIVE_LOADER,
  RESERVED_ADDRESSES,
  SYSTEM_PROGRAM,
  SYSVAR_PROGRAM,
  UPGRADEABLE_LOADER,
} from './runtime-addresses.ts';
import type { WireMessage } from './wire-transaction.ts';

const INSTRUCTIONS: AccountState = { lamports: 0n, owner: SYSVAR_PROGRAM, data: new Uint8Array(), executable: false };

/** Bytes every loaded account counts beyond its data, and every lookup table. */
const ACCOUNT_BASE_SIZE = 64;
const LOOKUP_TABLE_SIZE = 8_248;

/**
 * The engine that runs our own model of the programs. Compute units are the model's own numbers: a fixed cost per
 * instruction and call, more for what is done several times, near the real one and good for limits and logs, not for measuring.
 */
export function createModelEngine(programs: readonly Program[] = DEFAULT_PROGRAMS): Engine {
  const byId = new Map(programs.map((program) => [program.programId, program]));
  return {
    execute: (wire, accounts, context, options) => new Execution(byId, accounts, context).run(wire, options),
  };
}

/** One transaction on its way through the engine; what is known so far is what the result says. */
class Execution {
  readonly #programs: ReadonlyMap<Address, Program>;
  readonly #source: AccountSource;
  readonly #context: SlotContext;
  readonly #incoming = new IncomingTransaction();
  #accounts: readonly LoadedAccount[] = [];
  #isCharged = false;
  #runner: InstructionRunner | undefined;

  constructor(programs: ReadonlyMap<Address, Program>, source: AccountSource, context: SlotContext) {
    this.#programs = programs;
    this.#source = source;
    this.#context = context;
  }

  run(wire: Uint8Array, options: ExecuteOptions): ExecutionResult {
    try {
      this.#process(wire, options);
      return this.#result(null, true);
    } catch (error) {
      if (error instanceof TransactionFailure) return this.#result(error.error, error.isRecorded);
      throw error;
    }
  }

  #process(wire: Uint8Array, options: ExecuteOptions): void {
    const { message, budget } = this.#incoming.read(wire, this.#source, this.#context, options);
    this.#accounts = this.#incoming.accountKeys.map((address) => new LoadedAccount(address, this.#load(address)));
    const rentBefore = this.#accounts.map((account) => rentStateOf(account, this.#context.minimumBalance));
    this.#chargeFee();
    this.#assertLoadedSize(message, budget.loadedDataLimit);
    this.#assertPrograms(message);

    const isWritable = this.#accounts.map((_, index) => this.#isWritable(message, index));
    const runner = new InstructionRunner({
      accounts: this.#accounts,
      programs: this.#programs,
      deploymentOf: (program) => deploymentOf(program, this.#source),
      slot: this.#context,
      computeUnitLimit: BigInt(budget.unitLimit),
      readInstructions: () => this.#readInstructions(message, isWritable),
    });
    this.#runner = runner;
    runInstructions(message, runner, isWritable);
    for (const [index, account] of this.#accounts.entries()) {
      const before = rentBefore[index];
      if (!isWritable[index] || before === undefined) continue;
      const after = rentStateOf(account, this.#context.minimumBalance);
      if (!isRentChangeAllowed(account.address, before, after)) throw rentFailure(index, true);
    }
  }

  /**
   * An account of the ledger. A program the model knows is there even where the ledger has no account for it, and so are the transaction's
   * own instructions, which no ledger keeps; programs read them from the context.
   */
  #load(address: Address): AccountState | undefined {
    if (address === INSTRUCTIONS_SYSVAR) return INSTRUCTIONS;
    const known = this.#source.get(address);
    if (known !== undefined || !this.#programs.has(address)) return known;
    const owner = BUILTIN_PROGRAMS.has(address) ? NATIVE_LOADER : BPF_LOADER;
    return { lamports: 1n, owner, data: new Uint8Array(), executable: true };
  }

  #readInstructions(message: WireMessage, isWritable: readonly boolean[]): readonly CalledInstruction[] {
    const addressAt = (index: number): Address => this.#incoming.accountKeys[index] ?? SYSTEM_PROGRAM;
    return message.instructions.map(({ programIdIndex, accounts, data }) => ({
      programId: addressAt(programIdIndex),
      accounts: accounts.map((index) => ({
        address: addressAt(index),
        isSigner: index < message.header.numSignerAccounts,
        isWritable: isWritable[index] ?? false,
      })),
      data,
    }));
  }

  #chargeFee(): void {
    const payer = this.#accounts[0];
    if (payer === undefined) throw new TransactionFailure('AccountNotFound');
    const { fee } = this.#incoming;
    assertCanPay(payer.address, payer, fee, this.#context);
    payer.lamports -= fee;
    this.#isCharged = true;
  }

  #assertLoadedSize(message: WireMessage, limit: number): void {
    const size = this.#accounts.reduce(
      (sum, { before }) => sum + (before === undefined ? 0 : ACCOUNT_BASE_SIZE + before.data.length),
      message.addressTableLookups.length * LOOKUP_TABLE_SIZE,
    );
    if (size > limit) throw new TransactionFailure('MaxLoadedAccountsDataSizeExceeded', true);
  }

  #assertPrograms(message: WireMessage): void {
    for (const { programIdIndex } of message.instructions) {
      const program = this.#accounts[programIdIndex];
      if (program?.before === undefined) throw new TransactionFailure('ProgramAccountNotFound', true);
      if (!program.executable) throw new TransactionFailure('InvalidProgramForExecution', true);
    }
  }

  #isWritable(message: WireMessage, index: number): boolean {
    const { accountKeys, loadedAddresses } = this.#incoming;
    const address = accountKeys[index];
    if (address === undefined || RESERVED_ADDRESSES.has(address)) return false;
    const { header, staticAccounts } = message;
    if (index >= staticAccounts.length) return index < staticAccounts.length + loadedAddresses.writable.length;
    const writableSigners = header.numSignerAccounts - header.numReadonlySignerAccounts;
    const isMarked =
      index < header.numSignerAccounts
        ? index < writableSigners
        : index < staticAccounts.length - header.numReadonlyNonSignerAccounts;
    const isCalled = message.instructions.some(({ programIdIndex }) => programIdIndex === index);
    return isMarked && (!isCalled || accountKeys.includes(UPGRADEABLE_LOADER));
  }

  #result(error: TransactionError | null, isRecorded: boolean): ExecutionResult {
    const isFailure = error !== null;
    const { fee, accountKeys, loadedAddresses } = this.#incoming;
    const preBalances = this.#accounts.map(({ before }) => before?.lamports ?? 0n);
    const payer = this.#accounts[0];
    const postBalances = isFailure
      ? preBalances.map((lamports, index) => (index === 0 && this.#isCharged ? lamports - fee : lamports))
      : this.#accounts.map(({ lamports }) => lamports);
    return {
      error,
      isRecorded,
      logs: this.#runner?.logs ?? [],
      unitsConsumed: this.#runner?.unitsConsumed ?? 0n,
      fee,
      accountKeys,
      loadedAddresses,
      innerInstructions: this.#runner?.innerInstructions ?? [],
      returnData: this.#runner?.returnData ?? null,
      preBalances,
      postBalances,
      writes: isFailure ? this.#feeWrite(payer, isRecorded) : this.#changes(),
    };
  }

  #changes(): ReadonlyMap<Address, AccountState | undefined> {
    const changed = this.#accounts.filter((account) => account.isChanged);
    return new Map(changed.map((account) => [account.address, account.toState()]));
  }

  #feeWrite(payer: LoadedAccount | undefined, isRecorded: boolean): ReadonlyMap<Address, AccountState | undefined> {
    if (!isRecorded || payer?.before === undefined) return new Map();
    return feeWrite(payer.address, payer.before, this.#incoming.fee);
  }
}

function runInstructions(message: WireMessage, runner: InstructionRunner, isWritable: readonly boolean[]): void {
  for (const [index, instruction] of message.instructions.entries()) {
    const positions = instruction.accounts.map(
      (position): AccountPosition => ({
        index: position,
        isSigner: position < message.header.numSignerAccounts,
        isWritable: isWritable[position] ?? false,
      }),
    );
    try {
      runner.run(instruction.programIdIndex, positions, instruction.data);
    } catch (error) {
      if (!(error instanceof InstructionError)) throw error;
      throw new TransactionFailure({ InstructionError: [index, error.reason] }, true);
    }
  }
}
