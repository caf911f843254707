import type { FixedSizeDecoder } from '@solana/kit';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import { InstructionError } from '#engine/instruction-error.ts';

const PROGRAM_VERSION = 1;

/**
 * Reads an account as Rust's `Pack` does: by its length and version alone. Whose it is, each instruction asks afterwards.
 * @throws InstructionError InvalidAccountData, UninitializedAccount
 */
export function unpack<T extends { readonly version: number }>(
  account: InstructionAccount,
  decoder: FixedSizeDecoder<T>,
  isSound: (value: T) => boolean,
): T {
  const value = unpackUnchecked(account, decoder, isSound);
  if (value.version === 0) throw new InstructionError('UninitializedAccount');
  return value;
}

/** The same of an account that need not be set up. */
export function unpackUnchecked<T extends { readonly version: number }>(
  account: InstructionAccount,
  decoder: FixedSizeDecoder<T>,
  isSound: (value: T) => boolean,
): T {
  if (account.data.length !== decoder.fixedSize) throw new InstructionError('InvalidAccountData');
  const value = orPanic(() => decoder.decode(account.data));
  if (value.version > PROGRAM_VERSION || !isSound(value)) throw new InstructionError('InvalidAccountData');
  return value;
}

/** What cannot be read or stored at all (a figure of more than 128 bits) stops the program. */
export function orPanic<T>(run: () => T): T {
  try {
    return run();
  } catch (cause) {
    const stopped = new InstructionError('ProgramFailedToComplete');
    stopped.cause = cause;
    throw stopped;
  }
}

export function isBool(byte: number): boolean {
  return byte <= 1;
}
