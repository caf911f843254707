import { getNullableCodec, getStructCodec } from '@solana/kit';
import { getAddressCodec } from '../../fixed-offset/address-codec.ts';
import { defineInstruction } from '../../instruction-layout.ts';
import { getI80F48Codec } from '../i80f48.ts';

/** Sets a group's admins and the leverage that emode may allow. Null leaves a value as it is. */
export const marginfiGroupConfigure = defineInstruction({
  name: 'marginfi_group_configure',
  discriminator: Uint8Array.of(62, 199, 81, 78, 33, 13, 236, 61),
  accounts: [
    { name: 'marginfiGroup', isWritable: true },
    { name: 'admin', isSigner: true },
  ],
  args: getStructCodec([
    ['newAdmin', getNullableCodec(getAddressCodec())],
    ['newEmodeAdmin', getNullableCodec(getAddressCodec())],
    ['newCurveAdmin', getNullableCodec(getAddressCodec())],
    ['newLimitAdmin', getNullableCodec(getAddressCodec())],
    ['newFlowAdmin', getNullableCodec(getAddressCodec())],
    ['newEmissionsAdmin', getNullableCodec(getAddressCodec())],
    ['newMetadataAdmin', getNullableCodec(getAddressCodec())],
    ['newRiskAdmin', getNullableCodec(getAddressCodec())],
    ['emodeMaxInitLeverage', getNullableCodec(getI80F48Codec())],
    ['emodeMaxMaintLeverage', getNullableCodec(getI80F48Codec())],
  ]),
});
