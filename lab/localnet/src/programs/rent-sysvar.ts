import type { InstructionAccount } from '#engine/instruction-account.ts';
import { InstructionError } from '#engine/instruction-error.ts';
import { RENT_SYSVAR } from '#engine/runtime-addresses.ts';

/** Older instructions name the rent sysvar among their accounts. Its values come from the slot, not from its bytes. */
export function assertRentSysvar(account: InstructionAccount): void {
  if (account.address !== RENT_SYSVAR) throw new InstructionError('InvalidArgument');
}
