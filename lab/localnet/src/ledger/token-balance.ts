import {
  isMint,
  isTokenAccount,
  type Mint,
  mintLayout,
  TOKEN_ACCOUNT_STATE,
  type TokenAccount,
  tokenAccountLayout,
} from '@lending/programs';
import type { Address } from '@solana/kit';
import type { AccountSource, AccountState } from '#engine/engine.ts';
import { isTokenProgram } from '#engine/runtime-addresses.ts';

export interface TokenBalance {
  readonly accountIndex: number;
  readonly mint: Address;
  readonly owner: Address;
  readonly programId: Address;
  readonly amount: bigint;
  readonly decimals: number;
}

/** The token account an account holds, or undefined when it holds none. */
export function readTokenAccount(state: AccountState | undefined): TokenAccount | undefined {
  if (state === undefined || !isTokenProgram(state.owner) || !isTokenAccount(state.data)) return undefined;
  const account = tokenAccountLayout.decode(state.data);
  return account.state === TOKEN_ACCOUNT_STATE.uninitialized ? undefined : account;
}

/** The mint an account holds, or undefined when it holds none. */
export function readMint(state: AccountState | undefined): Mint | undefined {
  if (state === undefined || !isTokenProgram(state.owner) || !isMint(state.data)) return undefined;
  return mintLayout.decode(state.data);
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
