import { getStructCodec } from '@solana/kit';
import { defineInstruction } from '../../instruction-layout.ts';

/** Sets up an obligation in an account of the program that holds zeros yet. */
export const initSolendObligation = defineInstruction({
  name: 'init_obligation',
  discriminator: Uint8Array.of(6),
  accounts: [
    { name: 'obligation', isWritable: true },
    { name: 'lendingMarket' },
    { name: 'obligationOwner', isSigner: true },
    { name: 'rent' },
    { name: 'tokenProgram' },
  ],
  args: getStructCodec([]),
});
