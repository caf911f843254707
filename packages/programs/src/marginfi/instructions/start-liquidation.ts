import { getStructCodec } from '@solana/kit';
import { defineInstruction } from '../../instruction-layout.ts';

/**
 * Hands an unhealthy account to the receiver for the rest of the transaction. First instruction but for compute budget and its
 * like. Remaining accounts: the health accounts of all balances.
 */
export const startLiquidation = defineInstruction({
  name: 'start_liquidation',
  discriminator: Uint8Array.of(244, 93, 90, 214, 192, 166, 191, 21),
  accounts: [
    { name: 'marginfiAccount', isWritable: true },
    { name: 'liquidationRecord', isWritable: true },
    { name: 'liquidationReceiver' },
    { name: 'instructionSysvar' },
  ],
  args: getStructCodec([]),
});
