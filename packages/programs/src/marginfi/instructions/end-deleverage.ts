import { getStructCodec } from '@solana/kit';
import { defineInstruction } from '../../instruction-layout.ts';

/** Ends a forced deleverage and checks that health did not get worse. Last instruction. Remaining accounts: the health accounts of the balances that are left. */
export const endDeleverage = defineInstruction({
  name: 'end_deleverage',
  discriminator: Uint8Array.of(114, 14, 250, 143, 252, 104, 214, 209),
  accounts: [
    { name: 'marginfiAccount', isWritable: true },
    { name: 'liquidationRecord', isWritable: true },
    { name: 'group' },
    { name: 'riskAdmin', isSigner: true },
  ],
  args: getStructCodec([]),
});
