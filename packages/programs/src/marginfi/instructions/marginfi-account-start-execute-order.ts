import { getStructCodec } from '@solana/kit';
import { defineInstruction } from '../../instruction-layout.ts';

/**
 * Lets the executor withdraw and repay for the account until the end of the transaction, because the order's trigger is met.
 * Remaining accounts: the health accounts. From 0.1.8.
 */
export const marginfiAccountStartExecuteOrder = defineInstruction({
  name: 'marginfi_account_start_execute_order',
  discriminator: Uint8Array.of(1, 70, 140, 134, 183, 29, 208, 224),
  accounts: [
    { name: 'group' },
    { name: 'marginfiAccount', isWritable: true },
    { name: 'feePayer', isWritable: true, isSigner: true },
    { name: 'executor' },
    { name: 'order', isWritable: true },
    { name: 'executeRecord', isWritable: true },
    { name: 'instructionSysvar' },
    { name: 'systemProgram' },
  ],
  args: getStructCodec([]),
});
