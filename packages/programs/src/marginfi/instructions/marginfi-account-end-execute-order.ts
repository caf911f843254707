import { getStructCodec } from '@solana/kit';
import { defineInstruction } from '../../instruction-layout.ts';

/** Ends the execution of an order, checks what is left of its balances, and closes it. Remaining accounts: the health accounts. From 0.1.8. */
export const marginfiAccountEndExecuteOrder = defineInstruction({
  name: 'marginfi_account_end_execute_order',
  discriminator: Uint8Array.of(115, 42, 20, 93, 121, 84, 178, 83),
  accounts: [
    { name: 'group' },
    { name: 'marginfiAccount', isWritable: true },
    { name: 'executor', isSigner: true },
    { name: 'feeRecipient', isWritable: true },
    { name: 'order', isWritable: true },
    { name: 'executeRecord', isWritable: true },
    { name: 'feeState' },
  ],
  args: getStructCodec([]),
});
