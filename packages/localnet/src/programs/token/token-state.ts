import { getAddressBytes, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@lending/programs';
import { type Address, address } from '@solana/kit';
import { hasBytesAt, readU64, writeU64 } from '#engine/bytes.ts';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import { InstructionError } from '#engine/instruction-error.ts';
import { INCINERATOR, SYSTEM_PROGRAM } from '#engine/runtime-addresses.ts';
import { tokenError } from './token-error.ts';

/**
 * Offsets rather than the codecs of `@lending/programs`: the programs change single fields in place and leave every other
 * byte as it was, stale ones included, and the model must leave the same bytes.
 */
export const ACCOUNT = {
  size: 165,
  mint: 0,
  owner: 32,
  amount: 64,
  delegate: 72,
  state: 108,
  isNative: 109,
  nativeReserve: 113,
  delegatedAmount: 121,
  closeAuthority: 129,
} as const;

export const MINT = {
  size: 82,
  authority: 0,
  supply: 36,
  decimals: 44,
  isInitialized: 45,
  freezeAuthority: 46,
} as const;

export const MULTISIG = { size: 355, required: 0, count: 1, isInitialized: 2, signers: 3, maxSigners: 11 } as const;

/** Bytes before the value of an optional field. */
export const TAG_BYTES = 4;

export const STATE = { uninitialized: 0, initialized: 1, frozen: 2 } as const;

export const NATIVE_MINT = address('So11111111111111111111111111111111111111112');

const SYSTEM_KEY = getAddressBytes(SYSTEM_PROGRAM);
const INCINERATOR_KEY = getAddressBytes(INCINERATOR);

export function amountOf(data: Uint8Array): bigint {
  return readU64(data, ACCOUNT.amount);
}

export function isFrozen(data: Uint8Array): boolean {
  return data[ACCOUNT.state] === STATE.frozen;
}

export function isKeyAt(data: Uint8Array, offset: number, account: InstructionAccount): boolean {
  return hasBytesAt(data, offset, account.key);
}

export function keyAt(data: Uint8Array, offset: number): Uint8Array {
  return data.subarray(offset, offset + 32);
}

export function setAmount(data: Uint8Array, amount: bigint): void {
  writeU64(data, ACCOUNT.amount, amount);
}

/** Accounts whose owner can never sign may be burned from and closed by anyone. */
export function isOwnedBySystemOrIncinerator(data: Uint8Array): boolean {
  return hasBytesAt(data, ACCOUNT.owner, SYSTEM_KEY) || hasBytesAt(data, ACCOUNT.owner, INCINERATOR_KEY);
}

export function assertOwnedBy(account: InstructionAccount, programId: Address): void {
  if (account.owner !== programId) throw new InstructionError('IncorrectProgramId');
}

/**
 * Checks that the expected owner agreed: by its signature, or as a multisig by enough of its signers'.
 * @throws InstructionError
 */
export function assertAuthority(
  expected: Uint8Array,
  authority: InstructionAccount,
  signers: readonly InstructionAccount[],
): void {
  if (!hasBytesAt(authority.key, 0, expected)) throw tokenError('ownerMismatch');
  const isTokenOwned = authority.owner === TOKEN_PROGRAM || authority.owner === TOKEN_2022_PROGRAM;
  if (isTokenOwned && authority.data.length === MULTISIG.size) {
    assertMultisigSigned(authority.data, signers);
    return;
  }
  if (!authority.isSigner) throw new InstructionError('MissingRequiredSignature');
}

function assertMultisigSigned(multisig: Uint8Array, signers: readonly InstructionAccount[]): void {
  if (multisig[MULTISIG.isInitialized] === 0) throw new InstructionError('UninitializedAccount');
  const matched = new Set<number>();
  for (const signer of signers) {
    for (let position = 0; position < (multisig[MULTISIG.count] ?? 0); position++) {
      if (matched.has(position) || !isKeyAt(multisig, MULTISIG.signers + 32 * position, signer)) continue;
      if (!signer.isSigner) throw new InstructionError('MissingRequiredSignature');
      matched.add(position);
    }
  }
  if (matched.size < (multisig[MULTISIG.required] ?? 0)) throw new InstructionError('MissingRequiredSignature');
}
