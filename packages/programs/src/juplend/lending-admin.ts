import { getArrayCodec, getConstantCodec, getHiddenPrefixCodec, getStructCodec } from '@solana/kit';
import { getAddressCodec } from '../fixed-offset/address-codec.ts';
import { getU8Codec, getU16Codec } from '../fixed-offset/number-codecs.ts';

export const JUPLEND_LENDING_ADMIN_DISCRIMINATOR = new Uint8Array([42, 8, 33, 220, 163, 40, 210, 5]);
/** With room for ten keys in `auths`. */
export const JUPLEND_LENDING_ADMIN_SIZE = 431;

/** The one account that mints every fToken. Field order and names are the IDL's (0.1.4). */
export function getJuplendLendingAdminCodec() {
  return getHiddenPrefixCodec(
    getStructCodec([
      ['authority', getAddressCodec()],
      ['liquidityProgram', getAddressCodec()],
      ['rebalancer', getAddressCodec()],
      ['nextLendingId', getU16Codec()],
      ['auths', getArrayCodec(getAddressCodec())],
      ['bump', getU8Codec()],
    ]),
    [getConstantCodec(JUPLEND_LENDING_ADMIN_DISCRIMINATOR)],
  );
}

export type JuplendLendingAdmin = ReturnType<ReturnType<typeof getJuplendLendingAdminCodec>['decode']>;
