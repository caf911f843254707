import type { MarginfiErrorName } from '@lending/programs';
import type { Address } from '@solana/kit';
import { areBytesEqual } from '#engine/bytes.ts';
import { createProgramAddress, findProgramAddress } from '#engine/derived-address.ts';
import { InstructionError } from '#engine/instruction-error.ts';
import { marginfiError } from '../marginfi-error.ts';
import { toAddress } from '../state/field.ts';
import type { NamedAccount } from './account-reader.ts';
import type { ErrorOrigin } from './anchor-error.ts';
import { frameworkError } from './framework-error.ts';

/** `#[account(mut)]` */
export function requireWritable({ name, account }: NamedAccount): void {
  if (!account.isWritable) throw frameworkError('ConstraintMut', { origin: causedBy(name) });
}

/** `has_one`: a key that stands in the account is another account of the instruction. */
export function requireHasOne(
  owner: NamedAccount,
  stored: Uint8Array,
  target: NamedAccount,
  error?: MarginfiErrorName,
): void {
  if (areBytesEqual(stored, target.account.key)) return;
  const details = { origin: causedBy(owner.name), compared: [toAddress(stored), target.account.address] as const };
  throw error === undefined ? frameworkError('ConstraintHasOne', details) : marginfiError(error, details);
}

/** `constraint = … @ error` */
export function requireConstraint({ name }: NamedAccount, isMet: boolean, error: MarginfiErrorName): void {
  if (!isMet) throw marginfiError(error, { origin: causedBy(name) });
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

/** Writable token accounts must not be one and the same: the last one is named. */
export function requireDistinct(first: NamedAccount, second: NamedAccount): void {
  if (first.account.address !== second.account.address) return;
  throw frameworkError('ConstraintDuplicateMutableAccount', { origin: causedBy(second.name) });
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
