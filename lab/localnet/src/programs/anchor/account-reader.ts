import type { Address } from '@solana/kit';
import { hasBytesAt } from '#engine/bytes.ts';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import { InstructionError } from '#engine/instruction-error.ts';
import type { InvokeContext } from '#engine/program.ts';
import { isTokenProgram, RENT_SYSVAR, SYSTEM_PROGRAM } from '#engine/runtime-addresses.ts';
import { assertUnpacks } from '../token/extensions.ts';
import { AnchorError } from './anchor-error.ts';
import { frameworkError } from './framework-error.ts';

/** An account of an instruction with the name the program's source gives it. */
export interface NamedAccount {
  readonly name: string;
  readonly account: InstructionAccount;
}

/** A kind of account: what it begins with, and how its fields are reached. */
export interface AccountKind<TState> {
  /** Whose accounts they are; the running program's own unless it says. */
  readonly owner?: Address;
  readonly discriminator: Uint8Array;
  /** Bytes that the running program takes it to have at least; a shorter one stops the program. */
  readonly leastSize?: (context: InvokeContext) => number;
  readonly view: (data: Uint8Array) => TState;
}

/** An account that was checked to be of its kind. */
export interface Loader<TState> extends NamedAccount {
  /** Its fields to read. What is written to the account later may not show: load again. */
  load(): TState;
  /** Its fields to read and write. @throws AnchorError 3006 when the instruction may not write the account. */
  loadMut(): TState;
}

/**
 * Takes an instruction's accounts in their order and checks of each what its type says, as the code that Anchor generates does
 * before it looks at any constraint.
 */
export class AccountReader {
  readonly #context: InvokeContext;
  #position = 0;

  constructor(context: InvokeContext) {
    this.#context = context;
  }

  /** An account nothing is asked of. */
  unchecked(name: string): NamedAccount {
    return { name, account: this.#named(name, () => this.#take()) };
  }

  /** An account the instruction will create: it is looked at later, and a missing one has no name. */
  created(name: string): NamedAccount {
    return { name, account: this.#take() };
  }

  /** An account that may be left out, in whose place the program's own address stands. */
  optional(name: string): NamedAccount | null {
    const { account } = this.unchecked(name);
    return account.address === this.#context.programId ? null : { name, account };
  }

  signer(name: string): NamedAccount {
    return this.#checked(name, (account) => {
      if (!account.isSigner) throw frameworkError('AccountNotSigner');
    });
  }

  /** A signer that may be left out. */
  optionalSigner(name: string): NamedAccount | null {
    const optional = this.optional(name);
    if (optional !== null && !optional.account.isSigner) {
      throw frameworkError('AccountNotSigner').withAccountName(name);
    }
    return optional;
  }

