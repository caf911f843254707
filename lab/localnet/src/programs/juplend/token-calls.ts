import { writeU64 } from '#engine/bytes.ts';
import type { InvokeContext } from '#engine/program.ts';
import type { NamedAccount } from '#programs/anchor/account-reader.ts';
import { MINT } from '../token/token-state.ts';

/** Instructions of either token program. */
const MINT_TO = 7;
const BURN = 8;
const TRANSFER_CHECKED = 12;

type Signers = readonly (readonly Uint8Array[])[];

interface Holders {
  readonly tokenProgram: NamedAccount;
  readonly mint: NamedAccount;
  readonly authority: NamedAccount;
  readonly amountBase: bigint;
}

export function transferTokens(
  context: InvokeContext,
  transfer: Holders & { readonly from: NamedAccount; readonly to: NamedAccount },
  signers: Signers = [],
): void {
  const { tokenProgram, mint, from, to, authority, amountBase } = transfer;
  const data = withAmount(10, TRANSFER_CHECKED, amountBase);
  data[9] = mint.account.data[MINT.decimals] ?? 0;
  const accounts = [writable(from), readonly(mint), writable(to), signing(authority)];
  context.invoke({ programId: tokenProgram.account.address, accounts, data }, signers);
}

export function mintTokens(
  context: InvokeContext,
  { tokenProgram, mint, authority, amountBase, to }: Holders & { readonly to: NamedAccount },
  signers: Signers,
): void {
  const accounts = [writable(mint), writable(to), signing(authority)];
  context.invoke(
    { programId: tokenProgram.account.address, accounts, data: withAmount(9, MINT_TO, amountBase) },
    signers,
  );
}

export function burnTokens(
  context: InvokeContext,
  { tokenProgram, mint, authority, amountBase, from }: Holders & { readonly from: NamedAccount },
): void {
  const accounts = [writable(from), writable(mint), signing(authority)];
  context.invoke({ programId: tokenProgram.account.address, accounts, data: withAmount(9, BURN, amountBase) });
}

function withAmount(length: number, tag: number, amountBase: bigint): Uint8Array {
  const data = new Uint8Array(length);
  data[0] = tag;
  writeU64(data, 1, amountBase);
  return data;
}

function writable({ account }: NamedAccount) {
  return { address: account.address, isSigner: false, isWritable: true };
}

function readonly({ account }: NamedAccount) {
  return { address: account.address, isSigner: false, isWritable: false };
}

function signing({ account }: NamedAccount) {
  return { address: account.address, isSigner: true, isWritable: false };
}
