import { LendingError } from '@lending/errors';
import type { Address, Decoder } from '@solana/kit';
import type { AccountBytes } from './account.ts';

/** What an account must look like before its fields are read. */
export interface AccountShape {
  /** For people: "bank", "group". */
  readonly kind: string;
  readonly owner: Address;
  readonly discriminator: Uint8Array;
  /** Bytes that must be there. More are fine: programs grow their accounts. */
  readonly size: number;
}

/**
 * Reads an account after checking who owns it and what it is.
 * @throws DECODE__OWNER_MISMATCH, DECODE__ACCOUNT_MALFORMED (too short), DECODE__DISCRIMINATOR_MISMATCH
 */
export function decodeAccount<T>(account: AccountBytes, shape: AccountShape, decoder: Decoder<T>): T {
  const { address, owner, data } = account;
  if (owner !== shape.owner) {
    throw new LendingError('DECODE__OWNER_MISMATCH', {
      message: `${shape.kind} ${address} belongs to ${owner}, expected ${shape.owner}`,
      context: { address, owner, expected: shape.owner },
    });
  }
  if (data.length >= shape.discriminator.length && !startsWith(data, shape.discriminator)) {
    throw new LendingError('DECODE__DISCRIMINATOR_MISMATCH', {
      message: `${address} is not a ${shape.kind}: it starts with ${hex(data.subarray(0, 8))}, expected ${hex(shape.discriminator)}`,
      context: { address },
    });
  }
  if (data.length < shape.size) {
    throw new LendingError('DECODE__ACCOUNT_MALFORMED', {
      message: `${shape.kind} ${address} has ${data.length} bytes, expected at least ${shape.size}`,
      context: { address, length: data.length, expected: shape.size },
    });
  }
  return read(account, shape.kind, decoder);
}

/**
 * The account of this kind that a reading rests on.
 * @param reserve whose reading it is.
 * @throws DECODE__ACCOUNT_MALFORMED where it does not exist.
 */
export function presentAccount(account: AccountBytes | null | undefined, kind: string, reserve: Address): AccountBytes {
  if (account) return account;
  throw new LendingError('DECODE__ACCOUNT_MALFORMED', {
    message: `The ${kind} that ${reserve} is read with does not exist`,
    context: { address: reserve },
  });
}

function read<T>(account: AccountBytes, kind: string, decoder: Decoder<T>): T {
  try {
    return decoder.decode(account.data);
  } catch (cause) {
    throw new LendingError('DECODE__ACCOUNT_MALFORMED', {
      message: `${kind} ${account.address} cannot be read`,
      context: { address: account.address },
      cause,
    });
  }
}

function startsWith(data: Uint8Array, prefix: Uint8Array): boolean {
  return prefix.every((byte, index) => data[index] === byte);
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