  loader<TState>(name: string, kind: AccountKind<TState>): Loader<TState> {
    const { account } = this.#checked(name, (taken) => assertIsOf(taken, kind, this.#context.programId));
    return toLoader(this.#context, { name, account }, kind);
  }

  /** Anchor's `Account`, which unlike its loader tells an account that does not exist. */
  account<TState>(name: string, kind: AccountKind<TState>): Loader<TState> {
    const { account } = this.#checked(name, (taken) => {
      assertExists(taken);
      assertIsOf(taken, kind, this.#context.programId);
    });
    return toLoader(this.#context, { name, account }, kind);
  }

  program(name: string, programId: Address): NamedAccount {
    return this.#checked(name, (account) => {
      if (account.address !== programId) {
        throw frameworkError('InvalidProgramId', { compared: [account.address, programId] });
      }
      if (!account.executable) throw frameworkError('InvalidProgramExecutable');
    });
  }

  /** An account that holds lamports and nothing else, or that does not exist. */
  systemAccount(name: string): NamedAccount {
    return this.#checked(name, (account) => {
      if (account.owner !== SYSTEM_PROGRAM) throw frameworkError('AccountNotSystemOwned');
    });
  }

  rent(name: string): NamedAccount {
    return this.#checked(name, (account) => {
      if (account.address !== RENT_SYSVAR) throw frameworkError('AccountSysvarMismatch');
    });
  }

  /** Either token program. */
  tokenProgram(name: string): NamedAccount {
    return this.#checked(name, (account) => {
      if (!isTokenProgram(account.address)) throw frameworkError('InvalidProgramId');
      if (!account.executable) throw frameworkError('InvalidProgramExecutable');
    });
  }

  /** A token account of either token program. */
  tokenAccount(name: string): NamedAccount {
    return this.#checked(name, (account) => assertTokenOwned(account, 'account'));
  }

  /** A mint of either token program. */
  mint(name: string): NamedAccount {
    return this.#checked(name, (account) => assertTokenOwned(account, 'mint'));
  }

  /** What comes after the named accounts. */
  remaining(): readonly InstructionAccount[] {
    return this.#context.accounts.slice(this.#position);
  }

  #checked(name: string, check: (account: InstructionAccount) => void): NamedAccount {
    return this.#named(name, () => {
      const account = this.#take();
      check(account);
      return { name, account };
    });
  }

  #named<T>(name: string, read: () => T): T {
    try {
      return read();
    } catch (error) {
      throw error instanceof AnchorError ? error.withAccountName(name) : error;
    }
  }

  #take(): InstructionAccount {
    const account = this.#context.accounts[this.#position];
    if (account === undefined) throw frameworkError('AccountNotEnoughKeys');
    this.#position += 1;
    return account;
  }
}

/** An account of the program that is not among the named ones. @throws AnchorError 3007, 3001 or 3002 */
export function loadAccount<TState>(
  context: InvokeContext,
  account: InstructionAccount,
  kind: AccountKind<TState>,
): Loader<TState> {
  assertIsOf(account, kind, context.programId);
  return toLoader(context, { name: '', account }, kind);
}

/** A loader of an account that is known to be of its kind: one that the instruction has just created, say. */
export function toLoader<TState>(
  context: InvokeContext,
  { name, account }: NamedAccount,
  kind: AccountKind<TState>,
): Loader<TState> {
  const whole = (data: Uint8Array): Uint8Array => {
    // What Rust's slices do.
    if (data.length < (kind.leastSize?.(context) ?? 0)) throw new InstructionError('ProgramFailedToComplete');
    return data;
  };
  return {
    name,
    account,
    load: () => kind.view(whole(account.data)),
    loadMut: () => {
      if (!account.isWritable) throw frameworkError('AccountNotMutable');
      return kind.view(whole(account.writableData()));
    },
  };
}

/** @throws AnchorError 3012 or 3007; InstructionError when the data is no mint or token account. */
export function assertTokenOwned(account: InstructionAccount, kind: 'account' | 'mint'): void {
  assertExists(account);
  if (!isTokenProgram(account.owner)) throw frameworkError('AccountOwnedByWrongProgram');
  assertUnpacks(account.data, kind);
}

function assertExists({ owner, lamports }: InstructionAccount): void {
  if (owner === SYSTEM_PROGRAM && lamports === 0n) throw frameworkError('AccountNotInitialized');
}

function assertIsOf<TState>(account: InstructionAccount, kind: AccountKind<TState>, programId: Address): void {
  const owner = kind.owner ?? programId;
  if (account.owner !== owner) {
    throw frameworkError('AccountOwnedByWrongProgram', { compared: [account.owner, owner] });
  }
  if (account.data.length < kind.discriminator.length) throw frameworkError('AccountDiscriminatorNotFound');
  if (!hasBytesAt(account.data, 0, kind.discriminator)) throw frameworkError('AccountDiscriminatorMismatch');
}

/** The program borrows an account's bytes once at a time; a second time it gives up. */
export function assertDifferent(one: NamedAccount, other: NamedAccount): void {
  if (one.account.isSameAs(other.account)) throw new InstructionError('AccountBorrowFailed');
}
