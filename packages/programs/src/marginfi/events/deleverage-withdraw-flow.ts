import { getStructCodec } from '@solana/kit';
import { defineEvent } from '../../event-layout.ts';
import { getAddressCodec } from '../../fixed-offset/address-codec.ts';
import { getI64Codec, getU32Codec } from '../../fixed-offset/number-codecs.ts';

/** A deleverage took tokens out. Whole USD. From 0.1.8. */
export const deleverageWithdrawFlowEvent = defineEvent({
  name: 'DeleverageWithdrawFlowEvent',
  discriminator: Uint8Array.of(109, 90, 139, 200, 10, 204, 84, 176),
  fields: getStructCodec([
    ['group', getAddressCodec()],
    ['bank', getAddressCodec()],
    ['mint', getAddressCodec()],
    ['outflowUsd', getU32Codec()],
    ['currentTimestamp', getI64Codec()],
  ]),
});
