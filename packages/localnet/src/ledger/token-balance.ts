import {
  type Coption,
  type Mint,
  mintLayout,
  TOKEN_2022_PROGRAM,
  TOKEN_ACCOUNT_STATE,
  TOKEN_PROGRAM,
  type TokenAccount,
  tokenAccountLayout,
} from '@lending/programs';
import type { Address } from '@solana/kit';
import type { AccountSource, AccountState } from '#engine/engine.ts';

/** Token-2022 marks what an extended account is in the byte after the token account layout. */
const KIND_OFFSET = tokenAccountLayout.fixedSize;
const KIND_MINT = 1;
const KIND_ACCOUNT = 2;

export interface TokenBalance {
  readonly accountIndex: number;
  readonly mint: Address;
  readonly owner: Address;
  readonly programId: Address;
  readonly amount: bigint;
  readonly decimals: number;
}

export function isTokenProgram(program: Address): boolean {
  return program === TOKEN_PROGRAM || program === TOKEN_2022_PROGRAM;
}

/** The token account an account holds, or undefined when it holds none. */
export function readTokenAccount(state: AccountState | undefined): TokenAccount | undefined {
  if (!isOfKind(state, tokenAccountLayout.fixedSize, KIND_ACCOUNT)) return undefined;
  const account = tokenAccountLayout.decode(state.data);
  return account.state === TOKEN_ACCOUNT_STATE.uninitialized ? undefined : account;
}

/** The mint an account holds, or undefined when it holds none. */
export function readMint(state: AccountState | undefined): Mint | undefined {
  return isOfKind(state, mintLayout.fixedSize, KIND_MINT) ? mintLayout.decode(state.data) : undefined;
}

/** The value of the token program's option; null when it has none. */
export function optional<T>({ isSome, value }: Coption<T>): T | null {
  return isSome ? value : null;
}

/** A plain account has exactly the layout's size; an extended one is longer than a token account and says what it is. */
function isOfKind(state: AccountState | undefined, size: number, kind: number): state is AccountState {
  if (state === undefined || !isTokenProgram(state.owner)) return false;
  const { data } = state;
  return data.length === size || (data.length > KIND_OFFSET && data[KIND_OFFSET] === kind);
}

/** The balance line of one account of a transaction; undefined when it is no token account of a known mint. */
export function readTokenBalance(
  accountIndex: number,
  address: Address,
  accounts: AccountSource,
): TokenBalance | undefined {
  const state = accounts.get(address);
  const account = readTokenAccount(state);
  const mint = account === undefined ? undefined : readMint(accounts.get(account.mint));
  if (state === undefined || account === undefined || mint === undefined) return undefined;
  const { amount, owner } = account;
  return { accountIndex, mint: account.mint, owner, programId: state.owner, amount, decimals: mint.decimals };
}
