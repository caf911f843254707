import { TOKEN_2022_PROGRAM } from '@lending/programs';
import { readU64 } from '#engine/bytes.ts';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import { InstructionError } from '#engine/instruction-error.ts';
import { assertOwnedBy } from '../token/token-state.ts';
import { assertUnpacks } from './extended-state.ts';
import type { BaseKind } from './extension-type.ts';

/** Data after the instruction's first byte(s), of exactly this length. */
export function assertDataLength(data: Uint8Array, length: number): void {
  if (data.length !== length) throw new InstructionError('InvalidInstructionData');
}

export interface CheckedAmount {
  readonly amount: bigint;
  readonly decimals: number | undefined;
}

export function parseAmount(data: Uint8Array, isChecked: boolean): CheckedAmount {
  assertDataLength(data, isChecked ? 9 : 8);
  return { amount: readU64(data, 0), decimals: isChecked ? data[8] : undefined };
}

/** `0`, or `1` and an address; anything may follow. */
export function parseOptionalKey(data: Uint8Array): Uint8Array | null {
  if (data[0] === 0) return null;
  if (data[0] !== 1 || data.length < 33) throw new InstructionError('InvalidInstructionData');
  return data.subarray(1, 33);
}

export function assertToken2022(account: InstructionAccount): void {
  assertOwnedBy(account, TOKEN_2022_PROGRAM);
}

export function loadBase(account: InstructionAccount, kind: BaseKind): Uint8Array {
  assertUnpacks(account.data, kind);
  return account.data;
}

/**
 * The compiled program borrows an account's bytes once; asking for the same account's a second time is a crash.
 * @throws InstructionError `ProgramFailedToComplete`
 */
export function assertNotBorrowed(account: InstructionAccount, borrowed: InstructionAccount): void {
  if (account.isSameAs(borrowed)) throw new InstructionError('ProgramFailedToComplete');
}
