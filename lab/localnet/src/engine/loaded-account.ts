import { getAddressBytes } from '@lending/programs';
import type { Address } from '@solana/kit';
import { areBytesEqual } from './bytes.ts';
import type { AccountState } from './engine.ts';
import { SYSTEM_PROGRAM } from './runtime-addresses.ts';

const NO_DATA = new Uint8Array();

/**
 * One account while a transaction runs. Data is copied on the first write, so the ledger's bytes are never touched.
 * Programs do not hold this but an `InstructionAccount`, which knows what they may do with it.
 */
export class LoadedAccount {
  readonly address: Address;
  readonly key: Uint8Array;
  readonly before: AccountState | undefined;
  lamports: bigint;
  owner: Address;
  data: Uint8Array;
  readonly executable: boolean;
  #isDataCopied = false;

  constructor(address: Address, before: AccountState | undefined) {
    this.address = address;
    this.key = getAddressBytes(address);
    this.before = before;
    this.lamports = before?.lamports ?? 0n;
    this.owner = before?.owner ?? SYSTEM_PROGRAM;
    this.data = before?.data ?? NO_DATA;
    this.executable = before?.executable ?? false;
  }

  /** The data, safe to write into. */
  copyOnWrite(): Uint8Array {
    if (!this.#isDataCopied) {
      this.data = this.data.slice();
      this.#isDataCopied = true;
    }
    return this.data;
  }

  resize(length: number): void {
    if (length === this.data.length) return;
    const resized = new Uint8Array(length);
    resized.set(this.data.subarray(0, length));
    this.data = resized;
    this.#isDataCopied = true;
  }

  get isChanged(): boolean {
    const { before } = this;
    if (before === undefined) return this.lamports !== 0n;
    return before.lamports !== this.lamports || before.owner !== this.owner || !areBytesEqual(before.data, this.data);
  }

  /** State to store; an account without lamports is gone. */
  toState(): AccountState | undefined {
    if (this.lamports === 0n) return undefined;
    return { lamports: this.lamports, owner: this.owner, data: this.data, executable: this.executable };
  }
}
