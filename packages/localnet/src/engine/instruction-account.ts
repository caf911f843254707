import type { Address } from '@solana/kit';
import { isZeroed } from './bytes.ts';
import { InstructionError } from './instruction-error.ts';
import type { LoadedAccount } from './loaded-account.ts';

/** Largest account, and the most one call may add to it. */
const MAX_DATA_LENGTH = 10 * 1024 * 1024;
const MAX_DATA_GROWTH = 10 * 1024;

/**
 * An account as one instruction of one program sees it. Two positions may share one account.
 *
 * Data and owner are guarded at the write, as the virtual machine's memory map does. Lamports have two ways: assigning
 * `lamports` is checked when the instruction ends or calls another (compiled programs write into their input),
 * `setLamports` at once (built-in programs).
 */
export class InstructionAccount {
  readonly isSigner: boolean;
  readonly isWritable: boolean;
  readonly #account: LoadedAccount;
  readonly #programId: Address;

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

  /** Whether both positions hold the same account. */
  isSameAs(other: InstructionAccount): boolean {
    return this.#account === other.#account;
  }

  /** The data, to write. @throws InstructionError when this program may not write it. */
  writableData(): Uint8Array {
    this.assertDataWritable();
    return this.#account.copyOnWrite();
  }

  /** @throws InstructionError when this program may not take or give these lamports. */
  setLamports(value: bigint): void {
    this.assertLamportsAllowed(this.lamports, value);
    this.#account.lamports = value;
  }

  /** What any program may do to a balance: take only from its own accounts, change only writable ones. */
  assertLamportsAllowed(before: bigint, after: bigint): void {
    if (after < before && this.owner !== this.#programId) throw new InstructionError('ExternalAccountLamportSpend');
    if (after !== before && !this.isWritable) throw new InstructionError('ReadonlyLamportChange');
  }

  resize(length: number): void {
    if (length !== this.data.length && this.owner !== this.#programId) {
      throw new InstructionError('AccountDataSizeChanged');
    }
    if (length > MAX_DATA_LENGTH) throw new InstructionError('InvalidRealloc');
    this.assertDataWritable();
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

  private assertDataWritable(): void {
    if (!this.isWritable) throw new InstructionError('ReadonlyDataModified');
    if (this.owner !== this.#programId) throw new InstructionError('ExternalAccountDataModified');
  }
}
