import {
  type FixedSizeDecoder,
  type FixedSizeEncoder,
  getConstantCodec,
  getHiddenPrefixCodec,
  getStructCodec,
} from '@solana/kit';
import { getAddressCodec } from '../fixed-offset/address-codec.ts';
import { getU8Codec, getU16Codec } from '../fixed-offset/number-codecs.ts';

export const JUPLEND_RATE_MODEL_DISCRIMINATOR = new Uint8Array([94, 3, 203, 219, 107, 137, 4, 162]);
export const JUPLEND_RATE_MODEL_SIZE = 53;

/**
 * The borrow rate over utilisation, with one kink (`version` 1) or two (2); 10_000 is one. Packed. Field order and names are the
 * IDL's (0.1.5).
 */
export function getJuplendRateModelCodec() {
  return getHiddenPrefixCodec(
    getStructCodec([
      ['mint', getAddressCodec()],
      ['version', getU8Codec()],
      ['rateAtZero', getU16Codec()],
      ['kink1Utilization', getU16Codec()],
      ['rateAtKink1', getU16Codec()],
      ['rateAtMax', getU16Codec()],
      ['kink2Utilization', getU16Codec()],
      ['rateAtKink2', getU16Codec()],
    ]),
    [getConstantCodec(JUPLEND_RATE_MODEL_DISCRIMINATOR)],
  );
}

export type JuplendRateModel = ReturnType<ReturnType<typeof getJuplendRateModelCodec>['decode']>;
export type JuplendRateModelArgs = Parameters<ReturnType<typeof getJuplendRateModelCodec>['encode']>[0];

export function getJuplendRateModelEncoder(): FixedSizeEncoder<JuplendRateModelArgs> {
  return getJuplendRateModelCodec();
}

export function getJuplendRateModelDecoder(): FixedSizeDecoder<JuplendRateModel> {
  return getJuplendRateModelCodec();
}
