import {
  INSTRUCTIONS_SYSVAR,
  marginfiAccountInitializePda,
  type ProgramVersion,
  SYSTEM_PROGRAM,
} from '@lending/programs';
import type { Address, Instruction } from '@solana/kit';
import { instructionsOf } from './instructions-of.ts';

/** A lending account that is to be opened at the address its index gives. */
export interface AccountToCreate {
  readonly program: Address;
  readonly version: ProgramVersion;
  readonly group: Address;
  readonly authority: Address;
  readonly account: Address;
  readonly index: number;
}

/** Opens a lending account that its owner pays for, without a third party. Only the owner signs. */
export function createAccount({ program, version, group, authority, account, index }: AccountToCreate): Instruction {
  return instructionsOf({ program, version })(
    marginfiAccountInitializePda,
    {
      marginfiGroup: group,
      marginfiAccount: account,
      authority,
      feePayer: authority,
      instructionsSysvar: INSTRUCTIONS_SYSVAR,
      systemProgram: SYSTEM_PROGRAM,
    },
    { accountIndex: index, thirdPartyId: null },
  );
}
