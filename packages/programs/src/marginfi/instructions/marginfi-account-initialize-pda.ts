import { getNullableCodec, getStructCodec } from '@solana/kit';
import { getU16Codec } from '../../fixed-offset/number-codecs.ts';
import { defineInstruction } from '../../instruction-layout.ts';

/**
 * Creates an account at the address derived from group, authority, `accountIndex` and `thirdPartyId` (none is 0). Nobody but the
 * authority and the fee payer signs. At an address that is taken, it is the system program that fails (custom error 0).
 */
export const marginfiAccountInitializePda = defineInstruction({
  name: 'marginfi_account_initialize_pda',
  discriminator: Uint8Array.of(87, 177, 91, 80, 218, 119, 245, 31),
  accounts: [
    { name: 'marginfiGroup' },
    { name: 'marginfiAccount', isWritable: true },
    { name: 'authority', isSigner: true },
    { name: 'feePayer', isWritable: true, isSigner: true },
    { name: 'instructionsSysvar' },
    { name: 'systemProgram' },
  ],
  args: getStructCodec([
    ['accountIndex', getU16Codec()],
    ['thirdPartyId', getNullableCodec(getU16Codec())],
  ]),
});
