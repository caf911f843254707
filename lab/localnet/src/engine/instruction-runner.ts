import type { Address } from '@solana/kit';
import { type AccountPosition, grantPositions } from './account-position.ts';
import type { Deployment } from './deployment.ts';
import { createProgramAddress } from './derived-address.ts';
import type { ExecutedInstruction, SlotContext } from './engine.ts';
import { InstructionAccount } from './instruction-account.ts';
import { InstructionError } from './instruction-error.ts';
import type { LoadedAccount } from './loaded-account.ts';
import type { CalledInstruction, InvokeContext, Program, ReturnData } from './program.ts';
import { BUILTIN_PROGRAMS, NATIVE_LOADER, SYSTEM_PROGRAM } from './runtime-addresses.ts';

/** Calls may nest four deep below the transaction's own instruction. */
const MAX_STACK_HEIGHT = 5;
/** Instructions one transaction may run, calls included. */
const MAX_TRACE_LENGTH = 64;
const MAX_RETURN_DATA = 1024;
/** What a call costs the caller, in the model's units. */
const CALL_UNITS = 1_000n;

interface Frame {
  readonly program: Program;
  readonly deployed: Uint8Array | null;
  readonly positions: readonly AccountPosition[];
  readonly accounts: readonly InstructionAccount[];
  /** Lamports each account had when this program last had its say. */
  readonly lamports: bigint[];
  readonly closed: Set<InstructionAccount>;
}

export interface RunnerInput {
  readonly accounts: readonly LoadedAccount[];
  readonly programs: ReadonlyMap<Address, Program>;
  /** What was deployed for a program, as far as the ledger has it. */
  readonly deploymentOf: (program: LoadedAccount) => Deployment | null;
  readonly slot: SlotContext;
  readonly computeUnitLimit: bigint;
  /** The transaction's own instructions. Few programs look at them, so they are put together when asked for. */
  readonly readInstructions: () => readonly CalledInstruction[];
}

/** Runs the instructions of one transaction over its loaded accounts, enforcing the runtime's rules on every program. */
export class InstructionRunner {
  readonly #input: RunnerInput;
  readonly #indexByAddress: ReadonlyMap<Address, number>;
  readonly #stack: Frame[] = [];
  readonly #log = new LogCollector();
  readonly #inner: ExecutedInstruction[][] = [];
  #traceLength = 0;
  #unitsLeft: bigint;
  #returnData: ReturnData | null = null;
  #instructions: readonly CalledInstruction[] | undefined;

  constructor(input: RunnerInput) {
    this.#input = input;
    this.#unitsLeft = input.computeUnitLimit;
    this.#indexByAddress = new Map(input.accounts.map((account, index) => [account.address, index]));
  }

  get logs(): readonly string[] {
    return this.#log.lines;
  }

  get unitsConsumed(): bigint {
    return this.#input.computeUnitLimit - this.#unitsLeft;
  }

  get returnData(): ReturnData | null {
    return this.#returnData;
  }

  get innerInstructions(): { readonly index: number; readonly instructions: readonly ExecutedInstruction[] }[] {
    return this.#inner
      .map((instructions, index) => ({ index, instructions }))
      .filter(({ instructions }) => instructions.length > 0);
  }

  /** Runs one of the transaction's own instructions. @throws InstructionError */
  run(programIndex: number, positions: readonly AccountPosition[], data: Uint8Array): void {
    this.#inner.push([]);
    this.#enter(programIndex, positions, data);
  }

