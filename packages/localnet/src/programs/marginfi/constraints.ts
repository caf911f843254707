import type { MarginfiErrorName } from '@lending/programs';
import type { NamedAccount } from '#programs/anchor/account-reader.ts';
import * as anchor from '#programs/anchor/constraints.ts';
import { marginfiError } from './marginfi-error.ts';

/** `has_one = … @ error`, with an error of this program; without one Anchor's own. */
export function requireHasOne(
  owner: NamedAccount,
  stored: Uint8Array,
  target: NamedAccount,
  error?: MarginfiErrorName,
): void {
  anchor.requireHasOne(owner, stored, target, error && ((details) => marginfiError(error, details)));
}

/** `constraint = … @ error`, with an error of this program. */
export function requireConstraint(account: NamedAccount, isMet: boolean, error: MarginfiErrorName): void {
  anchor.requireConstraint(account, isMet, (details) => marginfiError(error, details));
}
