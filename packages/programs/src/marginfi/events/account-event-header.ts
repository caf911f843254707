import { getNullableCodec, getStructCodec } from '@solana/kit';
import { getAddressCodec } from '../../fixed-offset/address-codec.ts';

/** Who did something to which account; every account event begins with it. */
export function getAccountEventHeaderCodec() {
  return getStructCodec([
    ['signer', getNullableCodec(getAddressCodec())],
    ['marginfiAccount', getAddressCodec()],
    ['marginfiAccountAuthority', getAddressCodec()],
    ['marginfiGroup', getAddressCodec()],
  ]);
}
