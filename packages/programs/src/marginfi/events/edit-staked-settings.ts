import { getNullableCodec, getStructCodec } from '@solana/kit';
import { defineEvent } from '../../event-layout.ts';
import { getAddressCodec } from '../../fixed-offset/address-codec.ts';
import { getU8Codec, getU16Codec, getU64Codec } from '../../fixed-offset/number-codecs.ts';
import { getI80F48Codec } from '../i80f48.ts';

/** The defaults of a group's staked banks changed: null is what stayed. */
export const editStakedSettingsEvent = defineEvent({
  name: 'EditStakedSettingsEvent',
  discriminator: Uint8Array.of(29, 58, 155, 191, 75, 220, 145, 206),
  fields: getStructCodec([
    ['group', getAddressCodec()],
    ['settings', getStakedSettingsEditConfigCodec()],
  ]),
});

function getStakedSettingsEditConfigCodec() {
  return getStructCodec([
    ['oracle', getNullableCodec(getAddressCodec())],
    ['assetWeightInit', getNullableCodec(getI80F48Codec())],
    ['assetWeightMaint', getNullableCodec(getI80F48Codec())],
    ['depositLimit', getNullableCodec(getU64Codec())],
    ['totalAssetValueInitLimit', getNullableCodec(getU64Codec())],
    ['oracleMaxAge', getNullableCodec(getU16Codec())],
    ['riskTier', getNullableCodec(getU8Codec())],
  ]);
}
