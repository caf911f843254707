import { ASSOCIATED_TOKEN_PROGRAM, getAddressBytes } from '@lending/programs';
import { type Address, getAddressEncoder } from '@solana/kit';
import { hasBytesAt } from '#engine/bytes.ts';
import { findProgramAddress } from '#engine/derived-address.ts';
import type { NamedAccount } from '#programs/anchor/account-reader.ts';
import { requireHasOne } from '#programs/anchor/constraints.ts';
import { frameworkError } from '#programs/anchor/framework-error.ts';
import { ACCOUNT } from '../token/token-state.ts';

const encoder = getAddressEncoder();

/** `has_one`, of a key that was decoded. */
export function requireKey(owner: NamedAccount, stored: Address, target: NamedAccount): void {
  requireHasOne(owner, getAddressBytes(stored), target);
}

/** `has_one = mint`, where the mint is an argument of the instruction. */
export function requireMintArgument({ name }: NamedAccount, stored: Address, mint: Address): void {
  if (stored === mint) return;
  throw frameworkError('ConstraintHasOne', { origin: { kind: 'account', name }, compared: [stored, mint] });
}

/** `associated_token::mint = …, authority = …, token_program = …` of a token account. */
export function requireAssociated(
  { name, account }: NamedAccount,
  wanted: { readonly authority: Address; readonly mint: Address; readonly tokenProgram: NamedAccount },
): void {
  const { authority, mint, tokenProgram } = wanted;
  if (account.owner !== tokenProgram.account.address) throw frameworkError('ConstraintAssociatedTokenTokenProgram');
  const wallet = getAddressBytes(authority);
  const origin = { kind: 'account', name } as const;
  if (!hasBytesAt(account.data, ACCOUNT.owner, wallet)) throw frameworkError('ConstraintTokenOwner', { origin });
  const seeds = [wallet, tokenProgram.account.key, new Uint8Array(encoder.encode(mint))];
  const { address } = findProgramAddress(seeds, ASSOCIATED_TOKEN_PROGRAM);
  if (account.address === address) return;
  throw frameworkError('ConstraintAssociated', { origin, compared: [account.address, address] });
}
