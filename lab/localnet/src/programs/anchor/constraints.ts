import { readAddress } from '@lending/programs';
import type { Address } from '@solana/kit';
import { areBytesEqual } from '#engine/bytes.ts';
import { createProgramAddress, findProgramAddress } from '#engine/derived-address.ts';
import { InstructionError } from '#engine/instruction-error.ts';
import { ACCOUNT, isKeyAt } from '../token/token-state.ts';
import type { NamedAccount } from './account-reader.ts';
import type { AnchorError, ErrorDetails, ErrorOrigin } from './anchor-error.ts';
import { frameworkError } from './framework-error.ts';

/** An error of the program's own that a constraint names instead of Anchor's. */
export type ConstraintError = (details: ErrorDetails) => AnchorError;

/** `#[account(mut)]` */
export function requireWritable({ name, account }: NamedAccount): void {
  if (!account.isWritable) throw frameworkError('ConstraintMut', { origin: causedBy(name) });
}

/** `has_one = … @ error`: a key that stands in the account is another account of the instruction. */
export function requireHasOne(
  owner: NamedAccount,
  stored: Uint8Array,
  target: NamedAccount,
  error: ConstraintError = (details) => frameworkError('ConstraintHasOne', details),
): void {
  if (areBytesEqual(stored, target.account.key)) return;
  throw error({ origin: causedBy(owner.name), compared: [readAddress(stored), target.account.address] });
}

/** `constraint = … @ error` */
export function requireConstraint({ name }: NamedAccount, isMet: boolean, error: ConstraintError): void {
  if (!isMet) throw error({ origin: causedBy(name) });
}

/** `#[account(mut)]` of several accounts, in this order; those that were left out are none of them. */
export function requireAllWritable(...accounts: readonly (NamedAccount | null)[]): void {
  for (const account of accounts) if (account !== null) requireWritable(account);
}

/** `address = …` */
export function requireAddress({ name, account }: NamedAccount, wanted: Address): void {
  if (account.address === wanted) return;
  throw frameworkError('ConstraintAddress', { origin: causedBy(name), compared: [account.address, wanted] });
}

/** `seeds = […], bump = …`: the bump is one that the program stored. */
export function requireSeeds(
  { name, account }: NamedAccount,
  seeds: readonly Uint8Array[],
  bump: number,
  programId: Address,
): void {
  const wanted = derive([...seeds, Uint8Array.of(bump)], programId);
  if (wanted === null) throw frameworkError('ConstraintSeeds', { origin: causedBy(name) });
  if (account.address === wanted) return;
  throw frameworkError('ConstraintSeeds', { origin: causedBy(name), compared: [account.address, wanted] });
}

/** `seeds = […], bump`: the first bump that works. */
export function requireFoundSeeds(
  { name, account }: NamedAccount,
  seeds: readonly Uint8Array[],
  programId: Address,
): number {
  const { address: wanted, bump } = findProgramAddress(seeds, programId);
  if (account.address === wanted) return bump;
  throw frameworkError('ConstraintSeeds', { origin: causedBy(name), compared: [account.address, wanted] });
}

/** `token::mint = …, token::authority = …, token::token_program = …` of a token account. */
export function requireToken(
  { account }: NamedAccount,
  wanted: {
    readonly authority: NamedAccount;
    readonly mint: NamedAccount;
    readonly tokenProgram?: NamedAccount;
  },
): void {
  const { authority, mint, tokenProgram } = wanted;
  if (!isKeyAt(account.data, ACCOUNT.owner, authority.account)) throw frameworkError('ConstraintTokenOwner');
  if (!isKeyAt(account.data, ACCOUNT.mint, mint.account)) throw frameworkError('ConstraintTokenMint');
  if (tokenProgram === undefined || account.owner === tokenProgram.account.address) return;
  throw frameworkError('ConstraintTokenTokenProgram');
}

/** Writable mints and token accounts must not be one and the same: the later one is named. Looked at before all other constraints. */
export function requireDistinct(...accounts: readonly NamedAccount[]): void {
  const seen = new Set<Address>();
  for (const { name, account } of accounts) {
    if (seen.has(account.address))
      throw frameworkError('ConstraintDuplicateMutableAccount', { origin: causedBy(name) });
    seen.add(account.address);
  }
}

/** `close = …`: an account cannot be closed to itself. */
export function requireOtherReceiver({ name, account }: NamedAccount, receiver: NamedAccount): void {
  if (account.address === receiver.account.address) throw frameworkError('ConstraintClose', { origin: causedBy(name) });
}

function causedBy(name: string): ErrorOrigin {
  return { kind: 'account', name };
}

function derive(seeds: readonly Uint8Array[], programId: Address): Address | null {
  try {
    return createProgramAddress(seeds, programId);
  } catch (error) {
    if (error instanceof InstructionError) return null;
    throw error;
  }
}
