import {
  type InstructionLayout,
  isInstructionOf,
  lendingAccountEndFlashloan,
  lendingAccountPulseHealth,
  marginfiAccountClose,
} from '@lending/programs';
import type { Instruction } from '@solana/kit';
import { GROUP } from '../addresses.ts';

const LONGER: readonly Pick<InstructionLayout, 'accounts' | 'discriminator'>[] = [
  lendingAccountEndFlashloan,
  lendingAccountPulseHealth,
  marginfiAccountClose,
];

/**
 * The ELF does not know the accounts that later versions put into a list: the group at the end of a flash loan and in a pulse, and the
 * pool of fees that a closed account may have. A list whose group is another one stays as it is, and fails.
 */
export function shortenList(instruction: Instruction): Instruction {
  const layout = LONGER.find((candidate) => isInstructionOf(candidate, instruction.data ?? []));
  if (layout === undefined) return instruction;
  const accounts = instruction.accounts ?? [];
  const slotAt = (index: number) => layout.accounts[index];
  const isWrong = accounts.some(({ address }, index) => slotAt(index)?.name === 'group' && address !== GROUP);
  if (isWrong) return instruction;
  return { ...instruction, accounts: accounts.filter((_, index) => (slotAt(index)?.since ?? null) === null) };
}
