import { getStructCodec } from '@solana/kit';
import { defineInstruction } from '../../instruction-layout.ts';

/**
 * Ends a receivership, checks that health improved and the premium stayed within bounds, and takes the flat fee. Last
 * instruction. Remaining accounts: the health accounts of the balances that are left.
 */
export const endLiquidation = defineInstruction({
  name: 'end_liquidation',
  discriminator: Uint8Array.of(110, 11, 244, 54, 229, 181, 22, 184),
  accounts: [
    { name: 'marginfiAccount', isWritable: true },
    { name: 'liquidationRecord', isWritable: true },
    { name: 'liquidationReceiver', isWritable: true, isSigner: true },
    { name: 'feeState' },
    { name: 'globalFeeWallet', isWritable: true },
    { name: 'systemProgram' },
  ],
  args: getStructCodec([]),
});
