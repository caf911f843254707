import { getAddressBytes, TOKEN_PROGRAM } from '@lending/programs';
import { isZeroed, readU16, writeU64 } from '#engine/bytes.ts';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import type { InvokeContext } from '#engine/program.ts';
import type { NamedAccount } from '#programs/anchor/account-reader.ts';
import { EXTENSION, findExtension, listExtensions } from '../../token/extensions.ts';
import { amountOf, MINT } from '../../token/token-state.ts';
import { check, panic } from '../klend-error.ts';
import type { MarketLoader, ReserveLoader } from '../state/kinds.ts';

const MINT_TO = 7;
const BURN = 8;
const TRANSFER_CHECKED = 12;
export const MARKET_AUTHORITY_SEED = new TextEncoder().encode('lma');

type Signers = readonly (readonly Uint8Array[])[];

/** The market's derived authority, which owns the vaults and mints the cTokens. */
export function signersOf(market: MarketLoader): Signers {
  const bump = Number(market.load().read().bumpSeed & 255n);
  return [[MARKET_AUTHORITY_SEED, getAddressBytes(market.account.address), Uint8Array.of(bump)]];
}

interface Transfer {
  readonly tokenProgram: NamedAccount;
  readonly mint: NamedAccount;
  readonly from: NamedAccount;
  readonly to: NamedAccount;
  readonly authority: NamedAccount;
  readonly amount: bigint;
}

export function transferLiquidity(
  context: InvokeContext,
  { tokenProgram, mint, from, to, authority, amount }: Transfer,
  signers: Signers = [],
): void {
  const data = new Uint8Array(10);
  data[0] = TRANSFER_CHECKED;
  writeU64(data, 1, amount);
  data[9] = mint.account.data[MINT.decimals] ?? 0;
  call(context, tokenProgram, [writable(from), readable(mint), writable(to), signing(authority)], data, signers);
}

interface CTokens {
  readonly tokenProgram: NamedAccount;
  readonly mint: NamedAccount;
  readonly holder: NamedAccount;
  readonly authority: NamedAccount;
  readonly amount: bigint;
}

export function mintCTokens(context: InvokeContext, { mint, holder, ...rest }: CTokens, signers: Signers): void {
  const accounts = [writable(mint), writable(holder), signing(rest.authority)];
  call(context, rest.tokenProgram, accounts, amountData(MINT_TO, rest.amount), signers);
}

export function burnCTokens(context: InvokeContext, { mint, holder, ...rest }: CTokens, signers: Signers = []): void {
  const accounts = [writable(holder), writable(mint), signing(rest.authority)];
  call(context, rest.tokenProgram, accounts, amountData(BURN, rest.amount), signers);
}

interface Meta {
  readonly address: NamedAccount['account']['address'];
  readonly isSigner: boolean;
  readonly isWritable: boolean;
}

function call(
  context: InvokeContext,
  tokenProgram: NamedAccount,
  accounts: readonly Meta[],
  data: Uint8Array,
  signers: Signers,
): void {
  context.invoke({ programId: tokenProgram.account.address, accounts, data }, signers);
}

function amountData(tag: number, amount: bigint): Uint8Array {
  const data = new Uint8Array(9);
  data[0] = tag;
  writeU64(data, 1, amount);
  return data;
}

function writable({ account }: NamedAccount): Meta {
  return { address: account.address, isSigner: false, isWritable: true };
}

function readable({ account }: NamedAccount): Meta {
  return { address: account.address, isSigner: false, isWritable: false };
}

function signing({ account }: NamedAccount): Meta {
  return { address: account.address, isSigner: true, isWritable: false };
}

/** Tokens in a reserve's vault beyond those the reserve counts; negative where it holds less. */
export function uncountedTokens(reserve: ReserveLoader, vault: NamedAccount): bigint {
  return amountOf(vault.account.data) - reserve.load().read().liquidity.totalAvailableAmount;
}

/**
 * Once all is moved the vault must hold as much beyond its reserve as before. Where it held less than the reserve counts, the program
 * stops.
 * @throws AnchorError ReserveTokenBalanceMismatch, where a token program kept something back
 */
export function assertSameUncounted(context: InvokeContext, before: bigint, after: bigint): void {
  if (before < 0n || after < 0n) panic(context, 'the vault holds less than the reserve counts');
  check(before === after, 'ReserveTokenBalanceMismatch');
}

const OF_MINTS: ReadonlySet<number> = new Set([
  EXTENSION.confidentialTransferFeeConfig,
  EXTENSION.confidentialTransferMint,
  EXTENSION.mintCloseAuthority,
  EXTENSION.metadataPointer,
  EXTENSION.permanentDelegate,
  EXTENSION.transferFeeConfig,
  EXTENSION.tokenMetadata,
  EXTENSION.transferHook,
  EXTENSION.defaultAccountState,
  EXTENSION.scaledUiAmount,
  EXTENSION.pausable,
]);
const OF_ACCOUNTS: ReadonlySet<number> = new Set([
  EXTENSION.confidentialTransferFeeAmount,
  EXTENSION.confidentialTransferAccount,
  EXTENSION.transferFeeAmount,
  EXTENSION.transferHookAccount,
  EXTENSION.pausableAccount,
  EXTENSION.immutableOwner,
]);
/** Where the older and the newer fee of a mint hold their basis points, and a hook its program. */
const [OLDER_FEE, NEWER_FEE] = [88, 106];
const HOOK_PROGRAM = 32;
/** Where a pausable mint says that it stands still. */
const PAUSED = 32;

/**
 * Tokens that are not simply moved stay outside: fees, hooks, and extensions klend has not heard of. What confidential transfers and
 * default states may be is not looked at here, for the chain's tokens have none.
 * @throws AnchorError UnsupportedTokenExtension
 * @see klend programs/klend/src/utils/constraints.rs `token_2022`
 */
export function assertPlainToken(mint: NamedAccount, holder: NamedAccount): void {
  const plain = isPlain(mint.account, OF_MINTS) && isPlain(holder.account, OF_ACCOUNTS) && movesFreely(mint.account);
  check(plain, 'UnsupportedTokenExtension');
}

function isPlain({ owner, data }: InstructionAccount, known: ReadonlySet<number>): boolean {
  return owner === TOKEN_PROGRAM || listExtensions(data).every((type) => known.has(type));
}

function movesFreely({ owner, data }: InstructionAccount): boolean {
  if (owner === TOKEN_PROGRAM) return true;
  const fee = findExtension(data, EXTENSION.transferFeeConfig);
  if (fee && (readU16(data, fee.start + OLDER_FEE) !== 0 || readU16(data, fee.start + NEWER_FEE) !== 0)) return false;
  const hook = findExtension(data, EXTENSION.transferHook);
  if (hook && !isZeroed(data.subarray(hook.start + HOOK_PROGRAM, hook.end))) return false;
  const pause = findExtension(data, EXTENSION.pausable);
  return pause === undefined || data[pause.start + PAUSED] === 0;
}
