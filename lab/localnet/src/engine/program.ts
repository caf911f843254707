import type { Address } from '@solana/kit';
import type { SlotContext } from './engine.ts';
import type { InstructionAccount } from './instruction-account.ts';

/** An instruction one program asks another to run. */
export interface CalledInstruction {
  readonly programId: Address;
  readonly accounts: readonly { readonly address: Address; readonly isSigner: boolean; readonly isWritable: boolean }[];
  readonly data: Uint8Array;
}

export interface ReturnData {
  readonly programId: Address;
  readonly data: Uint8Array;
}

/** The transaction's own instructions and which of them runs: what programs read out of the instructions sysvar. */
export interface TransactionInstructions {
  readonly instructions: readonly CalledInstruction[];
  readonly currentIndex: number;
}

/** What a program is given to run one instruction. */
export interface InvokeContext {
  readonly programId: Address;
  readonly accounts: readonly InstructionAccount[];
  readonly data: Uint8Array;
  /** What was deployed as the running program; null where the ledger has no bytes of it. */
  readonly deployed: Uint8Array | null;
  readonly slot: SlotContext;
  /** 1 at the top of a transaction, more inside a call of another program. */
  readonly stackHeight: number;
  readonly transaction: TransactionInstructions;
  readonly returnData: ReturnData | null;
  setReturnData(data: Uint8Array): void;
  /** A program's own log line, shown as `Program log: …`. */
  log(message: string): void;
  /** A line of the runtime or a built-in program, shown as it is. */
  logRuntime(message: string): void;
  /** Compute units beyond the program's fixed cost: of its own code, or of what it asks the runtime to do. */
  consume(units: bigint, by?: 'code' | 'syscall'): void;
  /** Removes an account: its balance must already be elsewhere, its data and owner are cleared when the instruction ends. */
  closeAccount(account: InstructionAccount): void;
  /**
   * Calls another program. Each of `signerSeeds` is one address of this program that signs, bump included.
   * @throws InstructionError what the callee threw, or the privilege this instruction lacks.
   */
  invoke(instruction: CalledInstruction, signerSeeds?: readonly (readonly Uint8Array[])[]): void;
}

/** Runs one instruction; throws `InstructionError` to fail it. */
export type ProgramHandler = (context: InvokeContext) => void;

/** A program the model knows. */
export interface Program {
  readonly programId: Address;
  readonly handle: ProgramHandler;
  /**
   * Compute units that entering the program costs: the model's own round figure, near what the real program uses, not its count. What an
   * instruction costs on top it consumes itself.
   */
  readonly units: bigint;
}
