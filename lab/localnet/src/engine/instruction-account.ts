import type { Address } from '@solana/kit';
import { areBytesEqual, isZeroed } from './bytes.ts';
import { InstructionError } from './instruction-error.ts';
import type { LoadedAccount } from './loaded-account.ts';

/** Largest account, and the most one call may add to it. */
const MAX_DATA_LENGTH = 10 * 1024 * 1024;
const MAX_DATA_GROWTH = 10 * 1024;

/**
 * An account as one instruction of one program sees it. Two positions may share one account.
 *
 * Compiled programs write into a copy of their input, so what they did is looked at when they end or call another
 * program, and writing what already stood there is no offence: `lamports` and `writableData` work like this. Built-in
 * programs are checked at each step: `setLamports`, `resize` and `assign`.
 */
export class InstructionAccount {
  readonly isSigner: boolean;
  readonly isWritable: boolean;
  readonly #account: LoadedAccount;
  readonly #programId: Address;
  /** What the data was before this program wrote where it may not. */
  #dataBefore: Uint8Array | undefined;

  constructor(account: LoadedAccount, programId: Address, isSigner: boolean, isWritable: boolean) {
    this.#account = account;
    this.#programId = programId;
    this.isSigner = isSigner;
    this.isWritable = isWritable;
  }

  get address(): Address {
    return this.#account.address;
  }

  /** The address's 32 bytes; not to be written into. */
  get key(): Uint8Array {
    return this.#account.key;
  }

  get owner(): Address {
    return this.#account.owner;
  }

  get executable(): boolean {
    return this.#account.executable;
  }

  get lamports(): bigint {
    return this.#account.lamports;
  }

  set lamports(value: bigint) {
    this.#account.lamports = BigInt.asUintN(64, value);
  }

  /** The data, to read. */
  get data(): Uint8Array {
    return this.#account.data;
  }

  /** Whether the data is still the ledger's, which never changes: what was read from it may be kept. */
  get isUntouched(): boolean {
    return this.#account.before?.data === this.#account.data;
  }

  /** Whether both positions hold the same account. */
  isSameAs(other: InstructionAccount): boolean {
    return this.#account === other.#account;
  }

  /** The data, to write. A change that is not allowed fails the instruction later, in `assertChangesAllowed`. */
  writableData(): Uint8Array {
    if (!this.#isDataWritable) this.#dataBefore ??= this.data.slice();
    return this.#account.copyOnWrite();
  }

  /** @throws InstructionError when this program may not take these lamports, or not touch the balance at all. */
  setLamports(value: bigint): void {
    this.#assertLamportsAllowed(this.lamports, value);
    this.#account.lamports = value;
  }

  /** Checks what the program wrote since its balance was `lamportsBefore`. @throws InstructionError */
  assertChangesAllowed(lamportsBefore: bigint): void {
    if (this.lamports !== lamportsBefore) this.#assertLamportsAllowed(lamportsBefore, this.lamports);
    if (this.#dataBefore !== undefined && !areBytesEqual(this.#dataBefore, this.data)) this.#assertDataWritable();
    this.#dataBefore = undefined;
  }

  resize(length: number): void {
    if (length !== this.data.length && this.owner !== this.#programId) {
      throw new InstructionError('AccountDataSizeChanged');
    }
    if (length > MAX_DATA_LENGTH) throw new InstructionError('InvalidRealloc');
    this.#assertDataWritable();
    this.#account.resize(length);
  }

  /** `resize` as compiled programs may do it: at most 10 KiB at a time. */
  grow(length: number): void {
    if (length > this.data.length + MAX_DATA_GROWTH) throw new InstructionError('InvalidRealloc');
    this.resize(length);
  }

  /** Gives the account to another program; only an owner may, and only with all data zero. */
  assign(owner: Address): void {
    if (this.owner !== this.#programId || !this.isWritable || !isZeroed(this.data)) {
      throw new InstructionError('ModifiedProgramId');
    }
    this.#account.owner = owner;
  }

  #assertLamportsAllowed(before: bigint, after: bigint): void {
    if (after < before && this.owner !== this.#programId) throw new InstructionError('ExternalAccountLamportSpend');
    if (!this.isWritable) throw new InstructionError('ReadonlyLamportChange');
  }

  get #isDataWritable(): boolean {
    return this.isWritable && this.owner === this.#programId;
  }

  #assertDataWritable(): void {
    if (!this.isWritable) throw new InstructionError('ReadonlyDataModified');
    if (this.owner !== this.#programId) throw new InstructionError('ExternalAccountDataModified');
  }
}
