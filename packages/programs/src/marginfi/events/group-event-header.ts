import { getAddressCodec, getNullableCodec, getStructCodec } from '@solana/kit';

/** Who did something in which group; null where anyone may. */
export function getGroupEventHeaderCodec() {
  return getStructCodec([
    ['signer', getNullableCodec(getAddressCodec())],
    ['marginfiGroup', getAddressCodec()],
  ]);
}
