import { address } from '@solana/kit';
import { hasBytesAt, readU64, writeU64 } from '#engine/bytes.ts';
import type { InstructionAccount } from '#engine/instruction-account.ts';

/**
 * Offsets rather than the codecs of `@lending/programs`: the programs change single fields in place and leave every other
 * byte as it was, and the model must leave the same bytes.
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
} as const;

export const MINT = { size: 82, authority: 0, supply: 36, decimals: 44, isInitialized: 45 } as const;

/** Bytes before the value of an optional field. */
export const TAG_BYTES = 4;

export const STATE = { initialized: 1, frozen: 2 } as const;

export const NATIVE_MINT = address('So11111111111111111111111111111111111111112');

export function amountOf(data: Uint8Array): bigint {
  return readU64(data, ACCOUNT.amount);
}

export function setAmount(data: Uint8Array, amount: bigint): void {
  writeU64(data, ACCOUNT.amount, amount);
}

export function isKeyAt(data: Uint8Array, offset: number, account: InstructionAccount): boolean {
  return hasBytesAt(data, offset, account.key);
}
