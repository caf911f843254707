import {
  isInstructionOf,
  lendingAccountBorrow,
  lendingAccountLiquidate,
  lendingAccountWithdraw,
} from '@lending/programs';
import { AccountRole, type Instruction } from '@solana/kit';

const TAKING = [lendingAccountBorrow, lendingAccountWithdraw, lendingAccountLiquidate];

/** The vault authority is read-only today; the ELF wants it writable in what takes tokens out of a vault. */
export function makeVaultAuthorityWritable(instruction: Instruction): Instruction {
  const layout = TAKING.find((candidate) => isInstructionOf(candidate, instruction.data ?? []));
  if (layout === undefined) return instruction;
  const position = layout.accounts.findIndex(({ name }) => name === 'bankLiquidityVaultAuthority');
  const accounts = (instruction.accounts ?? []).map((meta, index) =>
    index === position ? { ...meta, role: AccountRole.WRITABLE } : meta,
  );
  return { ...instruction, accounts };
}
