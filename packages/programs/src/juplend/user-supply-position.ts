import {
  type FixedSizeDecoder,
  type FixedSizeEncoder,
  getConstantCodec,
  getHiddenPrefixCodec,
  getStructCodec,
} from '@solana/kit';
import { getAddressCodec } from '../fixed-offset/address-codec.ts';
import { getU8Codec, getU16Codec, getU32Codec, getU64Codec } from '../fixed-offset/number-codecs.ts';

export const JUPLEND_USER_SUPPLY_POSITION_DISCRIMINATOR = new Uint8Array([202, 219, 136, 118, 61, 177, 21, 146]);
export const JUPLEND_USER_SUPPLY_POSITION_SIZE = 124;

/**
 * What one protocol supplied of one mint, and how fast it may take it out. Amounts are raw where `withInterest` is 1. Packed. Field
 * order and names are the IDL's (0.1.5): until mid-2026 `withdrawalLimit` and `decayAmount` were one number of 128 bits, and
 * `expandDuration` and `decayDuration` one of 64, which are the same bytes while nothing decays.
 */
export function getJuplendUserSupplyPositionCodec() {
  return getHiddenPrefixCodec(
    getStructCodec([
      ['protocol', getAddressCodec()],
      ['mint', getAddressCodec()],
      ['withInterest', getU8Codec()],
      ['amount', getU64Codec()],
      ['withdrawalLimit', getU64Codec()],
      ['decayAmount', getU64Codec()],
      ['lastUpdate', getU64Codec()],
      ['expandPct', getU16Codec()],
      ['expandDuration', getU32Codec()],
      ['decayDuration', getU32Codec()],
      ['baseWithdrawalLimit', getU64Codec()],
      ['status', getU8Codec()],
    ]),
    [getConstantCodec(JUPLEND_USER_SUPPLY_POSITION_DISCRIMINATOR)],
  );
}

export type JuplendUserSupplyPosition = ReturnType<ReturnType<typeof getJuplendUserSupplyPositionCodec>['decode']>;
export type JuplendUserSupplyPositionArgs = Parameters<
  ReturnType<typeof getJuplendUserSupplyPositionCodec>['encode']
>[0];

export function getJuplendUserSupplyPositionEncoder(): FixedSizeEncoder<JuplendUserSupplyPositionArgs> {
  return getJuplendUserSupplyPositionCodec();
}

export function getJuplendUserSupplyPositionDecoder(): FixedSizeDecoder<JuplendUserSupplyPosition> {
  return getJuplendUserSupplyPositionCodec();
}
