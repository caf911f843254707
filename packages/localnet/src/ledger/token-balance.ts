import { type Address, getAddressDecoder } from '@solana/kit';
import type { AccountSource, AccountState } from '#engine/engine.ts';

export const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA' as Address;
export const TOKEN_2022_PROGRAM = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb' as Address;

/** Offsets of SPL Token's two layouts, which Token-2022 shares up to its extensions. @see spl-token state.rs */
const ACCOUNT_LENGTH = 165;
const MINT_LENGTH = 82;
/** Token-2022 marks what an extended account is in the byte after the token account layout. */
const KIND_OFFSET = 165;
const KIND_MINT = 1;
const KIND_ACCOUNT = 2;

export interface TokenAccountView {
  readonly mint: Address;
  readonly owner: Address;
  readonly amount: bigint;
  readonly delegate: Address | null;
  readonly delegatedAmount: bigint;
  readonly state: 'uninitialized' | 'initialized' | 'frozen';
  /** Lamports kept as rent reserve when the account wraps SOL, else null. */
  readonly nativeReserve: bigint | null;
  readonly closeAuthority: Address | null;
}

export interface MintView {
  readonly mintAuthority: Address | null;
  readonly supply: bigint;
  readonly decimals: number;
  readonly isInitialized: boolean;
  readonly freezeAuthority: Address | null;
}

export interface TokenBalance {
  readonly accountIndex: number;
  readonly mint: Address;
  readonly owner: Address;
  readonly programId: Address;
  readonly amount: bigint;
  readonly decimals: number;
}

const addressDecoder = getAddressDecoder();

export function isTokenProgram(program: Address): boolean {
  return program === TOKEN_PROGRAM || program === TOKEN_2022_PROGRAM;
}

/** The token account an account holds, or undefined when it holds none. */
export function readTokenAccount(state: AccountState | undefined): TokenAccountView | undefined {
  if (state === undefined || !isTokenProgram(state.owner)) return undefined;
  const { data } = state;
  if (data.length < ACCOUNT_LENGTH || (data.length > ACCOUNT_LENGTH && data[KIND_OFFSET] !== KIND_ACCOUNT))
    return undefined;
  const fields = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const stateName = (['uninitialized', 'initialized', 'frozen'] as const)[data[108] ?? 0] ?? 'uninitialized';
  if (stateName === 'uninitialized') return undefined;
  return {
    mint: addressDecoder.decode(data, 0),
    owner: addressDecoder.decode(data, 32),
    amount: fields.getBigUint64(64, true),
    delegate: optionalAddress(data, fields, 72),
    state: stateName,
    nativeReserve: fields.getUint32(109, true) === 1 ? fields.getBigUint64(113, true) : null,
    delegatedAmount: fields.getBigUint64(121, true),
    closeAuthority: optionalAddress(data, fields, 129),
  };
}

/** The mint an account holds, or undefined when it holds none. */
export function readMint(state: AccountState | undefined): MintView | undefined {
  if (state === undefined || !isTokenProgram(state.owner)) return undefined;
  const { data } = state;
  if (data.length < MINT_LENGTH || (data.length > MINT_LENGTH && data[KIND_OFFSET] !== KIND_MINT)) return undefined;
  const fields = new DataView(data.buffer, data.byteOffset, data.byteLength);
  return {
    mintAuthority: optionalAddress(data, fields, 0),
    supply: fields.getBigUint64(36, true),
    decimals: data[44] ?? 0,
    isInitialized: data[45] === 1,
    freezeAuthority: optionalAddress(data, fields, 46),
  };
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

/** C-style option: a u32 tag, then the key. */
function optionalAddress(data: Uint8Array, fields: DataView, offset: number): Address | null {
  return fields.getUint32(offset, true) === 1 ? addressDecoder.decode(data, offset + 4) : null;
}
