import { LendingError } from '@lending/errors';
import type { Address, Decoder } from '@solana/kit';
import type { AccountBytes } from './account.ts';

const NOTHING = new Uint8Array();

/** What an account must be, besides what its layout says. */
export interface AccountShape {
  /** For people: "bank", "group". */
  readonly kind: string;
  readonly owner: Address;
  /** What it begins with, where its layout does not say. */
  readonly discriminator?: Uint8Array;
  /** Bytes that must be there, where these are not all of its layout. More are fine: programs grow their accounts. */
  readonly size?: number;
  /** A program that tells its accounts apart by their length: no byte more. */
  readonly isExact?: boolean;
}

type AccountReader<T> = Pick<Decoder<T>, 'decode'> & {
  readonly discriminator?: Uint8Array;
  readonly fixedSize?: number;
};

/**
 * Reads an account after checking who owns it and what it is.
 * @throws DECODE__OWNER_MISMATCH, DECODE__ACCOUNT_MALFORMED (too short, or of another length), DECODE__DISCRIMINATOR_MISMATCH
 */
export function decodeAccount<T>(account: AccountBytes, shape: AccountShape, layout: AccountReader<T>): T {
  const { discriminator = layout.discriminator ?? NOTHING, size = layout.fixedSize ?? 0, isExact = false } = shape;
  const { address, owner, data } = account;
  if (owner !== shape.owner) {
    throw new LendingError('DECODE__OWNER_MISMATCH', {
      message: `${shape.kind} ${address} belongs to ${owner}, expected ${shape.owner}`,
      context: { address, owner, expected: shape.owner },
    });
  }
  if (data.length >= discriminator.length && !startsWith(data, discriminator)) {
    throw new LendingError('DECODE__DISCRIMINATOR_MISMATCH', {
      message: `${address} is not a ${shape.kind}: it starts with ${hex(data.subarray(0, 8))}, expected ${hex(discriminator)}`,
      context: { address },
    });
  }
  if (data.length < size || (isExact && data.length > size)) {
    throw new LendingError('DECODE__ACCOUNT_MALFORMED', {
      message: `${shape.kind} ${address} has ${data.length} bytes, expected ${isExact ? 'exactly' : 'at least'} ${size}`,
      context: { address, length: data.length, expected: size },
    });
  }
  return read(account, shape.kind, layout);
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

function read<T>(account: AccountBytes, kind: string, layout: AccountReader<T>): T {
  try {
    return layout.decode(account.data);
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
