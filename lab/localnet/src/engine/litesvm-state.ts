import { readAddress } from '@lending/programs';
import { type Address, getTransactionDecoder, lamports } from '@solana/kit';
import {
  SYSVAR_EPOCH_SCHEDULE_ADDRESS,
  SYSVAR_LAST_RESTART_SLOT_ADDRESS,
  SYSVAR_SLOT_HASHES_ADDRESS,
} from '@solana/sysvars';
import type { LiteSVM } from 'litesvm';
import { areBytesEqual } from './bytes.ts';
import type { AccountSource, AccountState, SlotContext } from './engine.ts';
import { RESERVED_ADDRESSES, SYSTEM_PROGRAM, UPGRADEABLE_LOADER } from './runtime-addresses.ts';

export type LiteSvmModule = typeof import('litesvm');

/** Sysvars that come from the ledger's accounts; clock and rent come from the slot's context. */
const LEDGER_SYSVARS = [SYSVAR_EPOCH_SCHEDULE_ADDRESS, SYSVAR_LAST_RESTART_SLOT_ADDRESS, SYSVAR_SLOT_HASHES_ADDRESS];
/** Bytes every account is charged rent for besides its data. */
const ACCOUNT_STORAGE_OVERHEAD = 128n;
/** A program account of the upgradeable loader: the number 2 and the address of the account that holds the code. */
const PROGRAM_ACCOUNT_SIZE = 36;

/**
 * A LiteSVM instance that holds, of the accounts a transaction names, what the ledger says. Transactions are simulated on it, so it
 * never changes by itself. Ledger states are replaced and never mutated: the same object need not be copied again.
 */
export class LiteSvmState {
  readonly #module: LiteSvmModule;
  readonly #svm: LiteSVM;
  readonly #placed = new Map<Address, AccountState | undefined>();
  /** The machine's account of a program whose code it has by itself; null for what is no such program. */
  readonly #own = new Map<Address, AccountState | null>();
  #clock = '';
  #lamportsPerByte: bigint | undefined;

  constructor(module: LiteSvmModule) {
    this.#module = module;
    // Signatures and blockhash age are checked by engine and ledger; duplicates are the ledger's business.
    this.#svm = new module.LiteSVM().withSigverify(false).withBlockhashCheck(false).withTransactionHistory(0n);
  }

  addProgram(programId: Address, elf: Uint8Array): void {
    this.#svm.addProgram(programId, elf);
  }

  setContext({ slot, unixTimestamp, epoch, minimumBalance }: SlotContext): void {
    const clock = `${slot} ${unixTimestamp} ${epoch}`;
    if (clock !== this.#clock) {
      this.#clock = clock;
      this.#svm.setClock(new this.#module.Clock(slot, unixTimestamp, epoch, epoch + 1n, unixTimestamp));
    }
    const lamportsPerByte = minimumBalance(0) / ACCOUNT_STORAGE_OVERHEAD;
    if (lamportsPerByte === this.#lamportsPerByte) return;
    this.#lamportsPerByte = lamportsPerByte;
    this.#svm.setRent(new this.#module.Rent(lamportsPerByte, 1, 50));
  }

  /** Makes the machine's copies of these accounts, and of the sysvars, equal to the ledger's. */
  load(addresses: readonly Address[], source: AccountSource): void {
    for (const address of LEDGER_SYSVARS) {
      const state = source.get(address);
      if (state !== undefined) this.#place(address, state);
    }
    for (const address of addresses) {
      if (RESERVED_ADDRESSES.has(address) || this.#ownProgram(address) !== null) continue;
      const state = source.get(address);
      const code = codeAddressOf(state);
      // The loader looks for the code the moment the program is placed.
      if (code !== undefined) this.#place(code, source.get(code));
      this.#place(address, state);
    }
  }

  simulate(wire: Uint8Array): ReturnType<LiteSVM['simulateTransaction']> {
    return this.#svm.simulateTransaction(getTransactionDecoder().decode(wire));
  }

  exists(address: Address, source: AccountSource): boolean {
    return (source.get(address) ?? this.#ownProgram(address) ?? undefined) !== undefined;
  }

  /** Lamports before the transaction; of a program the ledger does not list, what the machine gave it. */
  balanceOf(address: Address, source: AccountSource): bigint {
    return (source.get(address) ?? this.#ownProgram(address))?.lamports ?? 0n;
  }

  /** Of the accounts as the transaction left them, those that differ from the ledger's. */
  changes(
    addresses: readonly Address[],
    after: ReadonlyMap<Address, AccountState>,
    source: AccountSource,
  ): ReadonlyMap<Address, AccountState | undefined> {
    const changed = new Map<Address, AccountState | undefined>();
    for (const address of addresses) {
      const state = after.get(address);
      if (state === undefined || RESERVED_ADDRESSES.has(address)) continue;
      const own = this.#ownProgram(address);
      const before = source.get(address);
      if (isSame(own ?? before, state)) continue;
      const kept = own === null || before === undefined ? state : withGain(before, state.lamports - own.lamports);
      changed.set(address, kept.lamports === 0n ? undefined : kept);
    }
    return changed;
  }

  /**
   * Programs whose code the machine has by itself are left as they are, whatever placeholder the ledger holds: placing one anew
   * unloads its code.
   */
  #ownProgram(address: Address): AccountState | null {
    const known = this.#own.get(address);
    if (known !== undefined) return known;
    const account = this.#placed.has(address) ? undefined : this.#svm.getAccount(address);
    const own =
      account?.exists === true && account.executable
        ? {
            lamports: BigInt(account.lamports),
            owner: account.programAddress,
            data: new Uint8Array(account.data),
            executable: true,
          }
        : null;
    this.#own.set(address, own);
    return own;
  }

  #place(address: Address, state: AccountState | undefined): void {
    if (this.#placed.has(address) && this.#placed.get(address) === state) return;
    try {
      this.#set(address, state);
    } catch (error) {
      // A program account without code the machine can load, such as the placeholders of the demo market.
      if (state?.executable !== true) throw error;
      this.#set(address, { ...state, executable: false });
    }
    this.#placed.set(address, state);
  }

  #set(address: Address, state: AccountState | undefined): void {
    this.#svm.setAccount({
      address,
      lamports: lamports(state?.lamports ?? 0n),
      data: state?.data ?? new Uint8Array(),
      programAddress: state?.owner ?? SYSTEM_PROGRAM,
      executable: state?.executable ?? false,
      space: BigInt(state?.data.length ?? 0),
    });
  }
}

/** A ledger's account of a program the machine has by itself: what it gained or lost there, it gains or loses here. */
function withGain(before: AccountState, lamports: bigint): AccountState {
  return { ...before, lamports: before.lamports + lamports };
}

function codeAddressOf(state: AccountState | undefined): Address | undefined {
  if (state?.owner !== UPGRADEABLE_LOADER || !state.executable || state.data.length !== PROGRAM_ACCOUNT_SIZE) return;
  return readAddress(state.data, 4);
}

function isSame(before: AccountState | undefined, after: AccountState): boolean {
  if (before === undefined) return after.lamports === 0n;
  return before.lamports === after.lamports && before.owner === after.owner && areBytesEqual(before.data, after.data);
}