  #enter(programIndex: number, positions: readonly AccountPosition[], data: Uint8Array): void {
    const programId = this.#accountAt(programIndex).address;
    const stackHeight = this.#stack.length + 1;
    if (stackHeight > MAX_STACK_HEIGHT) throw new InstructionError('CallDepth');
    if (this.#isReentered(programId)) throw new InstructionError('ReentrancyNotAllowed');
    if (++this.#traceLength > MAX_TRACE_LENGTH) throw new InstructionError('MaxInstructionTraceLengthExceeded');

    this.#returnData = null;
    this.#log.add(`Program ${programId} invoke [${stackHeight}]`);
    const unitsBefore = this.#unitsLeft;
    try {
      this.#execute(this.#programFor(programIndex), this.#deployedAt(programIndex), positions, data);
      this.#logConsumed(programId, unitsBefore);
      this.#log.add(`Program ${programId} success`);
    } catch (error) {
      const failure = toInstructionError(error);
      this.#logConsumed(programId, unitsBefore);
      this.#log.add(`Program ${programId} failed: ${failure.words}`);
      throw failure;
    }
  }

  #execute(
    program: Program,
    deployed: Uint8Array | null,
    positions: readonly AccountPosition[],
    data: Uint8Array,
  ): void {
    const byIndex = new Map<number, InstructionAccount>();
    const accounts = positions.map((position) => {
      const known = byIndex.get(position.index);
      if (known !== undefined) return known;
      const account = new InstructionAccount(
        this.#accountAt(position.index),
        program.programId,
        position.isSigner,
        position.isWritable,
      );
      byIndex.set(position.index, account);
      return account;
    });
    const unique = [...byIndex.values()];
    const frame: Frame = {
      program,
      deployed,
      positions,
      accounts: unique,
      lamports: unique.map((account) => account.lamports),
      closed: new Set(),
    };
    const sum = sumOf(frame.lamports);
    this.#stack.push(frame);
    try {
      this.#consume(program, program.units);
      program.handle(this.#contextOf(frame, accounts, data));
      this.#verify(frame);
    } finally {
      this.#stack.pop();
    }
    if (sumOf(unique.map((account) => account.lamports)) !== sum) throw new InstructionError('UnbalancedInstruction');
  }

  #contextOf(frame: Frame, accounts: readonly InstructionAccount[], data: Uint8Array): InvokeContext {
    const runner = this;
    const { programId } = frame.program;
    return {
      programId,
      accounts,
      data,
      deployed: frame.deployed,
      slot: this.#input.slot,
      stackHeight: this.#stack.length,
      get transaction() {
        runner.#instructions ??= runner.#input.readInstructions();
        return { instructions: runner.#instructions, currentIndex: runner.#inner.length - 1 };
      },
      get returnData() {
        return runner.#returnData;
      },
      setReturnData: (bytes) => {
        if (bytes.length > MAX_RETURN_DATA) throw new InstructionError('ProgramFailedToComplete');
        this.#returnData = { programId, data: bytes };
      },
      log: (message) => this.#log.add(`Program log: ${message}`),
      logRuntime: (message) => this.#log.add(message),
      consume: (units, by) => this.#consume(frame.program, units, by),
      closeAccount: (account) => frame.closed.add(account),
      invoke: (instruction, signerSeeds = []) => this.#call(frame, instruction, signerSeeds),
    };
  }

  #call(caller: Frame, instruction: CalledInstruction, signerSeeds: readonly (readonly Uint8Array[])[]): void {
    const signers = new Set(signerSeeds.map((seeds) => createProgramAddress(seeds, caller.program.programId)));
    this.#verify(caller);
    this.#consume(caller.program, CALL_UNITS, 'syscall');
    const positions = grantPositions(instruction.accounts, {
      held: caller.positions,
      indexOf: (address) => this.#indexByAddress.get(address),
      signers,
      log: (line) => this.#log.add(line),
    });
    const programIndex = this.#indexByAddress.get(instruction.programId);
    if (programIndex === undefined || !caller.positions.some(({ index }) => index === programIndex)) {
      this.#log.add(`Unknown program ${instruction.programId}`);
      throw new InstructionError('MissingAccount');
    }
    this.#inner.at(-1)?.push({
      programIdIndex: programIndex,
      accounts: positions.map((position) => position.index),
      data: instruction.data,
      stackHeight: this.#stack.length + 1,
    });
    this.#enter(programIndex, positions, instruction.data);
    // What the callee changed is not the caller's doing.
    for (const [index, account] of caller.accounts.entries()) caller.lamports[index] = account.lamports;
  }

  /** Checks what the program did since it was last looked at, and carries out its closings. */
  #verify(frame: Frame): void {
    for (const [index, account] of frame.accounts.entries()) {
      account.assertChangesAllowed(frame.lamports[index] ?? 0n);
      if (frame.closed.has(account)) {
        account.resize(0);
        account.assign(SYSTEM_PROGRAM);
      }
      frame.lamports[index] = account.lamports;
    }
    frame.closed.clear();
  }

  /** Whose units run out in its own code is stopped by the machine; whose do in the runtime's code is told the reason. */
  #consume(program: Program, units: bigint, by: 'code' | 'syscall' = 'code'): void {
    if (units <= this.#unitsLeft) {
      this.#unitsLeft -= units;
      return;
    }
    this.#unitsLeft = 0n;
    const isRuntime = by === 'syscall' || BUILTIN_PROGRAMS.has(program.programId);
    if (isRuntime) throw new InstructionError('ComputationalBudgetExceeded');
    throw new InstructionError('ProgramFailedToComplete', 'exceeded CUs meter at BPF instruction');
  }

  #logConsumed(programId: Address, unitsBefore: bigint): void {
    if (BUILTIN_PROGRAMS.has(programId)) return;
    this.#log.add(`Program ${programId} consumed ${unitsBefore - this.#unitsLeft} of ${unitsBefore} compute units`);
  }

  #programFor(index: number): Program {
    const account = this.#accountAt(index);
    const program = this.#input.programs.get(account.address);
    if (program === undefined || (!account.executable && account.owner !== NATIVE_LOADER)) {
      throw new InstructionError('UnsupportedProgramId');
    }
    return program;
  }

  /** @throws InstructionError for a program of this very slot: it runs from the next one on. */
  #deployedAt(index: number): Uint8Array | null {
    const deployment = this.#input.deploymentOf(this.#accountAt(index));
    if (deployment === null) return null;
    if (deployment.slot < this.#input.slot.slot) return deployment.code;
    this.#log.add('Program is not deployed');
    throw new InstructionError('UnsupportedProgramId');
  }

  /** A program may call itself, but not be called again from another one it called. */
  #isReentered(programId: Address): boolean {
    const isOnStack = this.#stack.some((frame) => frame.program.programId === programId);
    return isOnStack && this.#stack.at(-1)?.program.programId !== programId;
  }

  #accountAt(index: number): LoadedAccount {
    const account = this.#input.accounts[index];
    if (account === undefined) throw new InstructionError('MissingAccount');
    return account;
  }
}

/** A program that trips over its own input is a crash on chain, not a bug report here: it fails the transaction. */
function toInstructionError(error: unknown): InstructionError {
  if (error instanceof InstructionError) return error;
  if (error instanceof RangeError) return new InstructionError('ProgramFailedToComplete');
  throw error;
}

function sumOf(values: readonly bigint[]): bigint {
  return values.reduce((sum, value) => sum + value, 0n);
}

/** Bytes of log a validator keeps for one transaction. */
const MAX_LOG_BYTES = 10_000;

/** Log lines of one transaction, cut where a validator cuts them. */
class LogCollector {
  readonly lines: string[] = [];
  #bytes = 0;
  #isTruncated = false;

  add(line: string): void {
    if (this.#isTruncated) return;
    const bytes = this.#bytes + Buffer.byteLength(line);
    if (bytes >= MAX_LOG_BYTES) {
      this.#isTruncated = true;
      this.lines.push('Log truncated');
      return;
    }
    this.#bytes = bytes;
    this.lines.push(line);
  }
}
