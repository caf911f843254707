import { readU64 } from '#engine/bytes.ts';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import { InstructionError } from '#engine/instruction-error.ts';
import { tokenError } from './token-error.ts';
import { ACCOUNT, MINT, STATE } from './token-state.ts';

/** One token instruction without its first byte; a batch has several of them. */
export interface TokenCall {
  readonly accounts: readonly InstructionAccount[];
  readonly data: Uint8Array;
}

export interface CheckedAmount {
  readonly amount: bigint;
  /** Decimals the caller believes the mint to have; undefined where the instruction does not say. */
  readonly decimals: number | undefined;
}

export function parseAmount({ data }: TokenCall, isChecked: boolean): CheckedAmount {
  if (data.length < (isChecked ? 9 : 8)) throw tokenError('invalidInstruction');
  return { amount: readU64(data, 0), decimals: isChecked ? data[8] : undefined };
}

/** The account's data, of the right size but perhaps unused. */
export function loadUnchecked(account: InstructionAccount, size: number): Uint8Array {
  if (account.data.length !== size) throw new InstructionError('InvalidAccountData');
  return account.data;
}

export function isAccountInitialized(data: Uint8Array): boolean {
  const state = data[ACCOUNT.state] ?? 0;
  if (state > STATE.frozen) throw new InstructionError('InvalidAccountData');
  return state !== STATE.uninitialized;
}

export function isFlagSet(data: Uint8Array, offset: number): boolean {
  const flag = data[offset] ?? 0;
  if (flag > 1) throw new InstructionError('InvalidAccountData');
  return flag === 1;
}

export function loadTokenAccount(account: InstructionAccount): Uint8Array {
  const data = loadUnchecked(account, ACCOUNT.size);
  if (!isAccountInitialized(data)) throw new InstructionError('UninitializedAccount');
  return data;
}

export function loadMint(account: InstructionAccount): Uint8Array {
  const data = loadUnchecked(account, MINT.size);
  if (!isFlagSet(data, MINT.isInitialized)) throw new InstructionError('UninitializedAccount');
  return data;
}

/** p-token looks at the first byte of a tag only, and leaves the value behind when it clears one. */
export function isSome(data: Uint8Array, tagOffset: number): boolean {
  return data[tagOffset] === 1;
}
