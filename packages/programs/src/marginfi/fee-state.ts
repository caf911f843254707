import {
  type FixedSizeDecoder,
  type FixedSizeEncoder,
  getConstantCodec,
  getHiddenPrefixCodec,
  getStructCodec,
} from '@solana/kit';
import { FEE_STATE_FIELDS } from './fee-state-fields.ts';

export const FEE_STATE_DISCRIMINATOR = new Uint8Array([63, 224, 16, 85, 193, 36, 235, 220]);
export const FEE_STATE_SIZE = 264;

/**
 * One per program: global fees and the pause switch. Groups hold copies. Field order and names are the IDL's (0.1.8), with
 * `pauseDelegateAdmin`, which 0.1.9 put into its padding.
 */
export function getFeeStateCodec() {
  return getHiddenPrefixCodec(getStructCodec(FEE_STATE_FIELDS), [getConstantCodec(FEE_STATE_DISCRIMINATOR)]);
}

export type FeeState = ReturnType<ReturnType<typeof getFeeStateCodec>['decode']>;
export type FeeStateArgs = Parameters<ReturnType<typeof getFeeStateCodec>['encode']>[0];

export function getFeeStateEncoder(): FixedSizeEncoder<FeeStateArgs> {
  return getFeeStateCodec();
}

export function getFeeStateDecoder(): FixedSizeDecoder<FeeState> {
  return getFeeStateCodec();
}
