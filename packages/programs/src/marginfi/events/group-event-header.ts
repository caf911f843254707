import { getNullableCodec, getStructCodec } from '@solana/kit';
import { getAddressCodec } from '../../fixed-offset/address-codec.ts';

/** Who did something in which group; null where anyone may. */
export function getGroupEventHeaderCodec() {
  return getStructCodec([
    ['signer', getNullableCodec(getAddressCodec())],
    ['marginfiGroup', getAddressCodec()],
  ]);
}
