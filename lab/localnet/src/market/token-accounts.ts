import {
  MINT_EXTENSION,
  mintLayout,
  NO_KEY,
  TOKEN_2022_PROGRAM,
  TOKEN_ACCOUNT_STATE,
  tokenAccountLayout,
  transferFeeConfigLayout,
} from '@lending/programs';
import type { Address } from '@solana/kit';
import type { AccountState } from '#engine/engine.ts';
import { tokenProgramOf } from './bank-addresses.ts';
import { rentExempt } from './rent.ts';
import type { DemoToken } from './tokens.ts';

const NO_ADDRESS = { isSome: false, value: NO_KEY } as const;
/** What a Token-2022 account is, in the byte after the first 165. */
const ACCOUNT_TYPE = { mint: 1, account: 2 } as const;
/** Extensions of an account: what it withheld of transfers to it, and that its owner stays. */
const ACCOUNT_EXTENSION = { transferFeeAmount: 2, immutableOwner: 7 } as const;

/** A mint whose supply nobody can change, nor the fee that it may have. */
export function mintAccount(token: DemoToken): AccountState {
  const encoded = mintLayout.encode({
    mintAuthority: NO_ADDRESS,
    supply: token.supply,
    decimals: token.decimals,
    isInitialized: true,
    freezeAuthority: NO_ADDRESS,
  });
  const data = withExtensions(encoded, ACCOUNT_TYPE.mint, mintExtensions(token));
  return { lamports: rentExempt(data.length), owner: tokenProgramOf(token), data, executable: false };
}

/** A token account that holds `amount`; wrapped SOL holds it as lamports, too. */
export function tokenAccount(token: DemoToken, owner: Address, amount: bigint): AccountState {
  return withTokens(token, owner, amount, accountExtensions(token));
}

/** The same as the associated token program makes it. */
export function associatedTokenAccount(token: DemoToken, owner: Address, amount: bigint): AccountState {
  const isToken2022 = tokenProgramOf(token) === TOKEN_2022_PROGRAM;
  const immutableOwner = isToken2022 ? [extension(ACCOUNT_EXTENSION.immutableOwner, new Uint8Array())] : [];
  return withTokens(token, owner, amount, [...immutableOwner, ...accountExtensions(token)]);
}

function withTokens(token: DemoToken, owner: Address, amount: bigint, extensions: readonly Uint8Array[]): AccountState {
  const isSol = token.symbol === 'SOL';
  const rent = rentExempt(
    withExtensions(new Uint8Array(tokenAccountLayout.fixedSize), ACCOUNT_TYPE.account, extensions).length,
  );
  const encoded = tokenAccountLayout.encode({
    mint: token.mint,
    owner,
    amount,
    delegate: NO_ADDRESS,
    state: TOKEN_ACCOUNT_STATE.initialized,
    isNative: { isSome: isSol, value: isSol ? rent : 0n },
    delegatedAmount: 0n,
    closeAuthority: NO_ADDRESS,
  });
  const data = withExtensions(encoded, ACCOUNT_TYPE.account, extensions);
  return { lamports: isSol ? rent + amount : rent, owner: tokenProgramOf(token), data, executable: false };
}

function mintExtensions({ transferFee }: DemoToken): readonly Uint8Array[] {
  if (transferFee === undefined) return [];
  const fee = {
    epoch: 0n,
    maximumFee: transferFee.maximumBase,
    transferFeeBasisPoints: transferFee.basisPoints,
  };
  const config = transferFeeConfigLayout.encode({
    transferFeeConfigAuthority: NO_KEY,
    withdrawWithheldAuthority: NO_KEY,
    withheldAmount: 0n,
    olderTransferFee: fee,
    newerTransferFee: fee,
  });
  return [extension(MINT_EXTENSION.transferFeeConfig, config)];
}

/** An account of a mint with a fee keeps count of what it withheld, in eight bytes. */
function accountExtensions({ transferFee }: DemoToken): readonly Uint8Array[] {
  return transferFee === undefined ? [] : [extension(ACCOUNT_EXTENSION.transferFeeAmount, new Uint8Array(8))];
}

/** Type and length as little-endian u16, then the value. */
function extension(type: number, value: ArrayLike<number>): Uint8Array {
  return Uint8Array.of(type, 0, value.length, 0, ...Array.from(value));
}

/** Whatever has an extension is filled up to the size of a token account, then says what it is. */
function withExtensions(base: ArrayLike<number>, type: number, extensions: readonly Uint8Array[]): Uint8Array {
  if (extensions.length === 0) return Uint8Array.from(base);
  const data = new Uint8Array(
    tokenAccountLayout.fixedSize + 1 + extensions.reduce((sum, { length }) => sum + length, 0),
  );
  data.set(base);
  data[tokenAccountLayout.fixedSize] = type;
  let offset = tokenAccountLayout.fixedSize + 1;
  for (const bytes of extensions) {
    data.set(bytes, offset);
    offset += bytes.length;
  }
  return data;
}
