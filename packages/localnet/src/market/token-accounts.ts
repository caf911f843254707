import {
  getMintEncoder,
  getTokenAccountEncoder,
  MINT_SIZE,
  NO_KEY,
  TOKEN_2022_PROGRAM,
  TOKEN_ACCOUNT_SIZE,
  TOKEN_ACCOUNT_STATE,
} from '@lending/programs';
import type { Address } from '@solana/kit';
import type { AccountState } from '#engine/engine.ts';
import { tokenProgramOf } from './bank-addresses.ts';
import { rentExempt } from './rent.ts';
import type { DemoToken } from './tokens.ts';

const NO_ADDRESS = { isSome: false, value: NO_KEY } as const;
/**
 * What Token-2022 appends to an associated account: the account-type byte (2), then one extension of type 7 (immutable owner)
 * and length 0, as little-endian u16.
 */
const IMMUTABLE_OWNER = [2, 7, 0, 0, 0];
const mintEncoder = getMintEncoder();
const tokenAccountEncoder = getTokenAccountEncoder();

/** A mint whose supply nobody can change. */
export function mintAccount(token: DemoToken): AccountState {
  const data = new Uint8Array(
    mintEncoder.encode({
      mintAuthority: NO_ADDRESS,
      supply: token.supply,
      decimals: token.decimals,
      isInitialized: true,
      freezeAuthority: NO_ADDRESS,
    }),
  );
  return { lamports: rentExempt(MINT_SIZE), owner: tokenProgramOf(token), data, executable: false };
}

/** A token account that holds `amount`; wrapped SOL holds it as lamports, too. */
export function tokenAccount(token: DemoToken, owner: Address, amount: bigint): AccountState {
  return withTokens(token, owner, amount, []);
}

/** The same as the associated token program makes it. */
export function associatedTokenAccount(token: DemoToken, owner: Address, amount: bigint): AccountState {
  return withTokens(token, owner, amount, tokenProgramOf(token) === TOKEN_2022_PROGRAM ? IMMUTABLE_OWNER : []);
}

function withTokens(token: DemoToken, owner: Address, amount: bigint, extensions: readonly number[]): AccountState {
  const rent = rentExempt(TOKEN_ACCOUNT_SIZE + extensions.length);
  const isSol = token.symbol === 'SOL';
  const encoded = tokenAccountEncoder.encode({
    mint: token.mint,
    owner,
    amount,
    delegate: NO_ADDRESS,
    state: TOKEN_ACCOUNT_STATE.initialized,
    isNative: { isSome: isSol, value: isSol ? rent : 0n },
    delegatedAmount: 0n,
    closeAuthority: NO_ADDRESS,
  });
  const data = Uint8Array.from([...encoded, ...extensions]);
  return { lamports: isSol ? rent + amount : rent, owner: tokenProgramOf(token), data, executable: false };
}
