import { getNullableCodec, getStructCodec } from '@solana/kit';
import { getU16Codec } from '../../fixed-offset/number-codecs.ts';
import { defineInstruction } from '../../instruction-layout.ts';

/** Moves every balance to a new account derived from the **new** authority and disables the old one, for the same fee as `transfer_to_new_account`. */
export const transferToNewAccountPda = defineInstruction({
  name: 'transfer_to_new_account_pda',
  discriminator: Uint8Array.of(172, 210, 224, 220, 146, 212, 253, 49),
  accounts: [
    { name: 'group' },
    { name: 'oldMarginfiAccount', isWritable: true },
    { name: 'newMarginfiAccount', isWritable: true },
    { name: 'authority', isSigner: true },
    { name: 'feePayer', isWritable: true, isSigner: true },
    { name: 'newAuthority' },
    { name: 'globalFeeWallet', isWritable: true },
    { name: 'instructionsSysvar' },
    { name: 'systemProgram' },
  ],
  args: getStructCodec([
    ['accountIndex', getU16Codec()],
    ['thirdPartyId', getNullableCodec(getU16Codec())],
  ]),
});
