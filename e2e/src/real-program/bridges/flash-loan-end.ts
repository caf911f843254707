import { isInstructionOf, lendingAccountEndFlashloan, lendingAccountStartFlashloan } from '@lending/programs';
import type { Address, Instruction } from '@solana/kit';

/**
 * Today a flash loan that was not started cannot be ended; the ELF accepts it. The position of the first such end, or null.
 */
export function findEndWithoutStart(instructions: readonly Instruction[]): number | null {
  const open = new Set<Address>();
  for (const [index, { data = [], accounts }] of instructions.entries()) {
    const account = accounts?.[0]?.address;
    if (account === undefined) continue;
    if (isInstructionOf(lendingAccountStartFlashloan, data)) open.add(account);
    if (isInstructionOf(lendingAccountEndFlashloan, data) && !open.delete(account)) return index;
  }
  return null;
}
