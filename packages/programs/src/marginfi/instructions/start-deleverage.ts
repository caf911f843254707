import { getStructCodec } from '@solana/kit';
import { defineInstruction } from '../../instruction-layout.ts';

/** Hands an account to the group's risk admin for the rest of the transaction, healthy or not. Remaining accounts: the health accounts of all balances. */
export const startDeleverage = defineInstruction({
  name: 'start_deleverage',
  discriminator: Uint8Array.of(10, 138, 10, 57, 40, 232, 182, 193),
  accounts: [
    { name: 'marginfiAccount', isWritable: true },
    { name: 'liquidationRecord', isWritable: true },
    { name: 'group' },
    { name: 'riskAdmin', isSigner: true },
    { name: 'instructionSysvar' },
  ],
  args: getStructCodec([]),
});
