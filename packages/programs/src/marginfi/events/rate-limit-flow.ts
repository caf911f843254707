import { getStructCodec } from '@solana/kit';
import { defineEvent } from '../../event-layout.ts';
import { getAddressCodec } from '../../fixed-offset/address-codec.ts';
import { getI64Codec, getU8Codec, getU64Codec } from '../../fixed-offset/number-codecs.ts';

/** Tokens flowed through a bank while a rate limit watches. `flowDirection`: 0 out, 1 in. Base units. From 0.1.8. */
export const rateLimitFlowEvent = defineEvent({
  name: 'RateLimitFlowEvent',
  discriminator: Uint8Array.of(229, 5, 73, 200, 0, 107, 105, 109),
  fields: getStructCodec([
    ['group', getAddressCodec()],
    ['bank', getAddressCodec()],
    ['mint', getAddressCodec()],
    ['flowDirection', getU8Codec()],
    ['nativeAmount', getU64Codec()],
    ['mintDecimals', getU8Codec()],
    ['currentTimestamp', getI64Codec()],
  ]),
});
