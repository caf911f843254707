import {
  findMintExtension,
  MINT_EXTENSION,
  mintLayout,
  TOKEN_ACCOUNT_STATE,
  tokenAccountLayout,
  tokenMetadataLayout,
} from '@lending/programs';
import type { Address } from '@solana/kit';
import type { AccountBytes } from '../account.ts';
import { cleanText } from '../clean-text.ts';
import { type TokenProgramName, tokenProgramOf } from './decode-token.ts';

/** What a token account holds. */
export interface TokenHolding {
  readonly mint: Address;
  readonly owner: Address;
  readonly tokenProgram: TokenProgramName;
  readonly amountBase: bigint;
  readonly isFrozen: boolean;
}

/** What a mint says of its tokens. The texts are a stranger's, made safe to show; null where it says nothing. */
export interface MintText {
  readonly decimals: number;
  readonly symbol: string | null;
  readonly name: string | null;
}

const MAX_SYMBOL_LENGTH = 32;
const MAX_NAME_LENGTH = 64;

/** @returns null for what is no token account of either program, or not yet one. */
export function readHolding(account: AccountBytes): TokenHolding | null {
  const tokenProgram = tokenProgramOf(account);
  if (tokenProgram === null || account.data.length < tokenAccountLayout.fixedSize) return null;
  const { mint, owner, amount, state } = tokenAccountLayout.decode(
    account.data.subarray(0, tokenAccountLayout.fixedSize),
  );
  if (state === TOKEN_ACCOUNT_STATE.uninitialized) return null;
  return { mint, owner, tokenProgram, amountBase: amount, isFrozen: state === TOKEN_ACCOUNT_STATE.frozen };
}

/** @returns null for what is no mint of either program. */
export function readMintText(mint: AccountBytes): MintText | null {
  if (tokenProgramOf(mint) === null || mint.data.length < mintLayout.fixedSize) return null;
  const { decimals, isInitialized } = mintLayout.decode(mint.data.subarray(0, mintLayout.fixedSize));
  return isInitialized ? { decimals, ...metadataOf(mint.data) } : null;
}

/** Metadata is decoration: one that cannot be read is as good as none. */
function metadataOf(mint: Uint8Array): Pick<MintText, 'symbol' | 'name'> {
  const bytes = findMintExtension(mint, MINT_EXTENSION.tokenMetadata);
  try {
    if (bytes === null) return { symbol: null, name: null };
    const { symbol, name } = tokenMetadataLayout.decode(bytes);
    return { symbol: cleanText(symbol, MAX_SYMBOL_LENGTH), name: cleanText(name, MAX_NAME_LENGTH) };
  } catch {
    return { symbol: null, name: null };
  }
}
