import {
  type FixedSizeDecoder,
  type FixedSizeEncoder,
  getConstantCodec,
  getHiddenPrefixCodec,
  getStructCodec,
} from '@solana/kit';
import { getPaddingCodec } from '../padding.ts';
import { FEE_STATE_FIELDS } from './fee-state-fields.ts';

export const FEE_STATE_V2_DISCRIMINATOR = new Uint8Array([240, 43, 104, 108, 146, 39, 22, 38]);
export const FEE_STATE_V2_SIZE = 520;

/** The fee state with more room, from 0.1.9. No instruction of 0.1.9 reads it. */
export function getFeeStateV2Codec() {
  return getHiddenPrefixCodec(getStructCodec([...FEE_STATE_FIELDS, ['_padding1', getPaddingCodec(256)]]), [
    getConstantCodec(FEE_STATE_V2_DISCRIMINATOR),
  ]);
}

export type FeeStateV2 = ReturnType<ReturnType<typeof getFeeStateV2Codec>['decode']>;
export type FeeStateV2Args = Parameters<ReturnType<typeof getFeeStateV2Codec>['encode']>[0];

export function getFeeStateV2Encoder(): FixedSizeEncoder<FeeStateV2Args> {
  return getFeeStateV2Codec();
}

export function getFeeStateV2Decoder(): FixedSizeDecoder<FeeStateV2> {
  return getFeeStateV2Codec();
}
