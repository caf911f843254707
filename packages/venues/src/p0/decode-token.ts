import { mintLayout, TOKEN_2022_PROGRAM, TOKEN_PROGRAM, tokenAccountLayout } from '@lending/programs';
import type { AccountBytes } from '../account.ts';
import type { P0Bank } from './bank.ts';

export type TokenProgramName = 'spl' | 'token_2022';

/**
 * Base units in a bank's or a reserve's liquidity vault.
 * @returns null when there is no such account, or it is not a token account of its mint: the amount is then unknown.
 */
export function readVaultAmount(bank: Pick<P0Bank, 'mint'>, vault: AccountBytes | null): bigint | null {
  if (vault === null || tokenProgramOf(vault) === null || vault.data.length < tokenAccountLayout.fixedSize) return null;
  const account = tokenAccountLayout.decode(vault.data.subarray(0, tokenAccountLayout.fixedSize));
  return account.mint === bank.mint ? account.amount : null;
}

/** Which token program a mint belongs to, from the owner of its account; null when that is not known. */
export function readTokenProgram(mint: AccountBytes | null): TokenProgramName | null {
  if (mint === null || mint.data.length < mintLayout.fixedSize) return null;
  return mintLayout.decode(mint.data.subarray(0, mintLayout.fixedSize)).isInitialized ? tokenProgramOf(mint) : null;
}

/** The token program an account belongs to; null when it is neither. */
export function tokenProgramOf(account: AccountBytes): TokenProgramName | null {
  switch (account.owner) {
    case TOKEN_PROGRAM:
      return 'spl';
    case TOKEN_2022_PROGRAM:
      return 'token_2022';
    default:
      return null;
  }
}
