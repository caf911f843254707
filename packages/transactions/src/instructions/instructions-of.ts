import { type AccountsOf, encodeInstruction, type InstructionLayout, type ProgramVersion } from '@lending/programs';
import { type AccountMeta, AccountRole, type Address, type Instruction } from '@solana/kit';

/** A program that is called. Only the lending program's lists of accounts depend on a version. */
interface CalledProgram {
  readonly program: Address;
  readonly version?: ProgramVersion;
}

/** Builds instructions of one program from names; what follows the named accounts is read-only unless it says otherwise. */
export function instructionsOf({ program, version }: CalledProgram) {
  return <TList extends string, TArgs>(
    layout: InstructionLayout<TList, TArgs>,
    accounts: AccountsOf<TList>,
    args: TArgs,
    remaining: readonly (Address | AccountMeta)[] = [],
  ): Instruction => {
    const metas = remaining.map((one) =>
      typeof one === 'string' ? { address: one, role: AccountRole.READONLY } : one,
    );
    return encodeInstruction(layout, program, accounts, args, metas, version);
  };
}
