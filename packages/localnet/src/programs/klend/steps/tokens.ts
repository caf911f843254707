import { getAddressBytes } from '@lending/programs';
import { writeU64 } from '#engine/bytes.ts';
import type { InvokeContext } from '#engine/program.ts';
import type { NamedAccount } from '#programs/anchor/account-reader.ts';
import { MINT } from '../../token/token-state.ts';
import type { MarketLoader } from '../state/kinds.ts';

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
