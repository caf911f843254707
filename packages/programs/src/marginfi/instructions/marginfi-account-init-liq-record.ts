import { getStructCodec } from '@solana/kit';
import { defineInstruction } from '../../instruction-layout.ts';

/** Opens the record that a liquidation by receivership needs. Anyone may pay for it. */
export const marginfiAccountInitLiqRecord = defineInstruction({
  name: 'marginfi_account_init_liq_record',
  discriminator: Uint8Array.of(236, 213, 238, 126, 147, 251, 164, 8),
  accounts: [
    { name: 'marginfiAccount', isWritable: true },
    { name: 'feePayer', isWritable: true, isSigner: true },
    { name: 'liquidationRecord', isWritable: true },
    { name: 'systemProgram' },
  ],
  args: getStructCodec([]),
});
